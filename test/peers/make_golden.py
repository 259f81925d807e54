# ===- make_golden.py - what PyTorch makes of the programs of this folder --===#
#
#   python3 -m venv VENV && VENV/bin/pip install torch numpy
#   VENV/bin/python test/peers/make_golden.py [NAME..]
#
# writes golden/NAME.json for each network of models.json: the loss of every
# step, of every parameter and running statistic the norm and the sketch
# (formula.py) of what training changed, and with "evaluate" the loss of all
# samples afterwards, in evaluation. PyTorch computes in f64, from the f32 weights of formula.py;
# the file also says how far PyTorch's own f32 run is from that.
#
# ===----------------------------------------------------------------------===#

import json
import math
import os
import sys

import torch
import torch.nn.functional as F

import formula
import torch_network

HERE = os.path.dirname(os.path.abspath(__file__))
SHOWN = 8  # digits in the file


def tensors(net):
    """Parameters and running statistics with their names."""
    return [(n, t) for n, t in net.state_dict(keep_vars=True).items() if t.is_floating_point()]


def start(model):
    """The network with the weights of formula.py."""
    net = torch_network.build(model)
    with torch.no_grad():
        for name, parameter in tensors(net):
            shape = tuple(parameter.shape)
            parameter.copy_(torch.tensor(formula.initial(name, shape)).reshape(shape))
    return net


def train(model, x, y, dtype):
    """Losses, the change of each tensor, and the loss in evaluation."""
    net = start(model).to(dtype)
    before = {n: p.detach().clone() for n, p in tensors(net)}
    solver = torch.optim.SGD(net.parameters(), lr=model["lr"], momentum=model["momentum"])
    losses, place = [], 0
    for _ in range(model["steps"]):
        rows = slice(place, min(place + model["batch"], len(y)))
        place = rows.stop % len(y)
        solver.zero_grad()
        loss = F.cross_entropy(net(x[rows].to(dtype) / 255), y[rows])
        loss.backward()
        solver.step()
        losses.append(loss.item())
    changes = {n: (p.detach() - before[n]).flatten() for n, p in tensors(net)}
    with torch.no_grad():
        evaluation = F.cross_entropy(net.eval()(x.to(dtype) / 255), y).item()
    return losses, changes, evaluation


def golden(name, model):
    label_bytes = formula.labels(model["samples"], model["classes"])
    pixels = formula.pictures(label_bytes, model["height"], model["width"])
    y = torch.tensor(list(label_bytes))
    x = torch.frombuffer(bytearray(pixels), dtype=torch.uint8)
    x = x.reshape(len(y), 1, model["height"], model["width"])
    losses, changes, evaluation = train(model, x, y, torch.float64)
    single_losses, single, single_evaluation = train(model, x, y, torch.float32)
    if model.get("evaluate"):
        losses, single_losses = losses + [evaluation], single_losses + [single_evaluation]

    def digits(v):
        return float(f"{v:.{SHOWN}g}")

    return {
        "about": f"test/peers/make_golden.py {name}, PyTorch {torch.__version__.split('+')[0]}, f64",
        "f32": {
            "loss": digits(max(abs(a - b) / abs(a) for a, b in zip(losses, single_losses))),
            "change": digits(max(float((changes[n] - single[n]).norm() / changes[n].norm()) for n in changes)),
        },
        "losses": [digits(v) for v in losses[:model["steps"]]],
        **({"evaluation": digits(evaluation)} if model.get("evaluate") else {}),
        "changes": {
            n: {"norm": digits(math.sqrt(float((d * d).sum()))),
                "sketch": [digits(v) for v in formula.sketch(n, d.tolist())]}
            for n, d in changes.items()
        },
    }


def main():
    with open(os.path.join(HERE, "models.json"), encoding="utf-8") as f:
        models = json.load(f)
    for name in sys.argv[1:] or models:
        result = golden(name, models[name])
        with open(os.path.join(HERE, "golden", name + ".json"), "w", encoding="utf-8") as f:
            json.dump(result, f, indent=0)
            f.write("\n")
        print(name, "first and last loss", result["losses"][0], result["losses"][-1], "f32 differs by", result["f32"])


if __name__ == "__main__":
    main()
