// RUN: dpl-opt %s --dpl-cpu-fold-views | FileCheck %s

// Three groups of two channels: a square of them is no part of a row of six.
// CHECK-LABEL: @square
// CHECK: %[[E:.*]] = memref.expand_shape
// CHECK: vector.transfer_read %[[E]]
func.func @square(%x: memref<4x6xf32>, %i: index) -> vector<3x2xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %e = memref.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 2] : memref<4x6xf32> into memref<4x3x2xf32>
  %v = vector.transfer_read %e[%i, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x3x2xf32>, vector<3x2xf32>
  return %v : vector<3x2xf32>
}

// Nor is one channel of each group.
// CHECK-LABEL: @column
// CHECK: %[[E:.*]] = memref.expand_shape
// CHECK: vector.transfer_read %[[E]]
func.func @column(%x: memref<4x6xf32>, %i: index) -> vector<3xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %e = memref.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 2] : memref<4x6xf32> into memref<4x3x2xf32>
  %v = vector.transfer_read %e[%i, %c0, %c0], %p {in_bounds = [true], permutation_map = affine_map<(a, b, c) -> (b)>} : memref<4x3x2xf32>, vector<3xf32>
  return %v : vector<3xf32>
}

// The channels of one group are, and so is a part of a part.
// CHECK-LABEL: @row
// CHECK-SAME: (%[[X:.*]]: memref<4x6xf32>
// CHECK: vector.transfer_read %[[X]]
func.func @row(%x: memref<4x6xf32>, %i: index) -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %e = memref.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 2] : memref<4x6xf32> into memref<4x3x2xf32>
  %s = memref.subview %e[%i, 0, 0] [1, 3, 2] [1, 1, 1] : memref<4x3x2xf32> to memref<3x2xf32, strided<[2, 1], offset: ?>>
  %v = vector.transfer_read %s[%i, %c0], %p {in_bounds = [true]} : memref<3x2xf32, strided<[2, 1], offset: ?>>, vector<2xf32>
  return %v : vector<2xf32>
}

// Rows that are one: a vector of all is longer than each.
// CHECK-LABEL: @rows
// CHECK: %[[C:.*]] = memref.collapse_shape
// CHECK: vector.transfer_write %{{.*}}, %[[C]]
func.func @rows(%x: memref<2x2xf32, strided<[2, 1], offset: ?>>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c = memref.collapse_shape %x [[0, 1]] : memref<2x2xf32, strided<[2, 1], offset: ?>> into memref<4xf32, strided<[1], offset: ?>>
  vector.transfer_write %v, %c[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32, strided<[1], offset: ?>>
  return
}

// A part of a reshaped buffer is looked through, the reshape not.
// CHECK-LABEL: @part
// CHECK: %[[E:.*]] = memref.expand_shape
// CHECK: vector.transfer_read %[[E]]
func.func @part(%x: memref<4x6xf32>, %i: index) -> vector<3x2xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %e = memref.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 2] : memref<4x6xf32> into memref<4x3x2xf32>
  %s = memref.subview %e[%i, 0, 0] [1, 3, 2] [1, 1, 1] : memref<4x3x2xf32> to memref<3x2xf32, strided<[2, 1], offset: ?>>
  %v = vector.transfer_read %s[%c0, %c0], %p {in_bounds = [true, true]} : memref<3x2xf32, strided<[2, 1], offset: ?>>, vector<3x2xf32>
  return %v : vector<3x2xf32>
}
