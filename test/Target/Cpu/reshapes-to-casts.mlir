// RUN: dpl-opt %s --dpl-cpu-reshapes-to-casts | FileCheck %s

// Rows of four that are seen as two by two: a vector of both dimensions stays in its row.
// CHECK-LABEL: @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<5x4xf32>
// CHECK: %[[V:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [5, 2, 2], strides: [4, 2, 1]
// CHECK: vector.transfer_read %[[V]]
func.func @rows(%x: memref<5x4xf32>, %i: index) -> vector<2x2xf32> {
  %zero = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %e = memref.expand_shape %x [[0], [1, 2]] output_shape [5, 2, 2] : memref<5x4xf32> into memref<5x2x2xf32>
  %v = vector.transfer_read %e[%i, %zero, %zero], %pad {in_bounds = [true, true]} : memref<5x2x2xf32>, vector<2x2xf32>
  return %v : vector<2x2xf32>
}

// A part of memory that begins somewhere keeps its beginning.
// CHECK-LABEL: @part(
// CHECK: %{{.*}}, %[[AT:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[AT]]], sizes: [4], strides: [1]
func.func @part(%x: memref<2x2xf32, strided<[2, 1], offset: ?>>, %v: vector<4xf32>) {
  %zero = arith.constant 0 : index
  %c = memref.collapse_shape %x [[0, 1]] : memref<2x2xf32, strided<[2, 1], offset: ?>> into memref<4xf32, strided<[1], offset: ?>>
  vector.transfer_write %v, %c[%zero] {in_bounds = [true]} : vector<4xf32>, memref<4xf32, strided<[1], offset: ?>>
  return
}
