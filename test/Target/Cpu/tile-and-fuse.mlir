// RUN: dpl-opt %s --split-input-file --dpl-cpu-tile-and-fuse="lanes=8 registers=16" --canonicalize | FileCheck %s
// RUN: dpl-opt %s --split-input-file --dpl-cpu-tile-and-fuse="lanes=16 registers=32" --canonicalize | FileCheck %s --check-prefix=WIDE

// Two vectors of columns and as many rows as leave registers for the operands:
// 6 x 16 of 16 registers with 8 lanes, 12 x 32 of 32 with 16. The activation is
// computed in the tile of the product.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: @product
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[SUM:.+]] = scf.for
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<6x16xf32>)
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<6x16xf32>)
// CHECK: math.absf
// WIDE-LABEL: @product
// WIDE: outs({{.*}} : tensor<12x32xf32>)
// WIDE: outs({{.*}} : tensor<12x32xf32>)
func.func @product(%x: tensor<24x64xf32>, %y: tensor<64x96xf32>, %z: tensor<24x96xf32>) -> tensor<24x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x96xf32>) -> tensor<24x96xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<24x64xf32>, tensor<64x96xf32>) outs(%f : tensor<24x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<24x96xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<24x96xf32>) outs(%z : tensor<24x96xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<24x96xf32>
  return %1 : tensor<24x96xf32>
}

// -----

// No divisor of 37 is a good tile: full tiles of 32 and one of 5, all static.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: @remainder
// CHECK: outs({{.*}} : tensor<32xf32>)
// CHECK: outs({{.*}} : tensor<5xf32>)
// CHECK-NOT: tensor<?xf32>
func.func @remainder(%x: tensor<37xf32>, %z: tensor<37xf32>) -> tensor<37xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<37xf32>) outs(%z : tensor<37xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<37xf32>
  return %0 : tensor<37xf32>
}

// -----

// The sample loop of a weight gradient goes outside the tiles of the result.
#x = affine_map<(c, o, n, h) -> (n, h, c)>
#g = affine_map<(c, o, n, h) -> (n, h, o)>
#w = affine_map<(c, o, n, h) -> (c, o)>
// CHECK-LABEL: @weight_gradient
// CHECK: scf.for %[[SAMPLE:[a-z0-9]+]] =
// CHECK: tensor.extract_slice %{{.+}}[%[[SAMPLE]], 0, 0]
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<6x16xf32>)
func.func @weight_gradient(%x: tensor<4x9x12xf32>, %g: tensor<4x9x16xf32>, %w: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #g, #w], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %g : tensor<4x9x12xf32>, tensor<4x9x16xf32>) outs(%w : tensor<12x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x16xf32>
  return %0 : tensor<12x16xf32>
}
