// RUN: dpl-opt %s --split-input-file --dpl-cpu-copies-to-loops --verify-diagnostics | FileCheck %s
// RUN: dpl-opt %s --split-input-file --dpl-cpu-copies-to-loops="allow-conflicts=true" | FileCheck %s --check-prefix=ALLOW

// A part of a temporary is filled from an argument: the padding of an input.
// CHECK-LABEL: @pad
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
func.func @pad(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<6xf32>
  %s = memref.subview %a[1] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  return
}

// -----

// A program may copy one argument to another.
// CHECK-LABEL: @between_arguments
// CHECK: linalg.generic
func.func @between_arguments(%x: memref<4xf32>, %y: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// ALLOW-LABEL: @conflict
// ALLOW: linalg.generic
func.func @conflict() {
  %a = memref.alloc() : memref<4x2xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.collapse_shape %a [[0, 1]] : memref<4x2xf32> into memref<8xf32>
  // expected-error@+1 {{two operations write one value, so bufferisation copies the whole temporary buffer of type 'memref<8xf32>'}}
  memref.copy %c, %b : memref<8xf32> to memref<8xf32>
  return
}
