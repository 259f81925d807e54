// Windows read their channels last; what they are wrapped in meets its inverse.
// RUN: dpl-opt %s -pass-pipeline='builtin.module(func.func(dpl-channels-last))' -split-input-file | FileCheck %s

#one = array<i64: 1, 1>
#none = array<i64: 0, 0>

// Between the two convolutions nothing is transposed.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x4xf32, #dpl.per_sample>, %[[F:.*]]: tensor<2x1x3x3xf32>, %[[B:.*]]: tensor<2xf32>, %{{.*}}: tensor<2x2x1x1xf32>)
// CHECK-DAG: %[[L:.*]] = dpl.transpose %[[X]] {permutation = array<i64: 1, 2, 0>}
// CHECK-DAG: %[[W:.*]] = dpl.transpose %[[F]] {permutation = array<i64: 2, 3, 1, 0>} : (tensor<2x1x3x3xf32>) -> tensor<3x3x1x2xf32>
// CHECK: %[[Y:.*]] = dpl.conv %[[L]], %[[W]] {channels_last
// CHECK-DAG: %[[C:.*]] = dpl.broadcast %[[B]] {axes = array<i64: 2>, shape = array<i64: 2, 2, 2>}
// CHECK: %[[A:.*]] = dpl.add %[[Y]], %[[C]]
// CHECK-NOT: dpl.transpose {{.*}}#dpl.per_sample
// CHECK: %[[Z:.*]] = dpl.conv %[[A]], %{{.*}} {channels_last
// CHECK: %[[R:.*]] = dpl.transpose %[[Z]] {permutation = array<i64: 2, 0, 1>}
// CHECK-NEXT: return %[[R]]
func.func @chain(%x: tensor<1x4x4xf32, #dpl.per_sample>, %f: tensor<2x1x3x3xf32>, %b: tensor<2xf32>, %h: tensor<2x2x1x1xf32>) -> tensor<2x2x2xf32, #dpl.per_sample> {
  %y = dpl.conv %x, %f {stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x4x4xf32, #dpl.per_sample>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32, #dpl.per_sample>
  %c = dpl.broadcast %b {shape = array<i64: 2, 2, 2>, axes = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x2x2xf32>
  %a = dpl.add %y, %c : (tensor<2x2x2xf32, #dpl.per_sample>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32, #dpl.per_sample>
  %z = dpl.conv %a, %h {stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<2x2x2xf32, #dpl.per_sample>, tensor<2x2x1x1xf32>) -> tensor<2x2x2xf32, #dpl.per_sample>
  return %z : tensor<2x2x2xf32, #dpl.per_sample>
}

// -----

#one = array<i64: 1>
#two = array<i64: 2>
#none = array<i64: 0>

// Pools, their gradients and those of filters, too.
// CHECK-LABEL: func.func @others
// CHECK: dpl.pool max %{{.*}} {channels_last
// CHECK: dpl.pool_max_grad %{{.*}}, %{{.*}}, %{{.*}} {channels_last
// CHECK: dpl.conv_filter %{{.*}}, %{{.*}} {channels_last
// CHECK: dpl.transpose %{{.*}} {permutation = array<i64: 2, 1, 0>}
func.func @others(%x: tensor<3x4xf32, #dpl.per_sample>) -> (tensor<3x4xf32, #dpl.per_sample>, tensor<3x3x3xf32, #dpl.per_sample>) {
  %y = dpl.pool max %x {window = #two, stride = #two, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<3x4xf32, #dpl.per_sample>) -> tensor<3x2xf32, #dpl.per_sample>
  %d = dpl.pool_max_grad %x, %y, %y {window = #two, stride = #two, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<3x4xf32, #dpl.per_sample>, tensor<3x2xf32, #dpl.per_sample>, tensor<3x2xf32, #dpl.per_sample>) -> tensor<3x4xf32, #dpl.per_sample>
  %f = dpl.conv_filter %x, %y {window = array<i64: 3>, stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<3x4xf32, #dpl.per_sample>, tensor<3x2xf32, #dpl.per_sample>) -> tensor<3x3x3xf32, #dpl.per_sample>
  return %d, %f : tensor<3x4xf32, #dpl.per_sample>, tensor<3x3x3xf32, #dpl.per_sample>
}

// -----

#one = array<i64: 1>
#none = array<i64: 0>

// A reduction and the sum over the batch take the axes as they come.
// CHECK-LABEL: func.func @sums
// CHECK: %[[Y:.*]] = dpl.conv
// CHECK-NEXT: %[[R:.*]] = dpl.reduce sum %[[Y]] {axes = array<i64: 0>}
// CHECK-NEXT: %[[S:.*]] = dpl.batch_sum %[[R]]
// CHECK-NEXT: return %[[S]]
func.func @sums(%x: tensor<1x3xf32, #dpl.per_sample>, %f: tensor<2x1x2xf32>) -> tensor<2xf32> {
  %y = dpl.conv %x, %f {stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x3xf32, #dpl.per_sample>, tensor<2x1x2xf32>) -> tensor<2x2xf32, #dpl.per_sample>
  %r = dpl.reduce sum %y {axes = array<i64: 1>} : (tensor<2x2xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample>
  %s = dpl.batch_sum %r : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}

// -----

#one = array<i64: 1>
#none = array<i64: 0>

// A sum with something that no window made: its transpose stays above, so the
// two do not chase each other, and the pass ends.
// CHECK-LABEL: func.func @residual
// CHECK: %[[Y:.*]] = dpl.conv
// CHECK: %[[X:.*]] = dpl.transpose %arg0
// CHECK-NEXT: %[[A:.*]] = dpl.add %[[Y]], %[[X]]
// CHECK-NEXT: dpl.transpose %[[A]]
func.func @residual(%x: tensor<2x3xf32, #dpl.per_sample>, %f: tensor<2x2x1xf32>) -> tensor<2x3xf32, #dpl.per_sample> {
  %y = dpl.conv %x, %f {stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<2x3xf32, #dpl.per_sample>, tensor<2x2x1xf32>) -> tensor<2x3xf32, #dpl.per_sample>
  %z = dpl.add %y, %x : (tensor<2x3xf32, #dpl.per_sample>, tensor<2x3xf32, #dpl.per_sample>) -> tensor<2x3xf32, #dpl.per_sample>
  return %z : tensor<2x3xf32, #dpl.per_sample>
}

// -----

// Without a window, and for uniform values, nothing moves.
// CHECK-LABEL: func.func @no_window
// CHECK: %[[T:.*]] = dpl.transpose
// CHECK-NEXT: dpl.exp %[[T]]
func.func @no_window(%x: tensor<2x3xf32, #dpl.per_sample>) -> tensor<3x2xf32, #dpl.per_sample> {
  %t = dpl.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32, #dpl.per_sample>) -> tensor<3x2xf32, #dpl.per_sample>
  %e = dpl.exp %t : (tensor<3x2xf32, #dpl.per_sample>) -> tensor<3x2xf32, #dpl.per_sample>
  return %e : tensor<3x2xf32, #dpl.per_sample>
}

// -----

#one = array<i64: 1, 1>
#none = array<i64: 0, 0>

// What is joined is transposed behind the join; the part that is no window's
// result, before it.
// CHECK-LABEL: func.func @joined
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x5xf32, #dpl.per_sample>
// CHECK: %[[L:.*]] = dpl.transpose %[[X]] {permutation = array<i64: 1, 2, 0>}
// CHECK: %[[Y:.*]] = dpl.pool max %[[L]] {channels_last
// CHECK: %[[J:.*]] = dpl.concat %[[Y]], %{{.*}} {axis = 2 : i64}
// CHECK: dpl.transpose %[[J]] {permutation = array<i64: 2, 0, 1>}
func.func @joined(%x: tensor<2x4x5xf32, #dpl.per_sample>) -> tensor<4x4x5xf32, #dpl.per_sample> {
  %y = dpl.pool max %x {window = #one, stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<2x4x5xf32, #dpl.per_sample>) -> tensor<2x4x5xf32, #dpl.per_sample>
  %j = dpl.concat %y, %x {axis = 0 : i64} : (tensor<2x4x5xf32, #dpl.per_sample>, tensor<2x4x5xf32, #dpl.per_sample>) -> tensor<4x4x5xf32, #dpl.per_sample>
  return %j : tensor<4x4x5xf32, #dpl.per_sample>
}
