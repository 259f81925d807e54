// What the shape rules of windows and joins refuse, with its values.
// RUN: dpl-opt %s -split-input-file -verify-diagnostics

// Axes of a window.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<1x2x1x1xf32>) {
  // expected-error @below {{a window of rank 2 needs 3 axes, the input 2x3 has 2 [window_rank]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.conv %a, %b {stride = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, dilate_input = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<1x2x1x1xf32>) -> tensor<1x3xf32>
  return
}

// -----

// Strides are positive.
func.func @f(%a: tensor<1x3xf32>) {
  // expected-error @below {{window sizes, strides and dilations must be at least 1 [window_positive]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pool sum %a {window = array<i64: 1>, stride = array<i64: 0>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// A kernel fits with its dilation.
func.func @f(%a: tensor<1x3xf32>, %b: tensor<1x1x2xf32>) {
  // expected-error @below {{kernel 2, 4 with its dilation, is larger than the padded input 3 [conv2d_window]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.conv %a, %b {stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 3>, dilate_input = array<i64: 1>} : (tensor<1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x1xf32>
  return
}

// -----

// Groups divide the channels on both sides.
func.func @f(%a: tensor<4x3xf32>, %b: tensor<3x2x1xf32>) {
  // expected-error @below {{4 channels to 3 do not divide into 2 groups [conv_groups]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.conv %a, %b {stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>, groups = 2 : i64} : (tensor<4x3xf32>, tensor<3x2x1xf32>) -> tensor<3x3xf32>
  return
}

// -----

// A window has elements of one type.
func.func @f(%a: tensor<1x3xf32>, %b: tensor<1x1x2xf64>) {
  // expected-error @below {{a window over elements of 'f32' and 'f64' [window_element]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.conv %a, %b {stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<1x3xf32>, tensor<1x1x2xf64>) -> tensor<1x2xf32>
  return
}

// -----

// Parts of a join agree in all axes but one.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // expected-error @below {{2x3 and 2x4 cannot be joined along axis 0 [concat_shape]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.concat %a, %b {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

// And in their elements.
func.func @f(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error @below {{parts of 'f32' and 'i32' [concat_element]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

// There is a part.
func.func @f() {
  // expected-error @below {{nothing to join [concat_empty]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.concat {axis = 0 : i64} : () -> tensor<4xf32>
  return
}

// -----

// A window fits.
func.func @f(%a: tensor<1x3xf32>) {
  // expected-error @below {{window 4 is larger than the padded input 3 [pool_window]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pool sum %a {window = array<i64: 4>, stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<1x3xf32>) -> tensor<1x1xf32>
  return
}

// -----

// One entry for each axis.
func.func @f(%a: tensor<1x3xf32>) {
  // expected-error @below {{a window of rank 1 with 2 entries in an attribute}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pool sum %a {window = array<i64: 1>, stride = array<i64: 1, 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// Channels agree.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<1x4x1xf32>) {
  // expected-error @below {{the filter reads 4 channels, the input 2x3 has 2 [conv_channels]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.conv %a, %b {stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<2x3xf32>, tensor<1x4x1xf32>) -> tensor<1x3xf32>
  return
}

// -----

// A cotangent is as large as the result.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<1x4xf32>) {
  // expected-error @below {{the cotangent is 4, the convolution's result 3 [conv_cotangent]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.conv_filter %a, %b {window = array<i64: 1>, stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<2x3xf32>, tensor<1x4xf32>) -> tensor<1x2x1xf32>
  return
}

// -----

// So is a pooled value.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // expected-error @below {{pooled value 2x4, expected 2x3}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pool_max_grad %a, %b, %b {window = array<i64: 1>, stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

// And a filter has two axes more than its window.
func.func @f(%a: tensor<2x3xf32>, %b: tensor<1x2xf32>) {
  // expected-error @below {{a window of rank 0 with 1 entries in an attribute}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.conv %a, %b {stride = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<2x3xf32>, tensor<1x2xf32>) -> tensor<1x3xf32>
  return
}

// -----

// A window is no longer than an axis can be.
func.func @f(%a: tensor<1x3xf32>) {
  // expected-error @below {{window sizes, strides, padding and dilations must be at most 2147483648 [window_size]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pool sum %a {window = array<i64: 1>, stride = array<i64: 1>, pad_low = array<i64: 4000000000>, pad_high = array<i64: 0>, dilation = array<i64: 1>, dilate_input = array<i64: 1>} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// A tensor is one that a machine can hold.
func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{a tensor of 2000000002x2000000003 has more than 1099511627776 elements [tensor_size]}}
  // expected-error @below {{failed to infer returned types}}
  %r = dpl.pad %a {low = array<i64: 2000000000, 2000000000>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
