// RUN: dpl-opt %s --split-input-file --dpl-cpu-verify-no-alloc --verify-diagnostics

func.func @views_are_fine(%arena: memref<64xi8>, %x: f32) {
  %zero = arith.constant 0 : index
  %v = memref.view %arena[%zero][] : memref<64xi8> to memref<4xf32>
  memref.store %x, %v[%zero] : memref<4xf32>
  return
}

// -----

func.func @allocation() {
  // expected-error@+1 {{a kernel must not allocate, free or copy memory}}
  %a = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func @copy_in_a_loop(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    // expected-error@+1 {{a kernel must not allocate, free or copy memory}}
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  }
  return
}
