//===- dpl/cpu_features.h - Instruction sets by name --------------*- C -*-===//
//
// The instruction sets of x86-64 that generated code may use beyond those that
// every such processor has. One list for both sides: the compiler lets the code
// generator use no other, and says in the description which of them the code
// may hold; the runtime asks the processor for these before it runs any of it.
// The names are those of LLVM and of __builtin_cpu_supports.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_CPU_FEATURES_H
#define DPL_CPU_FEATURES_H

/// Calls X with each name, a string literal.
#define DPL_X86_FEATURES(X)                                                    \
  X("sse3")                                                                    \
  X("ssse3")                                                                   \
  X("sse4.1")                                                                  \
  X("sse4.2")                                                                  \
  X("sse4a")                                                                   \
  X("popcnt")                                                                  \
  X("avx")                                                                     \
  X("avx2")                                                                    \
  X("fma")                                                                     \
  X("fma4")                                                                    \
  X("xop")                                                                     \
  X("f16c")                                                                    \
  X("bmi")                                                                     \
  X("bmi2")                                                                    \
  X("lzcnt")                                                                   \
  X("movbe")                                                                   \
  X("avx512f")                                                                 \
  X("avx512cd")                                                                \
  X("avx512bw")                                                                \
  X("avx512dq")                                                                \
  X("avx512vl")                                                                \
  X("avx512ifma")                                                              \
  X("avx512vbmi")                                                              \
  X("avx512vbmi2")                                                             \
  X("avx512vnni")                                                              \
  X("avx512bitalg")                                                            \
  X("avx512vpopcntdq")

#endif // DPL_CPU_FEATURES_H
