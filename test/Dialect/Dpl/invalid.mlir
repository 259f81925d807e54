// What each shape rule and each verifier refuses, with its values.
// RUN: dpl-opt %s -split-input-file -verify-diagnostics

// Sizes must agree.
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{elementwise operands 2 and 3 [elementwise_shape]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

// And types.
func.func @f(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error @below {{elementwise operands of 'f32' and 'i32' [elementwise_type]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.add %a, %b : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

// A condition is a truth value.
func.func @f(%a: tensor<2xf32>) {
  // expected-error @below {{the condition of select is 'f32', not i1}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.select %a, %a, %a : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// A per-sample operand makes a per-sample result.
func.func @f(%a: tensor<2xf32, #dpl.per_sample>) {
  // expected-error @below {{inferred type(s) 'tensor<2xf32, #dpl.per_sample>' are incompatible with return type(s)}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.exp %a : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
  return
}

// -----

// A label for each axis.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{1 labels for the axes of 2x3 [einsum_rank]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.contract %a, %b {lhs_labels = array<i64: 0>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

// Once in an operand.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{one factor has a label twice [einsum_label]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.contract %a, %b {lhs_labels = array<i64: 0, 0>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

// Of one size.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{axes with one label have sizes 3 and 4 [einsum_size]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.contract %a, %b {lhs_labels = array<i64: 0, 1>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

// From an operand.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{a label of the result is in no operand [einsum_label]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.contract %a, %b {lhs_labels = array<i64: 0, 1>, rhs_labels = array<i64: 2>, result_labels = array<i64: 7>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

// And once in the result.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{the result has a label twice [einsum_label]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.contract %a, %b {lhs_labels = array<i64: 0, 1>, rhs_labels = array<i64: 2>, result_labels = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

// Axes exist.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{axis 2 of 2 axes; each once, in ascending order [axis_range]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.reduce sum %a {axes = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

// And ascend.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{axis 0 of 2 axes; each once, in ascending order [axis_range]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.reduce sum %a {axes = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<f32>
  return
}

// -----

// Those of argmax, too.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{axis 5 of 2 axes; each once, in ascending order [axis_range]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.argmax %a {axis = 5 : i64} : (tensor<2x3xf32>) -> tensor<2xi32>
  return
}

// -----

// And of reverse.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{axis 3 of 2 axes; each once, in ascending order [axis_range]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.reverse %a {axes = array<i64: 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// A reshape keeps the count.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{2x3 has 6 elements, 4 has 4 [reshape_count]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.reshape %a {shape = array<i64: 4>} : (tensor<2x3xf32>) -> tensor<4xf32>
  return
}

// -----

// An axis for each of the operand.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{a tensor of shape 2x3 needs a place for each of its 2 axes, not 1 [broadcast_axes]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.broadcast %a {shape = array<i64: 2, 3>, axes = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// Of its size.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{an axis of size 3 cannot be axis 1 of 2x4 [broadcast_size]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.broadcast %a {shape = array<i64: 2, 4>, axes = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// A permutation has every axis once.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{a permutation names each of the 2 axes of 2x3 once [transpose_axes]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.transpose %a {permutation = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

// None is left out.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{a permutation of 1 axes for 2x3 [transpose_axes]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.transpose %a {permutation = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

// A slice names every axis.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{a slice needs an entry for each of the 2 axes [slice_rank]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.slice %a {start = array<i64: 0>, size = array<i64: 1>, step = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<1xf32>
  return
}

// -----

// And stays inside.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{slice of 2 from 1 by 2 on an axis of 3 [slice_range]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.slice %a {start = array<i64: 0, 1>, size = array<i64: 2, 2>, step = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

// Padding names every axis.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{padding needs an entry for each of the 2 axes [pad_rank]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pad %a {low = array<i64: 0>, high = array<i64: 0>, interior = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// And leaves something.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{padding leaves 0 places of an axis of 3 [pad_size]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pad %a {low = array<i64: 0, -1>, high = array<i64: 0, -2>, interior = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

// An index for each place.
func.func @f(%a: tensor<2x3xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{one index is needed for each place of the other axes, 2, but the indices are 3 [take_shape]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.take %a, %i {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<2xf32>
  return
}

// -----

// Along an axis.
func.func @f(%a: tensor<2x3xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{axis 2 of 2x3 [axis_range]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.take %a, %i {axis = 2 : i64} : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<2xf32>
  return
}

// -----

// An index for each element.
func.func @f(%a: tensor<2xf32>, %i: tensor<3xi32>, %j: tensor<2xi32>) {
  // expected-error @below {{indices 3 for elements 2 [scatter_shape]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.scatter_add %a, %i {axis = 0 : i64, length = 4 : i64} : (tensor<2xf32>, tensor<3xi32>) -> tensor<4x2xf32>
  return
}

// -----

// A new axis among the others.
func.func @f(%a: tensor<2xf32>, %i: tensor<3xi32>, %j: tensor<2xi32>) {
  // expected-error @below {{a new axis -1 in 2 [axis_range]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.scatter_add %a, %j {axis = -1 : i64, length = 4 : i64} : (tensor<2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  return
}

// -----

// With places.
func.func @f(%a: tensor<2xf32>, %i: tensor<3xi32>, %j: tensor<2xi32>) {
  // expected-error @below {{a new axis of length 0 [scatter_length]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.scatter_add %a, %j {axis = 0 : i64, length = 0 : i64} : (tensor<2xf32>, tensor<2xi32>) -> tensor<0x2xf32>
  return
}

// -----

// Iota counts along an axis of its own.
func.func @f() {
  // expected-error @below {{'dpl.iota' op axis -1 of 2}}
  %r = dpl.iota {axis = -1 : i64} : tensor<2xi32>
  return
}

// -----

// In i32.
func.func @f() {
  // expected-error @below {{'dpl.iota' op counts in i32, not 'f32'}}
  %r = dpl.iota {axis = 0 : i64} : tensor<2xf32>
  return
}

// -----

// Only a scalar is differentiated.
func.func @f(%a: tensor<2xf32>) {
  // expected-error @below {{'dpl.grad' op differentiates a scalar, not 2}}
  %r = dpl.grad %a wrt(%a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// And it is uniform.
func.func @f(%a: tensor<f32, #dpl.per_sample>) {
  // expected-error @below {{operand #0 must be uniform tensor}}
  dpl.grad %a wrt() : (tensor<f32, #dpl.per_sample>) -> ()
  return
}

// -----

// What is spread exists once.
func.func @f(%a: tensor<f32, #dpl.per_sample>) {
  // expected-error @below {{operand #0 must be uniform tensor}}
  %r = dpl.batch_spread %a : (tensor<f32, #dpl.per_sample>) -> tensor<f32, #dpl.per_sample>
  return
}

// -----

// A parameter keeps uniform values only.
func.func @f(%a: tensor<f32, #dpl.per_sample>) {
  // expected-error @below {{operand #0 must be uniform tensor}}
  dpl.write @w, %a : tensor<f32, #dpl.per_sample>
  return
}
