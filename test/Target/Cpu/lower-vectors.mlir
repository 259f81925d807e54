// RUN: dpl-opt %s --dpl-cpu-lower-vectors | FileCheck %s

// A contraction is one multiply-add of a vector for each row and step.
// CHECK-LABEL: @contraction
// CHECK-NOT: vector.contract
// CHECK-COUNT-4: vector.fma {{.*}} vector<16xf32>
// CHECK-NOT: vector.fma
func.func @contraction(%a: vector<2x2xf32>, %b: vector<2x16xf32>, %c: vector<2x16xf32>) -> vector<2x16xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                         affine_map<(m, n, k) -> (m, n)>],
                        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %a, %b, %c : vector<2x2xf32>, vector<2x16xf32> into vector<2x16xf32>
  return %0 : vector<2x16xf32>
}

// Rows of a sum are added as vectors, not one by one.
// CHECK-LABEL: @sum_of_rows
// CHECK-NOT: vector.multi_reduction
// CHECK-COUNT-3: arith.addf {{.*}} vector<16xf32>
// CHECK-NOT: vector.reduction
func.func @sum_of_rows(%x: vector<3x16xf32>, %c: vector<16xf32>) -> vector<16xf32> {
  %0 = vector.multi_reduction <add>, %x, %c [0] : vector<3x16xf32> to vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: @transpose
// CHECK-NOT: vector.transpose
// CHECK: vector.shuffle
func.func @transpose(%x: vector<16x16xf32>) -> vector<16x16xf32> {
  %0 = vector.transpose %x, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
  return %0 : vector<16x16xf32>
}

// One element, which lies anywhere.
// CHECK-LABEL: @one_element
// CHECK: %[[V:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<1xf32, strided<[2], offset: 1>>
// CHECK: memref.store %[[V]]
func.func @one_element(%x: memref<1xf32, strided<[2], offset: 1>>, %y: memref<1xf32, strided<[3]>>) {
  %zero = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%zero], %pad : memref<1xf32, strided<[2], offset: 1>>, vector<f32>
  vector.transfer_write %0, %y[%zero] : vector<f32>, memref<1xf32, strided<[3]>>
  return
}
