# ===- torch_network.py - a network of models.json in PyTorch --------------===#

from torch import nn


def build(model):
    """The network, its parameters named as in the program of that name."""
    net = nn.Sequential()
    for number, (kind, *args) in enumerate(model["layers"]):
        if kind == "conv":
            name, inputs, outputs, kernel, pad = args
            net.add_module(name, nn.Conv2d(inputs, outputs, kernel, padding=pad))
        elif kind == "linear":
            name, inputs, outputs = args
            net.add_module(name, nn.Linear(inputs, outputs))
        elif kind == "pool":
            net.add_module(f"pool{number}", nn.MaxPool2d(args[0]))
        else:
            net.add_module(f"{kind}{number}", {"relu": nn.ReLU, "flatten": nn.Flatten}[kind]())
    return net
