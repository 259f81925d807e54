// What a kernel reads and writes in one buffer: every read is over before the writing.
// RUN: dpl-opt %s -dpl-to-linalg | FileCheck %s

dpl.step_program @p.program {buckets = [], capacity = 8 : i64, inputs = [], iterator = "i", kind = "train", phases = [{name = "update"}], reduced = 0 : i64, reports = [], saved = [], sums = 0 : i64, tile = 8 : i64, uniform = 0 : i64, update = "fused"}

// An update is computed in its place: it is elementwise, and nothing else reads the old value.
// CHECK-LABEL: func.func @update(
// CHECK-NOT: memref.copy
// CHECK: materialize_in_destination
func.func @update(%p: tensor<3xf32> {dpl.buffer = {index = 0 : i64, space = "parameter"}},
                  %g: tensor<3xf32> {dpl.buffer = {space = "uniform"}})
    -> (tensor<3xf32> {dpl.buffer = {index = 0 : i64, space = "parameter"}})
    attributes {dpl.kernel = {domain = "once", phase = 0 : i64, program = "p"}} {
  %d = dpl.mul %p, %g : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %s = dpl.sub %p, %d : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// The old value is wanted, too: it is copied before the new one comes.
// CHECK-LABEL: func.func @remember(
// CHECK-SAME: %[[P:.*]]: memref<3xf32> {{.*}}, %[[OLD:.*]]: memref<3xf32>
// CHECK: %[[PLACE:.*]] = bufferization.to_tensor %[[OLD]]
// CHECK: %[[X:.*]] = bufferization.to_tensor %[[P]]
// CHECK: %[[OWN:.*]] = bufferization.alloc_tensor() copy(
// CHECK: %[[NEW:.*]] = bufferization.to_buffer %[[OWN]]
// CHECK: %[[STORED:.*]] = bufferization.materialize_in_destination %[[X]] in %[[PLACE]]
// CHECK: materialize_in_destination %[[STORED]] in restrict writable %[[OLD]]
// CHECK: memref.copy %[[NEW]], %[[P]]
func.func @remember(%p: tensor<3xf32> {dpl.buffer = {index = 0 : i64, space = "parameter"}})
    -> (tensor<3xf32> {dpl.buffer = {index = 0 : i64, space = "parameter"}}, tensor<3xf32> {dpl.buffer = {index = 0 : i64, space = "state"}})
    attributes {dpl.kernel = {domain = "once", phase = 0 : i64, program = "p"}} {
  %s = dpl.add %p, %p : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %s, %p : tensor<3xf32>, tensor<3xf32>
}

// Two values that change places.
// CHECK-LABEL: func.func @exchange(
// CHECK-SAME: %[[A:.*]]: memref<3xf32> {{.*}}, %[[B:.*]]: memref<3xf32>
// CHECK: %[[B2:.*]] = bufferization.to_buffer
// CHECK: %[[A2:.*]] = bufferization.to_buffer
// CHECK: memref.copy %[[B2]], %[[A]]
// CHECK: memref.copy %[[A2]], %[[B]]
func.func @exchange(%a: tensor<3xf32> {dpl.buffer = {index = 0 : i64, space = "state"}},
                    %b: tensor<3xf32> {dpl.buffer = {index = 1 : i64, space = "state"}})
    -> (tensor<3xf32> {dpl.buffer = {index = 0 : i64, space = "state"}}, tensor<3xf32> {dpl.buffer = {index = 1 : i64, space = "state"}})
    attributes {dpl.kernel = {domain = "once", phase = 0 : i64, program = "p"}} {
  return %b, %a : tensor<3xf32>, tensor<3xf32>
}

// Each element of the result reads another one of what it overwrites.
// CHECK-LABEL: func.func @turned(
// CHECK: memref.copy
func.func @turned(%p: tensor<3x3xf32> {dpl.buffer = {index = 0 : i64, space = "parameter"}})
    -> (tensor<3x3xf32> {dpl.buffer = {index = 0 : i64, space = "parameter"}})
    attributes {dpl.kernel = {domain = "once", phase = 0 : i64, program = "p"}} {
  %t = dpl.transpose %p {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = dpl.add %p, %t : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %s : tensor<3x3xf32>
}

// Two results that begin with the same zeros: bufferisation knows the places of both before anything is computed, and
// sees when the one is overwritten.
// CHECK-LABEL: func.func @alike(
// CHECK-SAME: %{{.*}}: memref<3x2xf32> {{.*}}, %[[A:.*]]: memref<3xf32> {{.*}}, %[[B:.*]]: memref<3xf32>
// CHECK: %[[PLACE_B:.*]] = bufferization.to_tensor %[[B]] restrict writable
// CHECK: %[[PLACE_A:.*]] = bufferization.to_tensor %[[A]] restrict writable
// CHECK: linalg.generic
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[PLACE_A]]
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[PLACE_B]]
func.func @alike(%x: tensor<3x2xf32> {dpl.buffer = {space = "uniform"}})
    -> (tensor<3xf32> {dpl.buffer = {offset = 64 : i64, space = "uniform"}}, tensor<3xf32> {dpl.buffer = {offset = 128 : i64, space = "uniform"}})
    attributes {dpl.kernel = {domain = "once", phase = 0 : i64, program = "p"}} {
  %e = dpl.exp %x : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %a = dpl.reduce sum %x {axes = array<i64: 1>} : (tensor<3x2xf32>) -> tensor<3xf32>
  %b = dpl.reduce sum %e {axes = array<i64: 1>} : (tensor<3x2xf32>) -> tensor<3xf32>
  return %a, %b : tensor<3xf32>, tensor<3xf32>
}
