# ===- make_layers.py - what PyTorch makes of single layers ----------------===#
#
#   VENV/bin/python test/peers/make_layers.py
#
# writes golden/layers.json. A case applies one layer to `input * s` for a few
# numbers s, the samples, and sums the results with the weights `probe`; the
# file holds the mean of these sums, and its gradient with respect to `input`,
# to `probe` (so, the results themselves) and to each parameter of the layer.
# Numbers come from formula.py; PyTorch computes in f64. LayersTest.cpp compares
# both the reference evaluator and the machine code with the file.
#
# ===----------------------------------------------------------------------===#

import json
import os

import torch
import torch.nn.functional as F

import formula

SAMPLES = [1.0, -0.5, 0.75]
DIGITS = 8


class Case:
    """`layer` is the layer in dpl, `declare` what it needs before, `net` the same in PyTorch, on a batch and the
    parameters in `shapes`. With `levels`, inputs are multiples of 1 / levels, so that there are ties."""

    def __init__(self, shape, layer, net, shapes=None, levels=0, declare=""):
        self.shape, self.layer, self.net, self.levels, self.declare = shape, layer, net, levels, declare
        self.shapes = shapes or {}


def conv(out, inputs, *kernel):
    return {"weight": (out, inputs, *kernel), "bias": (out,)}


def avg(**settings):
    return lambda x, p: F.avg_pool2d(x, 3, stride=2, padding=1, **settings)


CASES = {
    "conv_one_place": Case((2, 1, 1), "conv2d(3, kernel: 1)", lambda x, p: F.conv2d(x, p["weight"], p["bias"]),
                           conv(3, 2, 1, 1)),
    "conv_stride_over_kernel": Case((2, 7, 6), "conv2d(2, kernel: 2, stride: 3)",
                                    lambda x, p: F.conv2d(x, p["weight"], p["bias"], stride=3), conv(2, 2, 2, 2)),
    "conv_dilation": Case((2, 7, 6), "conv2d(2, kernel: [2, 3], dilation: [3, 2], pad: [1, 2])",
                          lambda x, p: F.conv2d(x, p["weight"], p["bias"], padding=(1, 2), dilation=(3, 2)),
                          conv(2, 2, 2, 3)),
    "conv_negative_pad": Case((2, 6, 5), "conv2d(2, kernel: 3, pad: [-1, 1], stride: 2)",
                              lambda x, p: F.conv2d(F.pad(x, (1, 1, -1, -1)), p["weight"], p["bias"], stride=2),
                              conv(2, 2, 3, 3)),
    "conv_groups": Case((4, 4, 3), "conv2d(6, kernel: 3, pad: 1, groups: 2)",
                        lambda x, p: F.conv2d(x, p["weight"], p["bias"], padding=1, groups=2), conv(6, 2, 3, 3)),
    "conv_groups_one_out": Case((6, 4, 3), "conv2d(3, kernel: 2, groups: 3, bias: false)",
                                lambda x, p: F.conv2d(x, p["weight"], groups=3), {"weight": (3, 2, 2, 2)}),
    "depthwise": Case((5, 5, 4), "depthwise(3, stride: 2, pad: 1)",
                      lambda x, p: F.conv2d(x, p["weight"], p["bias"], stride=2, padding=1, groups=5), conv(5, 1, 3, 3)),
    "depthwise_multiplier": Case((3, 5, 4), "depthwise([1, 2], dilation: [1, 2], multiplier: 2)",
                                 lambda x, p: F.conv2d(x, p["weight"], p["bias"], dilation=(1, 2), groups=3),
                                 conv(6, 1, 1, 2)),
    "conv_dilated_input": Case((2, 3, 4), "Up()",
                               lambda x, p: F.conv_transpose2d(x, p["weight"], stride=2, padding=1, output_padding=(1, 0)),
                               {"weight": (2, 3, 3, 3)}, declare="""
layer Up()(x: f32[n, _, _]) {
  param weight: f32[n, 3, 3, 3] = he_uniform
  conv(x, reverse(transpose(weight, [1, 0, 2, 3]), axes: [2, 3]), pad: 1, pad_high: [2, 1], dilate_input: 2)
}
"""),
    "max_pool_ties": Case((2, 6, 6), "max_pool2d(3, stride: 2, pad: 1)",
                          lambda x, p: F.max_pool2d(x, 3, stride=2, padding=1), levels=3),
    "max_pool_up": Case((2, 6, 6), "max_pool2d(3, stride: 2, pad: 1, rounding: up)",
                        lambda x, p: F.max_pool2d(x, 3, stride=2, padding=1, ceil_mode=True), levels=3),
    "max_pool_up_drops_a_window": Case((1, 8, 10), "max_pool2d(3, stride: 4, rounding: up)",
                                       lambda x, p: F.max_pool2d(x, 3, stride=4, ceil_mode=True)),
    "max_pool_one_place": Case((1, 6, 7), "max_pool2d(1, stride: 2, rounding: up)",
                               lambda x, p: F.max_pool2d(x, 1, stride=2, ceil_mode=True)),
    "max_pool_large": Case((2, 13, 14), "max_pool2d([12, 5], stride: [1, 3], pad: [4, 2])",
                           lambda x, p: F.max_pool2d(x, (12, 5), stride=(1, 3), padding=(4, 2)), levels=3),
    "avg_pool_large": Case((1, 11, 7), "avg_pool2d([11, 4], stride: [1, 2], pad: [5, 1])",
                           lambda x, p: F.avg_pool2d(x, (11, 4), stride=(1, 2), padding=(5, 1))),
    "max_pool_dilation": Case((2, 6, 5), "max_pool2d([2, 3], stride: 1, pad: [1, 1], dilation: [3, 2])",
                              lambda x, p: F.max_pool2d(x, (2, 3), stride=1, padding=1, dilation=(3, 2)), levels=3),
    "avg_pool": Case((2, 5, 6), "avg_pool2d([2, 3], stride: [1, 4])", lambda x, p: F.avg_pool2d(x, (2, 3), (1, 4))),
    "avg_pool_padded": Case((2, 5, 6), "avg_pool2d(3, stride: 2, pad: 1)", avg()),
    "avg_pool_padding_ignored": Case((2, 5, 6), "avg_pool2d(3, stride: 2, pad: 1, count_include_pad: false)",
                                     avg(count_include_pad=False)),
    "avg_pool_two_places": Case((1, 2, 2), "avg_pool2d(3, stride: 1, pad: 1)",
                                lambda x, p: F.avg_pool2d(x, 3, stride=1, padding=1)),
    "avg_pool_two_places_padding_ignored": Case((1, 2, 2), "avg_pool2d(3, stride: 1, pad: 1, count_include_pad: false)",
                                                lambda x, p: F.avg_pool2d(x, 3, stride=1, padding=1,
                                                                          count_include_pad=False)),
    "avg_pool_up": Case((2, 6, 6), "avg_pool2d(3, stride: 2, pad: 1, rounding: up)", avg(ceil_mode=True)),
    "avg_pool_up_padding_ignored": Case((2, 6, 6),
                                        "avg_pool2d(3, stride: 2, pad: 1, rounding: up, count_include_pad: false)",
                                        avg(ceil_mode=True, count_include_pad=False)),
    "global_avg_pool": Case((3, 4, 2), "global_avg_pool", lambda x, p: x.mean((2, 3))),
    "global_max_pool": Case((3, 4, 2), "global_max_pool", lambda x, p: x.amax((2, 3)), levels=3),
    "concat": Case((2, 5, 5), "Branches()",
                   lambda x, p: torch.cat([F.conv2d(x, p["conv.weight"], p["conv.bias"], stride=2, padding=1),
                                           F.max_pool2d(x, 3, stride=2, padding=1), x[:, :, 1:4, ::2]], 1),
                   {"conv.weight": (3, 2, 3, 3), "conv.bias": (3,)}, declare="""
layer Branches()(x: f32[..]) {
  let conv = conv2d(3, kernel: 3, stride: 2, pad: 1)
  concat([conv(x), x |> max_pool2d(3, stride: 2, pad: 1), slice(x, start: [0, 1, 0], size: [2, 3, 3], step: [1, 1, 2])])
}
"""),
    "rearranged": Case((2, 3, 4), "Turned()",
                       lambda x, p: F.pad(x, (-1, 2, 1, -1), value=0.5).flip(2).transpose(1, 3).flatten(2), declare="""
layer Turned()(x: f32[..]) {
  let y = reverse(pad(x, low: [0, 1, -1], high: [0, -1, 2], value: 0.5), axes: [1])
  transpose(y, [2, 1, 0]) |> flatten(1)
}
"""),
}

def values(case, name, key, shape):
    numbers = torch.tensor(formula.initial(f"{key} {name}", shape), dtype=torch.float64).reshape(shape)
    if name == "input" and case.levels:
        numbers = (numbers * case.levels * 4).round() / case.levels
    return numbers.requires_grad_()


def golden(key, case):
    shapes = {"input": case.shape, **{"layer." + n: s for n, s in case.shapes.items()}}
    tensors = {n: values(case, n, key, s) for n, s in shapes.items()}
    s = torch.tensor(SAMPLES, dtype=torch.float64).reshape(-1, *[1] * len(case.shape))
    out = case.net(tensors["input"] * s, {n: tensors["layer." + n] for n in case.shapes})
    shapes["probe"] = tuple(out.shape[1:])
    tensors["probe"] = values(case, "probe", key, shapes["probe"])
    loss = (out * tensors["probe"]).sum() / len(SAMPLES)
    loss.backward()
    return {
        "declare": case.declare,
        "layer": case.layer,
        "levels": case.levels,
        "samples": SAMPLES,
        "shapes": shapes,
        "loss": digits(loss),
        "gradients": {n: [digits(g) for g in t.grad.flatten()] for n, t in sorted(tensors.items())},
    }


def digits(v):
    return float(f"{v.item():.{DIGITS}g}")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    results = {key: golden(key, case) for key, case in CASES.items()}
    with open(os.path.join(here, "golden", "layers.json"), "w", encoding="utf-8") as f:
        f.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in results.items()) + "\n}\n")
    print(len(results), "cases by PyTorch", torch.__version__)


if __name__ == "__main__":
    main()
