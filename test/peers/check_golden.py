# ===- check_golden.py - a trainer against PyTorch, step by step -----------===#
#
#   check_golden.py NAME --dplc PATH [TRAINER ARGUMENTS..]
#
# compiles NAME.dpl, trains it from the weights and on the data of formula.py,
# and compares with golden/NAME.json: the loss of every step, for every
# parameter and running statistic what training changed, and the loss of all
# samples afterwards in evaluation. Needs nothing but Python.
#
# ===----------------------------------------------------------------------===#

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import formula

HERE = os.path.dirname(os.path.abspath(__file__))
LOSS_TOLERANCE = 1e-3    # relative, each step
CHANGE_TOLERANCE = 1e-2  # relative L2 norm, each parameter


def shapes(model):
    """{parameter or state: shape} of a network of models.json."""
    result = {}
    for kind, *args in model["layers"]:
        if kind == "conv":
            name, inputs, outputs, kernel, _, *bias = args
            result[name + ".weight"] = (outputs, inputs, kernel, kernel)
            if bias != [False]:
                result[name + ".bias"] = (outputs,)
        elif kind == "linear":
            name, inputs, outputs = args
            result[name + ".weight"] = (outputs, inputs)
            result[name + ".bias"] = (outputs,)
        elif kind in ("batch_norm", "layer_norm", "group_norm"):
            name, channels = args[:2]
            kinds = ["weight", "bias"] + (["running_mean", "running_var"] if kind == "batch_norm" else [])
            result.update({f"{name}.{k}": (channels,) for k in kinds})
    return result


def start(model):
    """{parameter: (shape, initial values)}."""
    return {name: (shape, formula.initial(name, shape)) for name, shape in shapes(model).items()}


def compare(golden, before, losses, after, evaluation=None):
    """Yields one sentence for each loss or parameter that is off."""
    if len(losses) != len(golden["losses"]):
        yield f"{len(losses)} losses in the log, {len(golden['losses'])} in the golden file"
    for step, (loss, expected) in enumerate(zip(losses, golden["losses"]), 1):
        if not abs(loss - expected) <= LOSS_TOLERANCE * abs(expected):
            yield f"step {step}: loss {loss:.8g}, PyTorch has {expected:.8g}"
    expected = golden.get("evaluation")
    if expected is not None and not (evaluation and abs(evaluation - expected) <= LOSS_TOLERANCE * abs(expected)):
        yield f"loss {evaluation} in evaluation, PyTorch has {expected:.8g}"
    for name, expected in golden["changes"].items():
        shape, old = before[name]
        if name not in after:
            yield f"{name}: not among the weights of the run"
            continue
        if after[name][0] != shape:
            yield f"{name}: shape {list(after[name][0])}, PyTorch has {list(shape)}"
            continue
        change = [a - b for a, b in zip(after[name][1], old)]
        off = math.dist(formula.sketch(name, change), expected["sketch"]) / expected["norm"]
        if not off <= CHANGE_TOLERANCE:
            yield f"{name}: the change by training is off by {off:.2%} (L2) of PyTorch's"


def weights_of_run(folder, names):
    """The tensors of the newest weights file in a run's folder that has them."""
    for path in sorted((os.path.join(at, f) for at, _, files in os.walk(folder) for f in files
                        if f.endswith(".safetensors")), reverse=True):
        tensors = formula.read_safetensors(path)
        if names <= tensors.keys():
            return tensors
    return {}


def run(name, dplc, arguments, folder):
    """Trains in `folder`; returns (initial tensors, losses, final tensors, loss of the last evaluation)."""
    with open(os.path.join(HERE, "models.json"), encoding="utf-8") as f:
        model = json.load(f)[name]
    before = start(model)
    data, weights, out = (os.path.join(folder, n) for n in ("data", "start.safetensors", "run"))
    formula.write_dataset(data, model["samples"], model["classes"], model["height"], model["width"])
    formula.write_safetensors(weights, before)
    trainer = os.path.join(folder, name)
    subprocess.run([dplc, os.path.join(HERE, name + ".dpl"), "-o", trainer], check=True)
    subprocess.run([trainer, "train", "--data", data, "--weights", weights, "--out", out, *arguments], check=True)
    with open(os.path.join(out, "log"), encoding="utf-8") as f:
        rows = json.load(f)
    losses = [row["main/loss"] for row in rows]
    return before, losses, weights_of_run(out, before.keys()), rows[-1].get("val/main/loss")


def main():
    parser = argparse.ArgumentParser(description="compares a trainer with a golden run of PyTorch")
    parser.add_argument("name")
    parser.add_argument("--dplc", required=True)
    options, arguments = parser.parse_known_args()
    with open(os.path.join(HERE, "golden", options.name + ".json"), encoding="utf-8") as f:
        golden = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        try:
            problems = list(compare(golden, *run(options.name, options.dplc, arguments, folder)))
        except (OSError, KeyError, ValueError, subprocess.CalledProcessError) as error:
            problems = [f"{options.name}: no run to compare: {type(error).__name__}: {error}"]
    print("\n".join(problems) or f"{options.name}: {len(golden['losses'])} losses and {len(golden['changes'])} parameters agree with PyTorch")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
