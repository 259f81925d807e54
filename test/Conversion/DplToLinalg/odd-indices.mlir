// Indices that no tile of loops could slice are read element by element, inside of the body.
// RUN: dpl-opt %s -dpl-to-linalg | FileCheck %s

dpl.step_program @p.program {buckets = [], capacity = 8 : i64, inputs = [], iterator = "i", kind = "train", phases = [{name = "tiles"}], reduced = 0 : i64, reports = [], saved = [20, 20], sums = 0 : i64, tile = 8 : i64, uniform = 0 : i64, update = "fused"}

// CHECK: #[[BACK:.*]] = affine_map<(d0, d1) -> (-d1 + 4)>
// CHECK-LABEL: func.func @reverse(
// CHECK-SAME: %[[FROM:[a-z0-9]+]]: memref<8x5xf32>
// CHECK: %[[X:.*]] = bufferization.to_tensor %[[FROM]]
// CHECK: linalg.generic {{.*}} outs(
// CHECK: %[[I:.*]] = affine.apply #[[BACK]]
// CHECK: tensor.extract %[[X]][%{{.*}}, %[[I]]]
func.func @reverse(%x: tensor<5xf32, #dpl.per_sample> {dpl.buffer = {index = 0 : i64, space = "saved", tile = 160 : i64}})
    -> (tensor<5xf32, #dpl.per_sample> {dpl.buffer = {index = 1 : i64, space = "saved", tile = 160 : i64}})
    attributes {dpl.kernel = {domain = "tiles", phase = 0 : i64, program = "p"}} {
  %r = dpl.reverse %x {axes = array<i64: 0>} : (tensor<5xf32, #dpl.per_sample>) -> tensor<5xf32, #dpl.per_sample>
  return %r : tensor<5xf32, #dpl.per_sample>
}

// The positions of the window are a loop of their own only in the cotangent, so it is read as a tensor although it is
// the same everywhere.
// CHECK-LABEL: func.func @filter(
// CHECK: %[[G:.*]] = linalg.generic
// CHECK: } -> tensor<8x2x3xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[G]] : tensor<8x4x2xf32>, tensor<8x2x3xf32>)
func.func @filter(%x: tensor<4x2xf32, #dpl.per_sample> {dpl.buffer = {index = 0 : i64, space = "saved", tile = 256 : i64}},
                  %g: tensor<f32, #dpl.per_sample> {dpl.buffer = {index = 1 : i64, space = "saved", tile = 32 : i64}})
    -> (tensor<2x2x3xf32, #dpl.per_sample> {dpl.buffer = {index = 2 : i64, space = "saved", tile = 384 : i64}})
    attributes {dpl.kernel = {domain = "tiles", phase = 0 : i64, program = "p"}} {
  %b = dpl.broadcast %g {shape = array<i64: 2, 3>, axes = array<i64>} : (tensor<f32, #dpl.per_sample>) -> tensor<2x3xf32, #dpl.per_sample>
  %f = dpl.conv_filter %x, %b {channels_last, dilate_input = array<i64: 1>, dilation = array<i64: 1>, pad_high = array<i64: 0>, pad_low = array<i64: 0>, stride = array<i64: 2>, window = array<i64: 2>}
      : (tensor<4x2xf32, #dpl.per_sample>, tensor<2x3xf32, #dpl.per_sample>) -> tensor<2x2x3xf32, #dpl.per_sample>
  return %f : tensor<2x2x3xf32, #dpl.per_sample>
}

// An element that padding puts behind the end is not there.
// CHECK-LABEL: func.func @cut(
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @cut(%x: tensor<1xf32, #dpl.per_sample> {dpl.buffer = {index = 0 : i64, space = "saved", tile = 32 : i64}})
    -> (tensor<2xf32, #dpl.per_sample> {dpl.buffer = {index = 1 : i64, space = "saved", tile = 64 : i64}})
    attributes {dpl.kernel = {domain = "tiles", phase = 0 : i64, program = "p"}} {
  %p = dpl.pad %x {low = array<i64: 3>, high = array<i64: -2>, interior = array<i64: 2>} : (tensor<1xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample>
  return %p : tensor<2xf32, #dpl.per_sample>
}
