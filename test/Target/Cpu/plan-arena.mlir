// RUN: dpl-opt %s --split-input-file --dpl-cpu-plan-arena --verify-diagnostics | FileCheck %s

// %a and %c are never alive together, so they share a place; the largest buffer
// comes first; sizes are rounded up to 64 bytes.
// CHECK-LABEL: @lifetimes
// CHECK-SAME: %[[ARENA:[a-z0-9]+]]: memref<1088xi8> {llvm.noalias}
// CHECK-SAME: dpl.arena = 1088 : i64
// CHECK: %[[OFFSET_A:.+]] = arith.constant 1024 : index
// CHECK-NEXT: memref.view %[[ARENA]][%[[OFFSET_A]]][] : memref<1088xi8> to memref<10xf32>
// CHECK: %[[OFFSET_B:.+]] = arith.constant 0 : index
// CHECK-NEXT: memref.view %[[ARENA]][%[[OFFSET_B]]][] : memref<1088xi8> to memref<256xf32>
// CHECK: %[[OFFSET_C:.+]] = arith.constant 1024 : index
// CHECK-NEXT: memref.view %[[ARENA]][%[[OFFSET_C]]][] : memref<1088xi8> to memref<9xf32>
// CHECK-NOT: memref.alloc
func.func @lifetimes(%x: f32) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<10xf32>
  memref.store %x, %a[%zero] : memref<10xf32>
  %b = memref.alloc() : memref<256xf32>
  memref.store %x, %b[%zero] : memref<256xf32>
  %0 = memref.load %a[%zero] : memref<10xf32>
  %c = memref.alloc() : memref<9xf32>
  memref.store %x, %c[%zero] : memref<9xf32>
  %1 = memref.load %b[%zero] : memref<256xf32>
  %2 = memref.load %c[%zero] : memref<9xf32>
  return
}

// -----

// A read through a view keeps the buffer alive.
// CHECK-LABEL: @views
// CHECK-SAME: dpl.arena = 128 : i64
func.func @views(%x: f32) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%zero, %zero] : memref<4x4xf32>
  %v = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %x, %b[%zero] : memref<16xf32>
  %0 = memref.load %v[%zero] : memref<16xf32>
  %1 = memref.load %b[%zero] : memref<16xf32>
  return
}

// -----

// Every function takes an arena, so that all kernels have one signature.
// CHECK-LABEL: @nothing
// CHECK-SAME: memref<64xi8>
// CHECK-SAME: dpl.arena = 0 : i64
func.func @nothing() {
  return
}

// -----

func.func @run_time_size(%n: index, %x: f32) {
  // expected-error@+1 {{a temporary buffer needs a static size, not 'memref<?xf32>'}}
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%n] : memref<?xf32>
  return
}

// -----

func.func @leaves() -> memref<4xf32> {
  // expected-error@+1 {{a temporary buffer leaves its function}}
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

func.func @leaves_iteration(%m: memref<4xf32>, %n: index, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%b = %m) -> memref<4xf32> {
    // expected-error@+1 {{a temporary buffer leaves the iteration of the loop that makes it}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%zero] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  memref.store %x, %r[%zero] : memref<4xf32>
  return
}
