# ===- torch_train.py - steady training rate of PyTorch eager --------------===#
#
# Trains a network of ../peers/models.json on an IDX data set and prints one
# JSON object with the samples per second of each block of iterations. The data
# lie in memory; every batch is gathered from a new shuffle of each epoch.
#
# ===----------------------------------------------------------------------===#

import argparse
import gzip
import json
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers")
sys.path.insert(0, PEERS)
import torch_network


def read_idx(path):
    with gzip.open(path, "rb") as f:
        data = f.read()
    sizes = np.frombuffer(data, ">u4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(sizes)


def batches(count, size):
    """Index tensors of full batches, without end."""
    while True:
        order = torch.randperm(count)
        for first in range(0, count - size + 1, size):
            yield order[first:first + size]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--data", required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--warmup", type=int, required=True, help="iterations before the first block")
    parser.add_argument("--block", type=int, required=True, help="iterations of a block")
    parser.add_argument("--blocks", type=int, required=True)
    parser.add_argument("--channels-last", action="store_true")
    args = parser.parse_args()
    with open(os.path.join(PEERS, "models.json"), encoding="utf-8") as f:
        model = json.load(f)[args.model]

    torch.manual_seed(0)
    torch.set_num_threads(args.threads)
    layout = torch.channels_last if args.channels_last else torch.contiguous_format
    x = torch.from_numpy(read_idx(os.path.join(args.data, "train-images-idx3-ubyte.gz"))[:, None] / np.float32(255))
    y = torch.from_numpy(read_idx(os.path.join(args.data, "train-labels-idx1-ubyte.gz")).astype(np.int64))
    x = x.to(memory_format=layout)
    net = torch_network.build(model).to(memory_format=layout)
    solver = torch.optim.SGD(net.parameters(), lr=model["lr"], momentum=model["momentum"], fused=True)
    indices = batches(len(y), model["batch"])

    def steps(count):
        for _ in range(count):
            rows = next(indices)
            solver.zero_grad(set_to_none=True)
            F.cross_entropy(net(x.index_select(0, rows)), y.index_select(0, rows)).backward()
            solver.step()

    steps(args.warmup)
    rates = []
    for _ in range(args.blocks):
        begin = time.perf_counter()
        steps(args.block)
        rates.append(args.block * model["batch"] / (time.perf_counter() - begin))
    print(json.dumps({"version": torch.__version__, "samples_per_second": rates}))


if __name__ == "__main__":
    main()
