// Padding and input dilation become operations of their own.
// RUN: dpl-opt %s -pass-pipeline='builtin.module(func.func(dpl-expand-windows))' -split-input-file | FileCheck %s

#one = array<i64: 1>
#two = array<i64: 2>
#none = array<i64: 0>

// CHECK-LABEL: func.func @conv
// CHECK: %[[P:.*]] = dpl.pad %{{.*}} {high = array<i64: 0, 2>, interior = array<i64: 0, 1>, low = array<i64: 0, 1>}
// CHECK: dpl.conv %[[P]], %{{.*}} {dilate_input = array<i64: 1>, dilation = array<i64: 1>, pad_high = array<i64: 0>, pad_low = array<i64: 0>, stride = array<i64: 2>}
func.func @conv(%x: tensor<1x3xf32, #dpl.per_sample>, %f: tensor<1x1x2xf32>) -> tensor<1x4xf32, #dpl.per_sample> {
  %0 = dpl.conv %x, %f {stride = #two, pad_low = #one, pad_high = #two, dilation = #one, dilate_input = #two} : (tensor<1x3xf32, #dpl.per_sample>, tensor<1x1x2xf32>) -> tensor<1x4xf32, #dpl.per_sample>
  return %0 : tensor<1x4xf32, #dpl.per_sample>
}

// -----

#one = array<i64: 1>
#none = array<i64: 0>

// Nothing to expand.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: dpl.pad
func.func @plain(%x: tensor<1x3xf32, #dpl.per_sample>, %f: tensor<1x1x2xf32>) -> tensor<1x2xf32, #dpl.per_sample> {
  %0 = dpl.conv %x, %f {stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x3xf32, #dpl.per_sample>, tensor<1x1x2xf32>) -> tensor<1x2xf32, #dpl.per_sample>
  return %0 : tensor<1x2xf32, #dpl.per_sample>
}

// -----

#one = array<i64: 1>
#two = array<i64: 2>
#none = array<i64: 0>

// The edge of a maximum is minus infinity, that of a sum zero. The gradient of
// a maximum leaves the padding and the places between elements out.
// CHECK-LABEL: func.func @pools
// CHECK: %[[S:.*]] = dpl.pad {{.*}}low = array<i64: 0, 1>}
// CHECK: dpl.pool sum %[[S]]
// CHECK: %[[M:.*]] = dpl.pad {{.*}}low = array<i64: 0, 1>, value = 0xFFF0000000000000 : f64
// CHECK: dpl.pool max %[[M]]
// CHECK: %[[G:.*]] = dpl.pool_max_grad %{{.*}} -> tensor<1x6xf32>
// CHECK: %[[I:.*]] = dpl.pad %[[G]] {high = array<i64: 0, 0>, interior = array<i64: 0, 0>, low = array<i64: 0, -1>
// CHECK: dpl.slice %[[I]] {size = array<i64: 1, 3>, start = array<i64: 0, 0>, step = array<i64: 1, 2>}
func.func @pools(%x: tensor<1x3xf32>, %g: tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) {
  %s = dpl.pool sum %x {window = #two, stride = #two, pad_low = #one, pad_high = #none, dilation = #one, dilate_input = #two} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %m = dpl.pool max %x {window = #two, stride = #two, pad_low = #one, pad_high = #none, dilation = #one, dilate_input = #two} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %d = dpl.pool_max_grad %x, %m, %g {window = #two, stride = #two, pad_low = #one, pad_high = #none, dilation = #one, dilate_input = #two} : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  return %s, %m, %d : tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>
}

// -----

#one = array<i64: 1>
#none = array<i64: 0>

// Two windows with the same padding share it, and a plain use reads a slice.
// CHECK-LABEL: func.func @shared
// CHECK: %[[Y:.*]] = dpl.tanh
// CHECK-NEXT: %[[P:.*]] = dpl.pad %[[Y]]
// CHECK-NEXT: %[[S:.*]] = dpl.slice %[[P]] {size = array<i64: 1, 3>, start = array<i64: 0, 1>, step = array<i64: 1, 1>}
// CHECK-NOT: dpl.pad
// CHECK: dpl.conv %[[P]]
// CHECK: dpl.conv_filter %[[P]]
// CHECK: return %{{.*}}, %{{.*}}, %[[S]]
func.func @shared(%x: tensor<1x3xf32, #dpl.per_sample>, %f: tensor<1x1x3xf32>) -> (tensor<1x3xf32, #dpl.per_sample>, tensor<1x1x3xf32, #dpl.per_sample>, tensor<1x3xf32, #dpl.per_sample>) {
  %y = dpl.tanh %x : (tensor<1x3xf32, #dpl.per_sample>) -> tensor<1x3xf32, #dpl.per_sample>
  %0 = dpl.conv %y, %f {stride = #one, pad_low = #one, pad_high = #one, dilation = #one, dilate_input = #one} : (tensor<1x3xf32, #dpl.per_sample>, tensor<1x1x3xf32>) -> tensor<1x3xf32, #dpl.per_sample>
  %1 = dpl.conv_filter %y, %0 {window = array<i64: 3>, stride = #one, pad_low = #one, pad_high = #one, dilation = #one, dilate_input = #one} : (tensor<1x3xf32, #dpl.per_sample>, tensor<1x3xf32, #dpl.per_sample>) -> tensor<1x1x3xf32, #dpl.per_sample>
  return %0, %1, %y : tensor<1x3xf32, #dpl.per_sample>, tensor<1x1x3xf32, #dpl.per_sample>, tensor<1x3xf32, #dpl.per_sample>
}

// -----

#one = array<i64: 1>
#none = array<i64: 0>

// Different paddings are not shared.
// CHECK-LABEL: func.func @not_shared
// CHECK-COUNT-2: dpl.pad
// CHECK-NOT: dpl.slice
func.func @not_shared(%x: tensor<1x3xf32, #dpl.per_sample>) -> (tensor<1x3xf32, #dpl.per_sample>, tensor<1x3xf32, #dpl.per_sample>) {
  %y = dpl.tanh %x : (tensor<1x3xf32, #dpl.per_sample>) -> tensor<1x3xf32, #dpl.per_sample>
  %0 = dpl.pool max %y {window = array<i64: 3>, stride = #one, pad_low = #one, pad_high = #one, dilation = #one, dilate_input = #one} : (tensor<1x3xf32, #dpl.per_sample>) -> tensor<1x3xf32, #dpl.per_sample>
  %1 = dpl.pool sum %y {window = array<i64: 3>, stride = #one, pad_low = #one, pad_high = #one, dilation = #one, dilate_input = #one} : (tensor<1x3xf32, #dpl.per_sample>) -> tensor<1x3xf32, #dpl.per_sample>
  return %0, %1 : tensor<1x3xf32, #dpl.per_sample>, tensor<1x3xf32, #dpl.per_sample>
}
