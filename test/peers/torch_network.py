# ===- torch_network.py - a network of models.json in PyTorch --------------===#

from torch import nn


def build(model):
    """The network, its parameters named as in the program of that name."""
    net = nn.Sequential()
    for number, (kind, *args) in enumerate(model["layers"]):
        if kind == "conv":
            name, inputs, outputs, kernel, pad, *bias = args
            net.add_module(name, nn.Conv2d(inputs, outputs, kernel, padding=pad, bias=bias != [False]))
        elif kind == "linear":
            name, inputs, outputs = args
            net.add_module(name, nn.Linear(inputs, outputs))
        elif kind == "batch_norm":
            name, channels, momentum, eps = args
            net.add_module(name, nn.BatchNorm2d(channels, momentum=1 - momentum, eps=eps))
        elif kind == "layer_norm":
            net.add_module(args[0], nn.LayerNorm(args[1]))
        elif kind == "group_norm":
            name, channels, groups = args
            net.add_module(name, nn.GroupNorm(groups, channels))
        elif kind == "pool":
            net.add_module(f"pool{number}", nn.MaxPool2d(args[0]))
        else:
            net.add_module(f"{kind}{number}", {"relu": nn.ReLU, "gelu": nn.GELU, "silu": nn.SiLU, "flatten": nn.Flatten}[kind]())
    return net
