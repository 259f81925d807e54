// RUN: dpl-opt %s --split-input-file --dpl-cpu-widen-masks --verify-diagnostics | FileCheck %s

// What is stored is bytes; the bodies work on truth values.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: @mask
// CHECK-SAME: memref<8xi8>
// CHECK-NOT: xi1>
// CHECK: arith.cmpf
// CHECK: %[[BYTE:.+]] = arith.extui %{{.+}} : i1 to i8
// CHECK: linalg.yield %[[BYTE]] : i8
// CHECK: ^bb0(%[[IN:.+]]: i8, %{{.+}}: f32):
// CHECK: %[[BIT:.+]] = arith.trunci %[[IN]] : i8 to i1
// CHECK: arith.uitofp %[[BIT]] : i1 to f32
// CHECK-NOT: xi1>
func.func @mask(%x: tensor<8xf32>, %y: memref<8xi1>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xi1>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xi1>) {
  ^bb0(%a: f32, %o: i1):
    %c = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %c : i1
  } -> tensor<8xi1>
  bufferization.materialize_in_destination %m in restrict writable %y : (tensor<8xi1>, memref<8xi1>) -> ()
  %f = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<8xi1>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: i1, %o: f32):
    %u = arith.uitofp %a : i1 to f32
    linalg.yield %u : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @constants
// CHECK: arith.constant dense<[1, 0]> : tensor<2xi8>
// CHECK: arith.extui %{{.+}} : i1 to i8
// CHECK: linalg.fill ins(%{{.+}} : i8)
// CHECK: tensor.extract %{{.+}} : tensor<2xi8>
// CHECK: arith.trunci %{{.+}} : i8 to i1
func.func @constants(%b: i1, %i: index) -> i1 {
  %c = arith.constant dense<[true, false]> : tensor<2xi1>
  %e = tensor.empty() : tensor<4xi1>
  %f = linalg.fill ins(%b : i1) outs(%e : tensor<4xi1>) -> tensor<4xi1>
  %g = tensor.insert_slice %c into %f[1] [2] [1] : tensor<2xi1> into tensor<4xi1>
  %s = tensor.extract_slice %g[1] [2] [1] : tensor<4xi1> to tensor<2xi1>
  %x = tensor.extract %s[%i] : tensor<2xi1>
  return %x : i1
}

// -----

func.func @other(%b: i1) -> tensor<1xi1> {
  // expected-error@+1 {{truth values cannot be stored by this operation}}
  %c = tensor.from_elements %b : tensor<1xi1>
  return %c : tensor<1xi1>
}
