// RUN: dpl-opt %s --split-input-file --dpl-cpu-wrap-kernels --verify-diagnostics | FileCheck %s

// Pointers come from the buffers in their order, sizes from their places.
// CHECK-LABEL: llvm.func internal @k.body(
// CHECK-SAME: no_inline
// CHECK: llvm.func @k(%[[BUFFERS:.+]]: !llvm.ptr, %[[SIZES:.+]]: !llvm.ptr)
// CHECK-SAME: dpl.arena = 128 : i64
// CHECK: %[[P0:.+]] = llvm.getelementptr %[[BUFFERS]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK: %[[A:.+]] = llvm.load %[[P0]]
// CHECK: %[[S3:.+]] = llvm.getelementptr %[[SIZES]][3] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: %[[N:.+]] = llvm.load %[[S3]] : !llvm.ptr -> i64
// CHECK: %[[P1:.+]] = llvm.getelementptr %[[BUFFERS]][1]
// CHECK: %[[B:.+]] = llvm.load %[[P1]]
// CHECK: llvm.call @k.body(%[[A]], %[[N]], %[[B]])
llvm.func @k(%a: !llvm.ptr, %n: i64 {dpl.size = 3 : i64}, %arena: !llvm.ptr) attributes {dpl.arena = 128 : i64} {
  llvm.return
}

// -----

// Declarations of the C library stay as they are.
// CHECK: llvm.func @expf(f32) -> f32
// CHECK-NOT: body
llvm.func @expf(f32) -> f32

// -----

// expected-error@+1 {{argument 0 of type 'f32' is neither a buffer nor a size}}
llvm.func @scalar(%x: f32) {
  llvm.return
}

// -----

// expected-error@+1 {{argument 0 has size 9, but there are 5}}
llvm.func @place(%n: i64 {dpl.size = 9 : i64}) {
  llvm.return
}

// -----

// expected-error@+1 {{a kernel returns nothing}}
llvm.func @value() -> i64 {
  %0 = llvm.mlir.constant(0 : i64) : i64
  llvm.return %0 : i64
}
