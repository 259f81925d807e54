# ===- functions.py - activations and losses against PyTorch ---------------===#
#
#   functions.py --dplc PATH       compares with golden/functions.json
#   VENV/bin/python functions.py --make   writes golden/functions.json
#
# One program holds all functions of functions.json: each has a parameter of its
# own, whose values are the points, and is a term of the loss; a step of descent
# with rate 1 then subtracts the gradient. Every point reaches its function
# through a field that is 0, so that the functions run for samples.
#
# ===----------------------------------------------------------------------===#

import argparse
import array
import json
import math
import os
import subprocess
import sys
import tempfile

import formula

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "golden", "functions.json")
# Of a value, the rounding of a sum of terms as large as the points; of a
# gradient, also that of the point from which it was subtracted.
TOLERANCE = 2e-6


def spec():
    with open(os.path.join(HERE, "functions.json"), encoding="utf-8") as f:
        return json.load(f)


def coefficients(count):
    return [1 + v for v in formula.initial("coefficients", (count,))]


def program(model):
    count = len(model["points"])
    names = list(model["functions"])
    numbers = ", ".join(repr(float(v)) for v in coefficients(count))
    terms = ",\n            ".join(f"{n}: {model['functions'][n]['dpl']}" for n in names)
    parameters = "\n".join(f"  param w_{n}: f32[{count}] = zeros" for n in names)
    outputs = ", ".join(f"{n}: w_{n} + zero" for n in names)
    types = ", ".join(f"{n}: f32[{count}]" for n in names)
    return f"""dataset points = mnist("data", split: train) |> to_float
iterator batches = serial(points, batch: {model["samples"]}, repeat: true)

const c = [{numbers}]

fn normalised(v: f32[n]) -> f32[n] {{
  let d = v - mean(v, keep: true)
  d / sqrt(mean(d * d, keep: true) + 1e-3)
}}

model Functions(x: f32[1, 28, 28]) -> ({types}) {{
  let zero = sum(x)
{parameters}
  ({outputs})
}}

train Functions {{
  data      batches
  loss      {terms}
  optimizer sgd(lr: 1.0)
  stop      1 iteration
  every 1 iteration {{
    log
    snapshot
  }}
}}
"""


def run(dplc, model, folder):
    """{function: (value, gradient)} of a trainer."""
    source, trainer, data, weights, out = (
        os.path.join(folder, n) for n in ("functions.dpl", "functions", "data", "start.safetensors", "run"))
    with open(source, "w", encoding="utf-8") as f:
        f.write(program(model))
    os.makedirs(data)
    count = model["samples"]
    formula.write_idx(os.path.join(data, "train-labels-idx1-ubyte"), [count], formula.labels(count, model["classes"]))
    formula.write_idx(os.path.join(data, "train-images-idx3-ubyte"), [count, 28, 28], bytes(count * 784))
    points = array.array("f", model["points"])
    formula.write_safetensors(weights, {"w_" + n: ((len(points),), points) for n in model["functions"]})
    subprocess.run([dplc, source, "-o", trainer], check=True)
    subprocess.run([trainer, "train", "--data", data, "--weights", weights, "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "log"), encoding="utf-8") as f:
        row = json.load(f)[0]
    (path,) = (os.path.join(at, f) for at, _, files in os.walk(out) for f in files if f == "weights.safetensors")
    after = formula.read_safetensors(path)
    return {n: (row["main/" + n], [a - b for a, b in zip(points, after["w_" + n][1])]) for n in model["functions"]}


def compare(model, golden, results):
    """Yields one sentence for each value or gradient that is off."""
    for name, (value, gradient) in results.items():
        expected = golden[name]
        scale = max(abs(p) for p in model["points"]) * len(model["points"])
        if not abs(value - expected["value"]) <= TOLERANCE * scale:
            yield f"{name}: {value:.8g}, PyTorch has {expected['value']:.8g}"
        for point, g, e in zip(model["points"], gradient, expected["gradient"]):
            if not abs(g - e) <= TOLERANCE * (2 + abs(e) + abs(point)):
                yield f"{name}: gradient {g:.8g} at {point}, PyTorch has {e:.8g}"


def make(model):
    import torch
    import torch.nn.functional as F
    c = torch.tensor(coefficients(len(model["points"])), dtype=torch.float64)
    y = torch.tensor(list(formula.labels(model["samples"], model["classes"])))
    golden = {}
    for name, texts in model["functions"].items():
        points = array.array("f", model["points"])
        v = torch.tensor(points.tolist(), dtype=torch.float64, requires_grad=True)
        value = eval(texts["torch"], {"torch": torch, "F": F, "v": v, "c": c, "y": y})
        value.backward()
        golden[name] = {"value": float(f"{value.item():.10g}"), "gradient": [float(f"{g:.10g}") for g in v.grad.tolist()]}
    with open(GOLDEN, "w", encoding="utf-8") as f:
        json.dump(golden, f, indent=0)
        f.write("\n")


def main():
    parser = argparse.ArgumentParser(description="compares activations and losses with golden values of PyTorch")
    parser.add_argument("--dplc")
    parser.add_argument("--make", action="store_true")
    options = parser.parse_args()
    model = spec()
    if options.make:
        make(model)
        return 0
    with open(GOLDEN, encoding="utf-8") as f:
        golden = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        problems = list(compare(model, golden, run(options.dplc, model, folder)))
    print("\n".join(problems) or f"{len(golden)} functions agree with PyTorch")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
