// Every operation prints as it parses.
// RUN: dpl-opt %s | dpl-opt | FileCheck %s

#one = array<i64: 1, 1>
#none = array<i64: 0, 0>

// CHECK: dpl.parameter @w : tensor<4xf32> init {kind = "zeros"} as "bias"
dpl.parameter @w : tensor<4xf32> init {kind = "zeros"} as "bias"
// CHECK: dpl.parameter @v : tensor<4xf32> init {kind = "ones"}{{$}}
dpl.parameter @v : tensor<4xf32> init {kind = "ones"}
// CHECK: dpl.state @w.m : tensor<4xf32> init {kind = "zeros"} of @w
dpl.state @w.m : tensor<4xf32> init {kind = "zeros"} of @w
// CHECK: dpl.state @mean : tensor<4xf32> init {kind = "zeros"}{{$}}
dpl.state @mean : tensor<4xf32> init {kind = "zeros"}
// CHECK: dpl.option @lr : "float" = 1.000000e-01 : f64 help "learning rate"
dpl.option @lr : "float" = 0.1 : f64 help "learning rate"
// CHECK: dpl.dataset @d "csv" {path = "x"} transforms [] stored [] fields [{name = "x"}]
dpl.dataset @d "csv" {path = "x"} transforms [] stored [] fields [{name = "x"}]
// CHECK: dpl.iterator @it "serial" of @d batch 8 {shuffle = true}
dpl.iterator @it "serial" of @d batch 8 {shuffle = true}
// CHECK: dpl.model @m @forward inputs [] outputs []{{$}}
dpl.model @m @forward inputs [] outputs []
// CHECK: dpl.step_program @p {tile = 8 : i64}
dpl.step_program @p {tile = 8 : i64}
// CHECK: dpl.train @step {out = "result"}
dpl.train @step {out = "result"}

// CHECK-LABEL: func.func @settings
func.func @settings() {
  // CHECK: %[[LR:.*]] = dpl.option_value @lr : tensor<f64>
  %lr = dpl.option_value @lr : tensor<f64>
  // CHECK: dpl.setting "lr", %[[LR]] : tensor<f64>
  dpl.setting "lr", %lr : tensor<f64>
  return
}

// CHECK-LABEL: func.func @step
func.func @step() {
  // CHECK: dpl.read @w : tensor<4xf32>
  %w = dpl.read @w : tensor<4xf32>
  // CHECK: dpl.setting_value "lr" : tensor<f32>
  %lr = dpl.setting_value "lr" : tensor<f32>
  // CHECK: dpl.batch_count : tensor<f32>
  %n = dpl.batch_count : tensor<f32>
  // CHECK: dpl.random_key "M.dropout1:1" word 1 : tensor<i32>
  %k0 = dpl.random_key "M.dropout1:1" word 0 : tensor<i32>
  %k1 = dpl.random_key "M.dropout1:1" word 1 : tensor<i32>
  // CHECK: dpl.sample_index : tensor<i64, #dpl.per_sample>
  %sample = dpl.sample_index : tensor<i64, #dpl.per_sample>
  // CHECK: dpl.random normal %{{.*}}, %{{.*}}, %{{.*}} : tensor<i32>, tensor<i32>, tensor<i64, #dpl.per_sample> -> tensor<2x3xf32, #dpl.per_sample>
  %r = dpl.random normal %k0, %k1, %sample : tensor<i32>, tensor<i32>, tensor<i64, #dpl.per_sample> -> tensor<2x3xf32, #dpl.per_sample>
  // CHECK: dpl.grad %{{.*}} wrt(%{{.*}}) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %g = dpl.grad %n wrt(%w) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: dpl.write @w, %{{.*}} : tensor<4xf32>
  dpl.write @w, %g : tensor<4xf32>
  // CHECK: dpl.report "loss", %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>
  dpl.report "loss", %lr, %n : tensor<f32>, tensor<f32>
  return
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%a: tensor<2xf32, #dpl.per_sample>, %b: tensor<2xf32>) {
  // CHECK: dpl.add %{{.*}}, %{{.*}} : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %0 = dpl.add %a, %b : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  // CHECK: dpl.sub
  %1 = dpl.sub %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.mul
  %2 = dpl.mul %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.div
  %3 = dpl.div %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.pow
  %4 = dpl.pow %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.max
  %5 = dpl.max %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.exp
  %6 = dpl.exp %b : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.log
  %7 = dpl.log %b : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.sqrt
  %8 = dpl.sqrt %b : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.tanh
  %9 = dpl.tanh %b : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.erf
  %erf = dpl.erf %b : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.sin
  %sin = dpl.sin %b : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: dpl.abs
  %10 = dpl.abs %b : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %[[C:.*]] = dpl.compare lt %{{.*}}, %{{.*}} : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xi1, #dpl.per_sample>
  %11 = dpl.compare lt %a, %b : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32>) -> tensor<2xi1, #dpl.per_sample>
  // CHECK: dpl.select %[[C]], %{{.*}}, %{{.*}}
  %12 = dpl.select %11, %b, %b : (tensor<2xi1, #dpl.per_sample>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  // CHECK: dpl.cast %{{.*}} {to = i32} : (tensor<2xf32>) -> tensor<2xi32>
  %13 = dpl.cast %b {to = i32} : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) {
  // CHECK: dpl.constant dense<1.000000e+00> : tensor<2xf32>
  %0 = dpl.constant dense<1.0> : tensor<2xf32>
  // CHECK: dpl.iota {axis = 0 : i64} : tensor<2xi32>
  %1 = dpl.iota {axis = 0 : i64} : tensor<2xi32>
  // CHECK: dpl.broadcast %{{.*}} {axes = array<i64: 0>, shape = array<i64: 2, 3>}
  %2 = dpl.broadcast %0 {shape = array<i64: 2, 3>, axes = array<i64: 0>} : (tensor<2xf32>) -> tensor<2x3xf32>
  // CHECK: dpl.reshape %{{.*}} {shape = array<i64: 6>}
  %3 = dpl.reshape %x {shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK: dpl.transpose %{{.*}} {permutation = array<i64: 1, 0>}
  %4 = dpl.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: dpl.reverse %{{.*}} {axes = array<i64: 1>}
  %5 = dpl.reverse %x {axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: dpl.slice %{{.*}} {size = array<i64: 1, 2>, start = array<i64: 0, 0>, step = array<i64: 1, 2>}
  %6 = dpl.slice %x {start = #none, size = array<i64: 1, 2>, step = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<1x2xf32>
  // CHECK: dpl.pad %{{.*}} {high = array<i64: 0, 0>, interior = array<i64: 0, 0>, low = array<i64: 1, 1>}
  %7 = dpl.pad %x {low = #one, high = #none, interior = #none} : (tensor<2x3xf32>) -> tensor<3x4xf32>
  // CHECK: dpl.concat %{{.*}}, %{{.*}} {axis = 0 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  %9 = dpl.concat %x, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  // CHECK: dpl.stop_gradient
  %8 = dpl.stop_gradient %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<2x3xf32>, %i: tensor<3xi32>) {
  // CHECK: dpl.reduce max %{{.*}} {axes = array<i64: 0>}
  %0 = dpl.reduce max %x {axes = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3xf32>
  // CHECK: dpl.argmax %{{.*}} {axis = 1 : i64}
  %1 = dpl.argmax %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xi32>
  // CHECK: dpl.contract %{{.*}}, %{{.*}} {lhs_labels = array<i64: 0, 1>, result_labels = array<i64: 0>, rhs_labels = array<i64: 1>}
  %2 = dpl.contract %x, %0 {lhs_labels = array<i64: 0, 1>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  // CHECK: dpl.take %{{.*}}, %{{.*}} {axis = 0 : i64}
  %3 = dpl.take %x, %i {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<3xf32>
  // CHECK: dpl.scatter_add %{{.*}}, %{{.*}} {axis = 0 : i64, length = 2 : i64}
  %4 = dpl.scatter_add %3, %i {axis = 0 : i64, length = 2 : i64} : (tensor<3xf32>, tensor<3xi32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @windows
func.func @windows(%x: tensor<1x4x4xf32>, %f: tensor<2x1x3x3xf32>, %g: tensor<3x4x4xf32>, %h: tensor<6x1x3x3xf32>) {
  // CHECK: dpl.conv %{{.*}}, %{{.*}} {dilate_input = array<i64: 1, 1>, dilation = array<i64: 1, 1>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, stride = array<i64: 1, 1>}
  %0 = dpl.conv %x, %f {stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<2x2x2xf32>
  // CHECK: dpl.conv_filter
  %1 = dpl.conv_filter %x, %0 {window = array<i64: 3, 3>, stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one} : (tensor<1x4x4xf32>, tensor<2x2x2xf32>) -> tensor<2x1x3x3xf32>
  // CHECK: dpl.conv {{.*}}groups = 3 : i64
  %4 = dpl.conv %g, %h {stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one, groups = 3 : i64} : (tensor<3x4x4xf32>, tensor<6x1x3x3xf32>) -> tensor<6x2x2xf32>
  // CHECK: dpl.pool max %{{.*}} {channels_last
  %2 = dpl.pool max %x {window = array<i64: 1, 2>, stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one, channels_last} : (tensor<1x4x4xf32>) -> tensor<1x3x4xf32>
  // CHECK: dpl.pool_max_grad
  %3 = dpl.pool_max_grad %x, %2, %2 {window = array<i64: 1, 2>, stride = #one, pad_low = #none, pad_high = #none, dilation = #one, dilate_input = #one, channels_last} : (tensor<1x4x4xf32>, tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x4x4xf32>
  return
}

// CHECK-LABEL: func.func @batch
func.func @batch(%x: tensor<2xf32, #dpl.per_sample>) {
  // CHECK: dpl.batch_sum %{{.*}} : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
  %0 = dpl.batch_sum %x : (tensor<2xf32, #dpl.per_sample>) -> tensor<2xf32>
  // CHECK: dpl.batch_spread %{{.*}} : (tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  %1 = dpl.batch_spread %0 : (tensor<2xf32>) -> tensor<2xf32, #dpl.per_sample>
  // CHECK: dpl.batch_contract
  %2 = dpl.batch_contract %x, %1 {lhs_labels = array<i64: 0>, rhs_labels = array<i64: 1>, result_labels = array<i64: 0, 1>} : (tensor<2xf32, #dpl.per_sample>, tensor<2xf32, #dpl.per_sample>) -> tensor<2x2xf32>
  return
}
