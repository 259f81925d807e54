// Element types that primitives refuse.
// RUN: dpl-opt %s -split-input-file -verify-diagnostics

// Functions of real numbers, contractions and sums take nothing else.
func.func @f(%a: tensor<2xi32>) {
  // expected-error @below {{operands of 'i32' and 'i32' where one floating point type is needed [float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.exp %a : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a: tensor<2xi32>) {
  // expected-error @below {{[float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pow %a, %a : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a: tensor<2xi1>) {
  // expected-error @below {{[float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.reduce sum %a {axes = array<i64: 0>} : (tensor<2xi1>) -> tensor<i1>
  return
}

// -----

func.func @f(%a: tensor<2xi32>) {
  // expected-error @below {{[float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.argmax %a {axis = 0 : i64} : (tensor<2xi32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error @below {{operands of 'f32' and 'f64' where one floating point type is needed [float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.contract %a, %b {lhs_labels = array<i64: 0>, rhs_labels = array<i64: 0>, result_labels = array<i64>} : (tensor<2xf32>, tensor<2xf64>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xf32, #dpl.per_sample>, %b: tensor<2xf64, #dpl.per_sample>) {
  // expected-error @below {{[float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.batch_contract %a, %b {lhs_labels = array<i64: 0>, rhs_labels = array<i64: 0>, result_labels = array<i64>} : (tensor<2xf32, #dpl.per_sample>, tensor<2xf64, #dpl.per_sample>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2xi32, #dpl.per_sample>) {
  // expected-error @below {{[float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.batch_sum %a : (tensor<2xi32, #dpl.per_sample>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a: tensor<2xi32>, %i: tensor<i32>) {
  // expected-error @below {{[float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.take %a, %i {axis = 0 : i64} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<i32>, %i: tensor<i32>) {
  // expected-error @below {{[float_operands]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.scatter_add %a, %i {axis = 0 : i64, length = 2 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  return
}

// -----

// Random numbers count with words of 32 bits and samples of 64.
func.func @f() {
  // expected-error @below {{'dpl.random_key' op is a scalar of i32, not 'tensor<i64>'}}
  %r = dpl.random_key "M:1" word 0 : tensor<i64>
  return
}

// -----

func.func @f() {
  // expected-error @below {{'dpl.sample_index' op is a scalar of i64, not 'tensor<i32, #dpl.per_sample>'}}
  %r = dpl.sample_index : tensor<i32, #dpl.per_sample>
  return
}

// -----

func.func @f(%k: tensor<i32>, %s: tensor<i32, #dpl.per_sample>) {
  // expected-error @below {{'dpl.random' op counts with scalars of i32, i32 and i64, not 'tensor<i32>', 'tensor<i32>', 'tensor<i32, #dpl.per_sample>'}}
  %r = dpl.random uniform %k, %k, %s : tensor<i32>, tensor<i32>, tensor<i32, #dpl.per_sample> -> tensor<2xf32, #dpl.per_sample>
  return
}

// -----

func.func @f(%k: tensor<i32>, %s: tensor<i64, #dpl.per_sample>) {
  // expected-error @below {{'dpl.random' op makes f32, not 'f64'}}
  %r = dpl.random uniform %k, %k, %s : tensor<i32>, tensor<i32>, tensor<i64, #dpl.per_sample> -> tensor<2xf64, #dpl.per_sample>
  return
}
