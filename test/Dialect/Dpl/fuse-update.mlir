// Two forms of every training step; large outer products leave the sum.
// RUN: dpl-opt %s -dpl-fuse-update | FileCheck %s

// Only training steps have forms.
// CHECK: func.func @eval() attributes {dpl.step = "eval"}
func.func @eval() attributes {dpl.step = "eval"} { return }

// CHECK-NOT: func.func @train(
// CHECK: func.func @train.fused(%[[A:.*]]: tensor<64xf32, #dpl.per_sample> {dpl.zero_in_tail}, %[[B:.*]]: tensor<48xf32, #dpl.per_sample>, %{{.*}}) {{.*}} attributes {dpl.step = "train", dpl.update = "fused"}
// CHECK: dpl.batch_contract %[[A]], %[[B]] {lhs_labels = array<i64: 0>, result_labels = array<i64: 0, 1>, rhs_labels = array<i64: 1>}
// The product of so few elements is summed where it is made.
// CHECK: dpl.batch_sum %{{.*}} : (tensor<2x3xf32, #dpl.per_sample>) -> tensor<2x3xf32>
// A product that sums over something itself has one use for each sample.
// CHECK: dpl.batch_sum %{{.*}} : (tensor<64x48xf32, #dpl.per_sample>) -> tensor<64x48xf32>
// What is not zero behind the true samples must be left out there.
// CHECK: dpl.batch_sum %{{.*}} : (tensor<48x48xf32, #dpl.per_sample>) -> tensor<48x48xf32>
// CHECK: func.func @train.bucketed({{.*}} attributes {dpl.step = "train", dpl.update = "bucketed"}
// CHECK-NOT: dpl.batch_contract
// CHECK: dpl.batch_sum %{{.*}} : (tensor<64x48xf32, #dpl.per_sample>) -> tensor<64x48xf32>
func.func @train(%a: tensor<64xf32, #dpl.per_sample> {dpl.zero_in_tail}, %b: tensor<48xf32, #dpl.per_sample>, %c: tensor<2xf32, #dpl.per_sample>,
                 %d: tensor<3xf32, #dpl.per_sample>, %e: tensor<64x2xf32, #dpl.per_sample> {dpl.zero_in_tail}, %f: tensor<2x48xf32, #dpl.per_sample>)
    -> (tensor<64x48xf32>, tensor<2x3xf32>, tensor<64x48xf32>, tensor<48x48xf32>) attributes {dpl.step = "train"} {
  %0 = dpl.contract %a, %b {lhs_labels = array<i64: 0>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0, 1>} : (tensor<64xf32, #dpl.per_sample>, tensor<48xf32, #dpl.per_sample>) -> tensor<64x48xf32, #dpl.per_sample>
  %1 = dpl.batch_sum %0 : (tensor<64x48xf32, #dpl.per_sample>) -> tensor<64x48xf32>
  %2 = dpl.contract %c, %d {lhs_labels = array<i64: 0>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0, 1>} : (tensor<2xf32, #dpl.per_sample>, tensor<3xf32, #dpl.per_sample>) -> tensor<2x3xf32, #dpl.per_sample>
  %3 = dpl.batch_sum %2 : (tensor<2x3xf32, #dpl.per_sample>) -> tensor<2x3xf32>
  %4 = dpl.contract %e, %f {lhs_labels = array<i64: 0, 1>, rhs_labels = array<i64: 1, 2>, result_labels = array<i64: 0, 2>} : (tensor<64x2xf32, #dpl.per_sample>, tensor<2x48xf32, #dpl.per_sample>) -> tensor<64x48xf32, #dpl.per_sample>
  %5 = dpl.batch_sum %4 : (tensor<64x48xf32, #dpl.per_sample>) -> tensor<64x48xf32>
  %6 = dpl.contract %b, %b {lhs_labels = array<i64: 0>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0, 1>} : (tensor<48xf32, #dpl.per_sample>, tensor<48xf32, #dpl.per_sample>) -> tensor<48x48xf32, #dpl.per_sample>
  %7 = dpl.batch_sum %6 : (tensor<48x48xf32, #dpl.per_sample>) -> tensor<48x48xf32>
  return %1, %3, %5, %7 : tensor<64x48xf32>, tensor<2x3xf32>, tensor<64x48xf32>, tensor<48x48xf32>
}
