// Each tap of the window gets the gradient if its element, and none before it, is the maximum.
// RUN: dpl-opt %s -dpl-to-linalg | FileCheck %s

dpl.step_program @p.program {buckets = [], capacity = 8 : i64, inputs = [], iterator = "i", kind = "train", phases = [{name = "tiles"}], reduced = 0 : i64, reports = [], saved = [16, 4, 4, 16], sums = 0 : i64, tile = 8 : i64, uniform = 0 : i64, update = "fused"}

// CHECK-LABEL: func.func @k(
// CHECK: %[[FIRST:.*]] = tensor.extract_slice {{.*}}[0, 0, 0, 0] [8, 1, 1, 1] [1, 1, 2, 1]
// CHECK: linalg.generic {{.*}} ins(%[[G:.*]], %[[Y:.*]], %[[FIRST]] :
// CHECK-NEXT: ^bb0(%[[G0:.*]]: f32, %[[Y0:.*]]: f32, %[[X0:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[C:.*]] = arith.cmpf oeq, %[[X0]], %[[Y0]]
// CHECK: arith.select %[[C]], %[[G0]], %
// CHECK: %[[SECOND:.*]] = tensor.extract_slice {{.*}}[0, 0, 1, 0] [8, 1, 1, 1] [1, 1, 2, 1]
// CHECK: linalg.generic {{.*}} ins(%[[G]], %[[Y]], %[[FIRST]], %[[SECOND]] :
// CHECK-NEXT: ^bb0(%[[G1:.*]]: f32, %[[Y1:.*]]: f32, %[[BEFORE:.*]]: f32, %[[X1:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[HERE:.*]] = arith.cmpf oeq, %[[X1]], %[[Y1]]
// CHECK: %[[V:.*]] = arith.select %[[HERE]], %[[G1]], %[[ZERO:.*]] : f32
// CHECK: %[[EARLIER:.*]] = arith.cmpf oeq, %[[BEFORE]], %[[Y1]]
// CHECK: arith.select %[[EARLIER]], %[[ZERO]], %[[V]]
func.func @k(%x: tensor<1x2x1xf32, #dpl.per_sample> {dpl.buffer = {index = 0 : i64, space = "saved", tile = 64 : i64}},
             %y: tensor<1x1x1xf32, #dpl.per_sample> {dpl.buffer = {index = 1 : i64, space = "saved", tile = 32 : i64}},
             %g: tensor<1x1x1xf32, #dpl.per_sample> {dpl.buffer = {index = 2 : i64, space = "saved", tile = 32 : i64}})
    -> (tensor<1x2x1xf32, #dpl.per_sample> {dpl.buffer = {index = 3 : i64, space = "saved", tile = 64 : i64}})
    attributes {dpl.kernel = {domain = "tiles", phase = 0 : i64, program = "p"}} {
  %d = dpl.pool_max_grad %x, %y, %g {channels_last, dilate_input = array<i64: 1, 1>, dilation = array<i64: 1, 1>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, stride = array<i64: 1, 2>, window = array<i64: 1, 2>} : (tensor<1x2x1xf32, #dpl.per_sample>, tensor<1x1x1xf32, #dpl.per_sample>, tensor<1x1x1xf32, #dpl.per_sample>) -> tensor<1x2x1xf32, #dpl.per_sample>
  return %d : tensor<1x2x1xf32, #dpl.per_sample>
}
