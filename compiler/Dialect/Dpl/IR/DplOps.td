//===- DplOps.td - All operations of the dpl dialect -------*- tablegen -*-===//

#ifndef DPL_OPS_TD
#define DPL_OPS_TD

include "compiler/Dialect/Dpl/IR/DplElementwise.td"
include "compiler/Dialect/Dpl/IR/DplShape.td"
include "compiler/Dialect/Dpl/IR/DplReduce.td"
include "compiler/Dialect/Dpl/IR/DplWindow.td"
include "compiler/Dialect/Dpl/IR/DplIndex.td"
include "compiler/Dialect/Dpl/IR/DplBatch.td"
include "compiler/Dialect/Dpl/IR/DplRandom.td"
include "compiler/Dialect/Dpl/IR/DplProgram.td"

#endif // DPL_OPS_TD
