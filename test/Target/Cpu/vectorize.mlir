// RUN: dpl-opt %s --split-input-file --dpl-cpu-vectorize --canonicalize | FileCheck %s

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: @plain
// CHECK: vector.transfer_read {{.*}} vector<16xf32>
// CHECK: math.absf {{.*}} vector<16xf32>
// CHECK-NOT: linalg
func.func @plain(%x: tensor<16xf32>, %z: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<16xf32>) outs(%z : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// An index with a stride is read through a slice with that stride.
#scaled = affine_map<(w, c) -> (w * 2, c)>
#id = affine_map<(w, c) -> (w, c)>
// CHECK-LABEL: @strided
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [4, 16] [2, 1]
// CHECK: vector.transfer_read {{.*}} vector<4x16xf32>
// CHECK-NOT: linalg
func.func @strided(%x: tensor<7x16xf32>, %z: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.generic {indexing_maps = [#scaled, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<7x16xf32>) outs(%z : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// An index that is no slice stays a loop.
#sum = affine_map<(w, i) -> (w + i)>
#id = affine_map<(w, i) -> (w, i)>
// CHECK-LABEL: @window
// CHECK: linalg.generic
func.func @window(%x: tensor<10xf32>, %z: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %0 = linalg.generic {indexing_maps = [#sum, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<10xf32>) outs(%z : tensor<8x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
