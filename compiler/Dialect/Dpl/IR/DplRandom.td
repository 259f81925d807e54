//===- DplRandom.td - Counted random numbers ---------------*- tablegen -*-===//

#ifndef DPL_RANDOM_TD
#define DPL_RANDOM_TD

include "compiler/Dialect/Dpl/IR/DplBase.td"

def Dpl_RandomKind : I32EnumAttr<"RandomKind", "distribution of random numbers", [
    I32EnumAttrCase<"uniform", 0>, I32EnumAttrCase<"normal", 1>]> {
  let cppNamespace = "::dpl";
}

def Dpl_RandomKeyOp : Dpl_Op<"random_key", [Pure, Dpl_NoGradient]> {
  let summary = "word 0 or 1 of what random numbers of one call have in common; i32";
  let description = [{
    A function of seed, epoch, training step, and `path`, the call path.
  }];
  let arguments = (ins StrAttr:$path, ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<1>]>:$word);
  let results = (outs Dpl_UniformTensor:$result);
  let assemblyFormat = "$path `word` $word attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dpl_SampleIndexOp : Dpl_Op<"sample_index", [Pure, Dpl_NoGradient]> {
  let summary = "number of the sample in its data set, wherever in a batch it is; i64";
  let results = (outs Dpl_SampleTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dpl_RandomOp : Dpl_Op<"random", [Pure, Dpl_NoGradient, Dpl_Structured]> {
  let summary = "random numbers that are counted: a function of key, sample and place";
  let description = [{
    Philox 4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3,
    2011) of the key and the counter {place / 4, 0, sample, sample >> 32};
    place i in C order takes word i % 4. `uniform`: the upper 24 bits of the
    word times 2^-24, in [0, 1). `normal`: Box and Muller's transform of a pair
    of words a, b: radius sqrt(-2 log((a + 1/2) / 2^32)) times cosine and sine
    of 2 pi b / 2^32.
  }];
  let arguments = (ins Dpl_RandomKind:$kind, Dpl_UniformTensor:$key0, Dpl_UniformTensor:$key1, Dpl_SampleTensor:$sample);
  let results = (outs Dpl_SampleTensor:$result);
  let assemblyFormat = "$kind $key0 `,` $key1 `,` $sample attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

#endif // DPL_RANDOM_TD
