// RUN: dpl-opt %s --dpl-split-pools | FileCheck %s

// The last axis first: of equal maxima, the first in C order is taken.
// CHECK-LABEL: @large
// CHECK: %[[ROWS:.*]] = dpl.pool max %{{.*}} {dilate_input = array<i64: 1, 1>, dilation = array<i64: 1, 2>, pad_high = array<i64: 0, 3>, pad_low = array<i64: 0, 1>, stride = array<i64: 1, 2>, window = array<i64: 1, 4>} : (tensor<2x9x12xf32>) -> tensor<2x9x5xf32>
// CHECK: dpl.pool max %[[ROWS]] {dilate_input = array<i64: 1, 1>, dilation = array<i64: 1, 1>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 2, 0>, stride = array<i64: 3, 1>, window = array<i64: 5, 1>} : (tensor<2x9x5xf32>) -> tensor<2x3x5xf32>
// CHECK-NOT: dpl.pool
func.func @large(%x: tensor<2x9x12xf32>) -> tensor<2x3x5xf32> {
  %0 = dpl.pool max %x {window = array<i64: 5, 4>, stride = array<i64: 3, 2>, pad_low = array<i64: 2, 1>, pad_high = array<i64: 0, 3>, dilation = array<i64: 1, 2>, dilate_input = array<i64: 1, 1>} : (tensor<2x9x12xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: @common
// CHECK: dpl.pool sum {{.*}} window = array<i64: 3, 3>
// CHECK-NOT: dpl.pool
func.func @common(%x: tensor<2x9x9xf32>) -> tensor<2x7x7xf32> {
  %0 = dpl.pool sum %x {window = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, dilate_input = array<i64: 1, 1>} : (tensor<2x9x9xf32>) -> tensor<2x7x7xf32>
  return %0 : tensor<2x7x7xf32>
}

// One row of a large window stays as it is.
// CHECK-LABEL: @row
// CHECK: dpl.pool max {{.*}} window = array<i64: 1, 12>
// CHECK-NOT: dpl.pool
func.func @row(%x: tensor<2x9x12xf32>) -> tensor<2x9x1xf32> {
  %0 = dpl.pool max %x {window = array<i64: 1, 12>, stride = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, dilate_input = array<i64: 1, 1>} : (tensor<2x9x12xf32>) -> tensor<2x9x1xf32>
  return %0 : tensor<2x9x1xf32>
}
