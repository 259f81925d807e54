// Kernels of a step in phases, and its program.
// RUN: dpl-opt %s -dpl-outline-steps -split-input-file -verify-diagnostics | FileCheck %s

// What depends on parameters only is computed once, before the samples; what
// needs the sum over the batch comes behind them.
// CHECK: func.func @train.0(%[[W:.*]]: tensor<2xf32> {dpl.buffer = {index = 0 : i64, space = "parameter"}}) -> (tensor<2xf32> {dpl.buffer = {space = "uniform"}})
// CHECK-SAME: domain = "once", phase = 0 : i64, program = "train"
// CHECK: dpl.exp %[[W]]
// CHECK: func.func @train.1(%[[X:.*]]: tensor<2xf32, #dpl.per_sample> {dpl.buffer = {index = 0 : i64, space = "input", tile = 64 : i64}}, %[[E:.*]]: tensor<2xf32> {dpl.buffer = {space = "uniform"}}) -> (tensor<2xf32> {dpl.buffer = {space = "sums"}})
// CHECK-SAME: domain = "tiles", phase = 1 : i64, program = "train"
// CHECK: %[[M:.*]] = dpl.mul %[[X]], %[[E]]
// CHECK: dpl.batch_sum %[[M]]
// CHECK: func.func @train.2(%[[S:.*]]: tensor<2xf32> {dpl.buffer = {space = "sums"}}, %[[N:.*]]: tensor<f32> {dpl.buffer = {space = "batch"}}) -> (tensor<2xf32> {dpl.buffer = {index = 0 : i64, space = "parameter"}})
// CHECK-SAME: domain = "once", phase = 2 : i64, program = "train"
// CHECK: %[[B:.*]] = dpl.broadcast %[[N]]
// CHECK: dpl.div %[[S]], %[[B]]
// CHECK: dpl.step_program @train.program
// CHECK-SAME: capacity = 20 : i64, inputs = ["x"], iterator = "it", kind = "train", phases = [{name = "prologue"}, {name = "tiles"}, {name = "update"}]
// CHECK-SAME: sums = 64 : i64, tile = 8 : i64, uniform = 64 : i64, update = "fused"
// CHECK-NOT: func.func @train(
dpl.parameter @w : tensor<2xf32> init {kind = "zeros"}
dpl.dataset @d "csv" {} transforms [] stored [] fields []
dpl.iterator @it "serial" of @d batch 20 {}
func.func @train(%x: tensor<2xf32, #dpl.per_sample> {dpl.field = "x"}) attributes {dpl.step = "train", dpl.update = "fused", dpl.iterator = "it"} {
  %w = dpl.read @w : tensor<2xf32>
  %n = dpl.batch_count : tensor<f32>
  %e = dpl.exp %w : (tensor<2xf32>) -> tensor<2xf32>
  %m = dpl.mul %x, %e : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %s = dpl.batch_sum %m : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
  %b = dpl.broadcast %n {shape = array<i64: 2>, axes = array<i64>} : (tensor<f32>) -> tensor<2xf32>
  %a = dpl.div %s, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  dpl.write @w, %a : tensor<2xf32>
  return
}

// -----

// The bucketed form reduces its sums before it reads them, in blocks. A
// program of few samples has a tile of so many. Reports are places of their own.
// CHECK: func.func @train.0
// CHECK-SAME: space = "sums"
// CHECK-SAME: domain = "tiles", phase = 0 : i64
// CHECK: func.func @train.1(%[[C:.*]]: tensor<{{.*}}xf32> {dpl.buffer = {{.*}}space = "sums"}}) -> (tensor<{{.*}}xf32> {dpl.buffer = {{.*}}space = "reduced"}})
// CHECK-SAME: domain = "blocks", phase = 1 : i64
// CHECK: func.func @train.2
// CHECK-SAME: space = "reduced"
// CHECK-SAME: offset = 4 : i64, space = "report"
// CHECK-SAME: phase = 2 : i64
// CHECK: dpl.step_program
// CHECK-SAME: buckets = [{bytes = 64 : i64, offset = 0 : i64}]
// CHECK-SAME: phases = [{name = "tiles"}, {name = "reduce", reduce = true}, {name = "update"}]
// CHECK-SAME: reports = [{count = 1 : i64, name = "loss", sum = 0 : i64}]
// CHECK-SAME: tile = 3 : i64
dpl.dataset @d "csv" {} transforms [] stored [] fields []
dpl.iterator @it "serial" of @d batch 3 {}
func.func @train(%x: tensor<f32, #dpl.per_sample> {dpl.field = "x"}) attributes {dpl.step = "train", dpl.update = "bucketed", dpl.iterator = "it"} {
  %n = dpl.batch_count : tensor<f32>
  %s = dpl.batch_sum %x : (tensor<f32, #dpl.per_sample>) -> tensor<f32>
  dpl.report "loss", %s, %n : tensor<f32>, tensor<f32>
  return
}

// -----

// Blocks of one update must not read a scalar that one of them has written.
// CHECK: func.func @train.0
// CHECK-SAME: domain = "once"
dpl.parameter @w : tensor<16x4096xf32> init {kind = "zeros"}
dpl.state @n : tensor<f32> init {kind = "zeros"} of @w
dpl.dataset @d "csv" {} transforms [] stored [] fields []
dpl.iterator @it "serial" of @d batch 3 {}
func.func @train() attributes {dpl.step = "train", dpl.update = "fused", dpl.iterator = "it"} {
  %w = dpl.read @w : tensor<16x4096xf32>
  %n = dpl.read @n : tensor<f32>
  %next = dpl.add %n, %n : (tensor<f32>, tensor<f32>) -> tensor<f32>
  dpl.write @n, %next : tensor<f32>
  %b = dpl.broadcast %next {shape = array<i64: 16, 4096>, axes = array<i64>} : (tensor<f32>) -> tensor<16x4096xf32>
  %v = dpl.mul %w, %b : (tensor<16x4096xf32>, tensor<16x4096xf32>) -> tensor<16x4096xf32>
  dpl.write @w, %v : tensor<16x4096xf32>
  return
}

// -----

// A kernel knows of its arguments what is zero behind the true samples, so that it need not look.
// CHECK: func.func @train.2
// CHECK-SAME: space = "saved"{{.*}}}, dpl.zero_in_tail}
dpl.parameter @w : tensor<2xf32> init {kind = "zeros"}
dpl.dataset @d "csv" {} transforms [] stored [] fields []
dpl.iterator @it "serial" of @d batch 3 {}
func.func @train(%x: tensor<2xf32, #dpl.per_sample> {dpl.field = "x"}) attributes {dpl.step = "train", dpl.update = "fused", dpl.iterator = "it"} {
  %w = dpl.read @w : tensor<2xf32>
  %g = dpl.batch_spread %w : (tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %m = dpl.mul %x, %g : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32, #dpl.per_sample>
  %s = dpl.batch_sum %x : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
  %p = dpl.mul %m, %s : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %t = dpl.batch_sum %p : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
  dpl.write @w, %t : tensor<2xf32>
  return
}

// -----

// expected-error @below {{the step's iterator is not in the module}}
func.func @train() attributes {dpl.step = "train", dpl.iterator = "nowhere"} { return }
