// Reverse mode: what is asked for, the sum over the batch, and what is refused.
// RUN: dpl-opt %s -pass-pipeline='builtin.module(func.func(dpl-differentiate))' -split-input-file -verify-diagnostics | FileCheck %s

// A sample's use of the uniform %w is summed over the batch; nothing is
// computed for %x, whose gradient nobody asks for.
// CHECK-LABEL: func.func @law
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32, #dpl.per_sample>, %[[W:.*]]: tensor<2xf32>)
// CHECK: dpl.batch_sum %{{.*}} : (tensor<f32, #dpl.per_sample>) -> tensor<f32>
// CHECK: %[[ONE:.*]] = dpl.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[S:.*]] = dpl.batch_spread %[[ONE]]
// CHECK: %[[B:.*]] = dpl.broadcast %[[S]]
// CHECK-NEXT: %[[D:.*]] = dpl.mul %[[B]], %[[X]]
// CHECK-NEXT: %[[G:.*]] = dpl.batch_sum %[[D]] : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
// CHECK-NEXT: return %[[G]]
func.func @law(%x: tensor<2xf32, #dpl.per_sample>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %y = dpl.mul %x, %w : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %s = dpl.reduce sum %y {axes = array<i64: 0>} : (tensor<2xf32, #dpl.per_sample>) -> tensor<f32, #dpl.per_sample>
  %l = dpl.batch_sum %s : (tensor<f32, #dpl.per_sample>) -> tensor<f32>
  %g = dpl.grad %l wrt(%w) : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %g : tensor<2xf32>
}

// -----

// Two uses: their gradients are added.
// CHECK-LABEL: func.func @two_uses
// CHECK: %[[E:.*]] = dpl.exp
// CHECK: dpl.add %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK: %[[G:.*]] = dpl.add
// CHECK-NEXT: return %[[G]]
func.func @two_uses(%w: tensor<f32>) -> tensor<f32> {
  %e = dpl.exp %w : (tensor<f32>) -> tensor<f32>
  %l = dpl.add %e, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %g = dpl.grad %l wrt(%w) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

// A value that the loss does not depend on, and one behind stop_gradient, have
// gradient zero; the loss itself has gradient one.
// CHECK-LABEL: func.func @zero
// CHECK: %[[ONE:.*]] = dpl.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[A:.*]] = dpl.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK: %[[B:.*]] = dpl.constant dense<0.000000e+00> : tensor<f32>
// CHECK: return %[[A]], %[[B]], %[[ONE]]
func.func @zero(%w: tensor<2xf32>, %v: tensor<f32>) -> (tensor<2xf32>, tensor<f32>, tensor<f32>) {
  %s = dpl.stop_gradient %v : (tensor<f32>) -> tensor<f32>
  %l = dpl.exp %s : (tensor<f32>) -> tensor<f32>
  %g:3 = dpl.grad %l wrt(%w, %v, %l) : (tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>, tensor<f32>)
  return %g#0, %g#1, %g#2 : tensor<2xf32>, tensor<f32>, tensor<f32>
}

// -----

// Layers read their parameters themselves; the derivative is that with respect
// to the parameter, whichever of the reads names it.
// CHECK-LABEL: func.func @reads
// CHECK: %[[W:.*]] = dpl.read @w
// CHECK-NEXT: %[[E:.*]] = dpl.exp %[[W]]
// CHECK-NOT: dpl.read
// CHECK: %[[G:.*]] = dpl.mul %{{.*}}, %[[E]]
// CHECK-NEXT: return %[[G]]
dpl.parameter @w : tensor<f32> init {kind = "zeros"}
func.func @reads() -> tensor<f32> {
  %w = dpl.read @w : tensor<f32>
  %l = dpl.exp %w : (tensor<f32>) -> tensor<f32>
  %v = dpl.read @w : tensor<f32>
  %g = dpl.grad %l wrt(%v) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func private @layer(%x: tensor<f32>) -> tensor<f32>
func.func @call_of_one(%w: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{'func.call' op has no gradient}}
  %l = call @layer(%w) : (tensor<f32>) -> tensor<f32>
  %g = dpl.grad %l wrt(%w) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func private @layer(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>)
func.func @call_of_two(%w: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{'func.call' op has no gradient}}
  %l:2 = call @layer(%w) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %g = dpl.grad %l#1 wrt(%w) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %g : tensor<f32>
}
