#!/usr/bin/env bash
#===- vs_pytorch.sh - training rate against PyTorch, side by side ----------===#
#
# vs_pytorch.sh [--rounds N] [--blocks N] [--threads N] [--channels-last] [--json FILE]
#
# Builds the compiler, compiles cnn.dpl, and runs it in turn with the same
# network in PyTorch eager. DPL_TORCH_VENV names a virtual environment with
# torch and numpy; it is several GB, so this script does not make one.
#
#===------------------------------------------------------------------------===#
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR
source "$here/../../cmake/setup.sh"

python=${DPL_TORCH_VENV:-}/bin/python
if ! "$python" -c "import torch, numpy" 2>/dev/null; then
  dpl_fail "DPL_TORCH_VENV names no environment with torch; make one and name it:
  python3 -m venv DIR && DIR/bin/pip install torch numpy && DPL_TORCH_VENV=DIR bash $0"
fi

dpl_install "${DPL_BUILD_PACKAGES[@]}" dataset-fashion-mnist
dpl_build dplc dpl_runtime

work=$DPL_BUILD/bench
mkdir -p "$work"
"$DPL_BUILD/bin/dplc" "$here/cnn.dpl" -o "$work/cnn"
python3 "$here/vs_pytorch.py" cnn --trainer "$work/cnn" --torch-python "$python" \
  --data /usr/share/datasets/fashion-mnist --json "$work/vs_pytorch.json" "$@"
