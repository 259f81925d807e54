// RUN: dpl-opt %s --split-input-file --dpl-cpu-prefetch | FileCheck %s

// The rows of the next 32 columns are fetched, two lines each; the last tile
// fetches itself again, so that no address leaves the operand.
// CHECK: #[[NEXT:.+]] = affine_map<(d0) -> (d0 + 32, 4064)>
// CHECK-LABEL: @columns
// CHECK: scf.for %[[COLUMN:[a-z0-9]+]] =
// CHECK: %[[AHEAD:.+]] = affine.min #[[NEXT]](%[[COLUMN]])
// CHECK: scf.for %[[ROW:[a-z0-9]+]] =
// CHECK: memref.prefetch %{{.+}}[%[[ROW]], %[[AHEAD]]], read, locality<3>, data
// CHECK-COUNT-3: memref.prefetch
// CHECK-NOT: memref.prefetch
func.func @columns(%w: memref<128x4096xf32>, %y: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %j = %c0 to %c4096 step %c32 {
    %s = scf.for %k = %c0 to %c128 step %c2 iter_args(%acc = %zero) -> (vector<32xf32>) {
      %r = vector.transfer_read %w[%k, %j], %pad {in_bounds = [true, true]} : memref<128x4096xf32>, vector<2x32xf32>
      %n = vector.multi_reduction <add>, %r, %acc [0] : vector<2x32xf32> to vector<32xf32>
      scf.yield %n : vector<32xf32>
    }
    vector.transfer_write %s, %y[%j] {in_bounds = [true]} : vector<32xf32>, memref<4096xf32>
  }
  return
}

// -----

// A tile of 6272 rows is fetched 32 rows ahead.
// CHECK: #[[NEXT:.+]] = affine_map<(d0) -> (d0 + 32, 6271)>
// CHECK-LABEL: @rows
// CHECK: scf.for %[[COLUMN:[a-z0-9]+]] =
// CHECK: scf.for %[[ROW:[a-z0-9]+]] =
// CHECK: %[[AHEAD:.+]] = affine.min #[[NEXT]](%[[ROW]])
// CHECK: memref.prefetch %{{.+}}[%[[AHEAD]], %[[COLUMN]]]
func.func @rows(%w: memref<6272x128xf32>, %y: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c6272 = arith.constant 6272 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %j = %c0 to %c128 step %c32 {
    %s = scf.for %k = %c0 to %c6272 step %c1 iter_args(%acc = %zero) -> (vector<32xf32>) {
      %r = vector.transfer_read %w[%k, %j], %pad {in_bounds = [true]} : memref<6272x128xf32>, vector<32xf32>
      %n = arith.addf %r, %acc : vector<32xf32>
      scf.yield %n : vector<32xf32>
    }
    vector.transfer_write %s, %y[%j] {in_bounds = [true]} : vector<32xf32>, memref<128xf32>
  }
  return
}

// -----

// What stays in cache needs no prefetch.
// CHECK-LABEL: @small
// CHECK-NOT: memref.prefetch
func.func @small(%w: memref<128x128xf32>, %y: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %j = %c0 to %c128 step %c32 {
    %s = scf.for %k = %c0 to %c128 step %c1 iter_args(%acc = %zero) -> (vector<32xf32>) {
      %r = vector.transfer_read %w[%k, %j], %pad {in_bounds = [true]} : memref<128x128xf32>, vector<32xf32>
      %n = arith.addf %r, %acc : vector<32xf32>
      scf.yield %n : vector<32xf32>
    }
    vector.transfer_write %s, %y[%j] {in_bounds = [true]} : vector<32xf32>, memref<128xf32>
  }
  return
}
