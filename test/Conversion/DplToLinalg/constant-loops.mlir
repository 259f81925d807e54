// A reduction of what is the same everywhere keeps its loop: the operand is then read as a tensor of its full shape.
// RUN: dpl-opt %s -dpl-to-linalg | FileCheck %s

dpl.step_program @p.program {buckets = [], capacity = 8 : i64, inputs = [], iterator = "i", kind = "train", phases = [{name = "tiles"}], reduced = 0 : i64, reports = [], saved = [4, 4], sums = 0 : i64, tile = 8 : i64, uniform = 0 : i64, update = "fused"}

// The sum over an axis that a broadcast made.
// CHECK-LABEL: func.func @k(
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}}["parallel", "parallel"]
// CHECK: } -> tensor<8x5xf32>
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]{{.*}} ins(%[[WIDE]] : tensor<8x5xf32>)
func.func @k(%x: tensor<f32, #dpl.per_sample> {dpl.buffer = {index = 0 : i64, space = "saved", tile = 32 : i64}})
    -> (tensor<f32, #dpl.per_sample> {dpl.buffer = {index = 1 : i64, space = "saved", tile = 32 : i64}})
    attributes {dpl.kernel = {domain = "tiles", phase = 0 : i64, program = "p"}} {
  %b = dpl.broadcast %x {shape = array<i64: 5>, axes = array<i64>} : (tensor<f32, #dpl.per_sample>) -> tensor<5xf32, #dpl.per_sample>
  %s = dpl.reduce sum %b {axes = array<i64: 0>} : (tensor<5xf32, #dpl.per_sample>) -> tensor<f32, #dpl.per_sample>
  return %s : tensor<f32, #dpl.per_sample>
}

// The sum of a constant.
// CHECK-LABEL: func.func @constant(
// CHECK: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<5xf32>
// CHECK: linalg.generic {{.*}}["reduction"]{{.*}} ins(%[[ONES]] : tensor<5xf32>)
func.func @constant() -> (tensor<f32> {dpl.buffer = {space = "uniform"}})
    attributes {dpl.kernel = {domain = "once", phase = 0 : i64, program = "p"}} {
  %c = dpl.constant dense<1.0> : tensor<5xf32>
  %s = dpl.reduce sum %c {axes = array<i64: 0>} : (tensor<5xf32>) -> tensor<f32>
  return %s : tensor<f32>
}
