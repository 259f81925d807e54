//===- DplProgram.td - Parameters, options, data, training -*- tablegen -*-===//

#ifndef DPL_PROGRAM_TD
#define DPL_PROGRAM_TD

include "compiler/Dialect/Dpl/IR/DplBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/CallInterfaces.td"

def Dpl_ParameterOp : Dpl_Op<"parameter", [Symbol]> {
  let summary = "a learned tensor, named by its path";
  let description = [{
    `init` is {kind = "he_uniform" | .., numbers..}; `role` is `weight`,
    `bias`, `norm` or `embedding`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Dpl_UniformTensor>:$type, DictionaryAttr:$init,
                       DefaultValuedStrAttr<StrAttr, "weight">:$role);
  let assemblyFormat = "$sym_name `:` $type `init` $init (`as` $role^)? attr-dict";
}

def Dpl_StateOp : Dpl_Op<"state", [Symbol]> {
  let summary = "a tensor that lasts from step to step: an optimizer's or a model's";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Dpl_UniformTensor>:$type, DictionaryAttr:$init,
                       OptionalAttr<FlatSymbolRefAttr>:$parameter);
  let assemblyFormat = "$sym_name `:` $type `init` $init (`of` $parameter^)? attr-dict";
}

def Dpl_ReadOp : Dpl_Op<"read", [Pure]> {
  let summary = "value of a parameter or state at the beginning of the step";
  let arguments = (ins FlatSymbolRefAttr:$symbol);
  let results = (outs Dpl_UniformTensor:$result);
  let assemblyFormat = "$symbol attr-dict `:` type($result)";
}

def Dpl_WriteOp : Dpl_Op<"write", [MemoryEffects<[MemWrite]>]> {
  let summary = "gives a parameter or state its value for the next step";
  let arguments = (ins FlatSymbolRefAttr:$symbol, Dpl_UniformTensor:$value);
  let assemblyFormat = "$symbol `,` $value attr-dict `:` type($value)";
}

def Dpl_OptionOp : Dpl_Op<"option", [Symbol]> {
  let summary = "a setting that is a flag of the trainer";
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$type, AnyAttr:$value, StrAttr:$help,
                       OptionalAttr<DictionaryAttr>:$range);
  let assemblyFormat = "$sym_name `:` $type `=` $value `help` $help (`range` $range^)? attr-dict";
}

def Dpl_OptionValueOp : Dpl_Op<"option_value", [Pure]> {
  let summary = "value of a numeric option, f64; only in the settings function";
  let arguments = (ins FlatSymbolRefAttr:$option);
  let results = (outs Dpl_UniformTensor:$result);
  let assemblyFormat = "$option attr-dict `:` type($result)";
}

def Dpl_SettingOp : Dpl_Op<"setting", [MemoryEffects<[MemWrite]>]> {
  let summary = "defines a run-time scalar of the step functions; only in the settings function";
  let arguments = (ins StrAttr:$name, Dpl_UniformTensor:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` type($value)";
}

def Dpl_SettingValueOp : Dpl_Op<"setting_value", [Pure]> {
  let summary = "a scalar that the settings function defines, f32; only in step functions";
  let arguments = (ins StrAttr:$name);
  let results = (outs Dpl_UniformTensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Dpl_GradOp : Dpl_Op<"grad", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "gradients of a uniform scalar with respect to uniform values of the same function";
  let arguments = (ins Dpl_UniformTensor:$value, Variadic<Dpl_UniformTensor>:$wrt);
  let results = (outs Variadic<Dpl_UniformTensor>:$gradients);
  let assemblyFormat = "$value `wrt` `(` $wrt `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::ValueRange":$wrt)>];
}

def Dpl_ReportOp : Dpl_Op<"report", [MemoryEffects<[MemWrite]>]> {
  let summary = "a sum and a count over the global batch, divided once by the reader";
  let arguments = (ins StrAttr:$name, Dpl_UniformTensor:$sum, Dpl_UniformTensor:$count);
  let assemblyFormat = "$name `,` $sum `,` $count attr-dict `:` type($sum) `,` type($count)";
}

def Dpl_DatasetOp : Dpl_Op<"dataset", [Symbol]> {
  let summary = "a reader and the transforms behind it";
  let description = [{
    `stored` and `fields` are arrays of {name, dtype, shape, classes?}: what
    the reader yields, and what leaves the transforms. `transforms` is an
    array of {name, field, args}.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$reader, DictionaryAttr:$args, ArrayAttr:$transforms,
                       ArrayAttr:$stored, ArrayAttr:$fields);
  let assemblyFormat = "$sym_name $reader $args `transforms` $transforms `stored` $stored `fields` $fields attr-dict";
}

def Dpl_IteratorOp : Dpl_Op<"iterator", [Symbol]> {
  let summary = "batches of a data set";
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$kind, FlatSymbolRefAttr:$dataset, I64Attr:$batch, DictionaryAttr:$args);
  let assemblyFormat = "$sym_name $kind `of` $dataset `batch` $batch $args attr-dict";
}

def Dpl_ModelOp : Dpl_Op<"model", [Symbol]> {
  let summary = "a model: its function, its fields and its layers";
  let description = [{
    `inputs` and `outputs` are arrays of fields; `layers` an array of
    {path, layer, input, output, parameters, flops}, in the order of use.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$function, ArrayAttr:$inputs, ArrayAttr:$outputs,
                       OptionalAttr<ArrayAttr>:$layers);
  let assemblyFormat = "$sym_name $function `inputs` $inputs `outputs` $outputs (`layers` $layers^)? attr-dict";
}

def Dpl_StepProgramOp : Dpl_Op<"step_program", [Symbol]> {
  let summary = "a step as kernels in phases; made by outlining";
  let description = [{
    `entries` is a program of the description, without its phases; those are
    in the `dpl.kernel` attributes of the kernels.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DictionaryAttr:$entries);
  let assemblyFormat = "$sym_name $entries attr-dict";
}

def Dpl_TrainOp : Dpl_Op<"train", []> {
  let summary = "what is trained on what, until when, with which extensions";
  let description = [{
    `entries` has models, data, devices?, stop, out, evaluate and every, in
    the form of the program description.
  }];
  let arguments = (ins FlatSymbolRefAttr:$step, DictionaryAttr:$entries);
  let assemblyFormat = "$step $entries attr-dict";
}

#endif // DPL_PROGRAM_TD
