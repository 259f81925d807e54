// Folds and patterns of the primitives: where they apply, and where not.
// RUN: dpl-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @neutral
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32, #dpl.per_sample>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @neutral(%x: tensor<2xf32, #dpl.per_sample>) -> (tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>,
    tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>) {
  %0 = dpl.constant dense<0.0> : tensor<2xf32>
  %1 = dpl.constant dense<1.0> : tensor<2xf32>
  %a = dpl.add %x, %0 : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %b = dpl.add %0, %x : (tensor<2xf32>, tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample>
  %c = dpl.sub %x, %0 : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %d = dpl.mul %1, %x : (tensor<2xf32>, tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample>
  %e = dpl.div %x, %1 : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %f = dpl.pow %x, %1 : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  return %a, %b, %c, %d, %e, %f : tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>,
    tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>
}

// -----

// 0 - x, 1 / x, and x * 0, which is NaN for an infinite x.
// CHECK-LABEL: func.func @not_neutral
// CHECK: dpl.sub
// CHECK: dpl.div
// CHECK: dpl.mul
func.func @not_neutral(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = dpl.constant dense<0.0> : tensor<2xf32>
  %1 = dpl.constant dense<1.0> : tensor<2xf32>
  %a = dpl.sub %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = dpl.div %1, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = dpl.mul %x, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %a, %b, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @splats
// CHECK-DAG: %[[T:.*]] = dpl.constant dense<true> : tensor<2xi1>
// CHECK-DAG: %[[M:.*]] = dpl.constant dense<-3> : tensor<2xi32>
// CHECK-DAG: %[[S:.*]] = dpl.constant dense<5.000000e+00> : tensor<2xf32>
// CHECK: return %[[S]], %[[M]], %[[T]]
func.func @splats() -> (tensor<2xf32>, tensor<2xi32>, tensor<2xi1>) {
  %2 = dpl.constant dense<2.0> : tensor<2xf32>
  %m = dpl.constant dense<-3.5> : tensor<2xf32>
  %3 = dpl.constant dense<3.0> : tensor<2xf32>
  %s = dpl.add %2, %3 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %i = dpl.cast %m {to = i32} : (tensor<2xf32>) -> tensor<2xi32>
  %c = dpl.compare lt %2, %3 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %s, %i, %c : tensor<2xf32>, tensor<2xi32>, tensor<2xi1>
}

// -----

// Only splats are folded, and nothing that has no value.
// CHECK-LABEL: func.func @no_splat
// CHECK: dpl.exp
// CHECK: dpl.div
func.func @no_splat() -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = dpl.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = dpl.constant dense<1> : tensor<2xi32>
  %2 = dpl.constant dense<0> : tensor<2xi32>
  %e = dpl.exp %0 : (tensor<2xf32>) -> tensor<2xf32>
  %d = dpl.div %1, %2 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %e, %d : tensor<2xf32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @select_known
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>)
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @select_known(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %t = dpl.constant dense<true> : tensor<2xi1>
  %f = dpl.constant dense<false> : tensor<2xi1>
  %0 = dpl.select %t, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = dpl.select %f, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// The chosen operand is uniform, the result is not.
// CHECK-LABEL: func.func @select_of_another_kind
// CHECK: dpl.select
func.func @select_of_another_kind(%a: tensor<2xf32>, %b: tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample> {
  %t = dpl.constant dense<true> : tensor<2xi1>
  %0 = dpl.select %t, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample>
  return %0 : tensor<2xf32, #dpl.per_sample>
}

// -----

// CHECK-LABEL: func.func @nothing_moves
// CHECK-SAME: (%[[X:.*]]: tensor<1x3xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @nothing_moves(%x: tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>,
    tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) {
  %a = dpl.cast %x {to = f32} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %b = dpl.reduce sum %x {axes = array<i64>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %c = dpl.broadcast %x {shape = array<i64: 1, 3>, axes = array<i64: 0, 1>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %d = dpl.reshape %x {shape = array<i64: 1, 3>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %e = dpl.transpose %x {permutation = array<i64: 0, 1>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %f = dpl.reverse %x {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %g = dpl.slice %x {start = array<i64: 0, 0>, size = array<i64: 1, 3>, step = array<i64: 5, 1>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %h = dpl.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>
}

// -----

// Axes of one place change places; one part is joined with nothing.
// CHECK-LABEL: func.func @nothing_joined
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x3xf32>)
// CHECK-NEXT: return %[[X]], %[[X]]
func.func @nothing_joined(%x: tensor<1x1x3xf32>) -> (tensor<1x1x3xf32>, tensor<1x1x3xf32>) {
  %a = dpl.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  %b = dpl.concat %x {axis = 2 : i64} : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  return %a, %b : tensor<1x1x3xf32>, tensor<1x1x3xf32>
}

// -----

// Types stay, elements move; a pad may shift without changing the size.
// CHECK-LABEL: func.func @something_moves
// CHECK: dpl.transpose
// CHECK: dpl.reverse
// CHECK: dpl.pad
func.func @something_moves(%x: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
  %a = dpl.transpose %x {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %b = dpl.reverse %x {axes = array<i64: 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %c = dpl.pad %x {low = array<i64: 1, 0>, high = array<i64: -1, 0>, interior = array<i64: 0, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %a, %b, %c : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}

// -----

// CHECK-LABEL: func.func @composed
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
// CHECK: %[[R:.*]] = dpl.reshape %[[X]] {shape = array<i64: 24>}
// CHECK: %[[T:.*]] = dpl.transpose %[[X]] {permutation = array<i64: 2, 1, 0>} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK: return %[[R]], %[[T]], %[[X]]
func.func @composed(%x: tensor<2x3x4xf32>) -> (tensor<24xf32>, tensor<4x3x2xf32>, tensor<2x3x4xf32>) {
  %a = dpl.reshape %x {shape = array<i64: 6, 4>} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %b = dpl.reshape %a {shape = array<i64: 24>} : (tensor<6x4xf32>) -> tensor<24xf32>
  %c = dpl.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %d = dpl.transpose %c {permutation = array<i64: 1, 0, 2>} : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  %e = dpl.transpose %c {permutation = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %b, %d, %e : tensor<24xf32>, tensor<4x3x2xf32>, tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @constants_move
// CHECK-DAG: %[[A:.*]] = dpl.constant dense<2.000000e+00> : tensor<2x3xf32>
// CHECK-DAG: %[[B:.*]] = dpl.constant dense<{{\[}}[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// CHECK-DAG: %[[C:.*]] = dpl.constant dense<2.000000e+00> : tensor<3x2xf32>
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @constants_move() -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<3x2xf32>) {
  %0 = dpl.constant dense<2.0> : tensor<f32>
  %1 = dpl.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = dpl.broadcast %0 {shape = array<i64: 2, 3>, axes = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
  %b = dpl.reshape %1 {shape = array<i64: 2, 1>} : (tensor<2xf32>) -> tensor<2x1xf32>
  %c = dpl.transpose %a {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %a, %b, %c : tensor<2x3xf32>, tensor<2x1xf32>, tensor<3x2xf32>
}

// -----

// CHECK-LABEL: func.func @sum_of_uniform
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>)
// CHECK: %[[N:.*]] = dpl.batch_count : tensor<f32>
// CHECK: %[[B:.*]] = dpl.broadcast %[[N]]
// CHECK: dpl.mul %[[B]], %[[X]]
func.func @sum_of_uniform(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = dpl.batch_sum %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @sum_before_batch
// CHECK: %[[R:.*]] = dpl.reduce sum %{{.*}} : (tensor<2x3xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample>
// CHECK: dpl.batch_sum %[[R]]
func.func @sum_before_batch(%x: tensor<2x3xf32, #dpl.per_sample>) -> tensor<2xf32> {
  %0 = dpl.batch_sum %x : (tensor<2x3xf32, #dpl.per_sample>) -> tensor<2x3xf32>
  %1 = dpl.reduce sum %0 {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// A maximum does not commute with a sum; a sum that is used itself stays.
// CHECK-LABEL: func.func @not_before_batch
// CHECK-COUNT-2: dpl.batch_sum %{{.*}} : (tensor<2x3xf32, #dpl.per_sample>) -> tensor<2x3xf32>
func.func @not_before_batch(%x: tensor<2x3xf32, #dpl.per_sample>, %y: tensor<2x3xf32, #dpl.per_sample>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>) {
  %0 = dpl.batch_sum %x : (tensor<2x3xf32, #dpl.per_sample>) -> tensor<2x3xf32>
  %1 = dpl.reduce max %0 {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  %2 = dpl.batch_sum %y : (tensor<2x3xf32, #dpl.per_sample>) -> tensor<2x3xf32>
  %3 = dpl.reduce sum %2 {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %1, %3, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>
}

// -----

#one = array<i64: 1>
#two = array<i64: 2>
#none = array<i64: 0>

// CHECK-LABEL: func.func @pool_before_max
// CHECK-SAME: (%[[X:.*]]: tensor<1x4xf32, #dpl.per_sample>)
// CHECK: %[[C:.*]] = dpl.constant dense<0.000000e+00> : tensor<1x2xf32>
// CHECK: %[[P:.*]] = dpl.pool max %[[X]]
// CHECK: dpl.max %[[P]], %[[C]]
func.func @pool_before_max(%x: tensor<1x4xf32, #dpl.per_sample>) -> tensor<1x2xf32, #dpl.per_sample> {
  %0 = dpl.constant dense<0.0> : tensor<1x4xf32>
  %1 = dpl.max %x, %0 : (tensor<1x4xf32, #dpl.per_sample>, tensor<1x4xf32>) -> tensor<1x4xf32, #dpl.per_sample>
  %2 = dpl.pool max %1 {window = #two, stride = #two, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x4xf32, #dpl.per_sample>) -> tensor<1x2xf32, #dpl.per_sample>
  return %2 : tensor<1x2xf32, #dpl.per_sample>
}

// -----

#one = array<i64: 1>
#two = array<i64: 2>
#none = array<i64: 0>

// A sum does not commute; a window in the padding has no element; a floor
// that differs from place to place goes nowhere; a value that is used stays.
// CHECK-LABEL: func.func @max_stays
// CHECK-COUNT-4: dpl.max %{{.*}} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
func.func @max_stays(%x: tensor<1x4xf32>, %y: tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x4xf32>) {
  %0 = dpl.constant dense<0.0> : tensor<1x4xf32>
  %1 = dpl.constant dense<1.0> : tensor<1x4xf32>
  %2 = dpl.constant dense<2.0> : tensor<1x4xf32>
  %a = dpl.max %x, %0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %b = dpl.max %x, %1 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %c = dpl.max %x, %y : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %d = dpl.max %x, %2 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %p = dpl.pool sum %a {window = #two, stride = #two, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x4xf32>) -> tensor<1x2xf32>
  %q = dpl.pool max %b {window = #two, stride = #two, pad_low = #one, pad_high = #one, dilation = #one, dilate_input = #one} : (tensor<1x4xf32>) -> tensor<1x3xf32>
  %r = dpl.pool max %c {window = #two, stride = #two, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x4xf32>) -> tensor<1x2xf32>
  %s = dpl.pool max %d {window = #two, stride = #two, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x4xf32>) -> tensor<1x2xf32>
  return %p, %q, %r, %s, %d : tensor<1x2xf32>, tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x4xf32>
}
