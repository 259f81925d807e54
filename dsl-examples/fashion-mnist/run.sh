#!/usr/bin/env bash
#===- run.sh - from a fresh checkout to a trained network ------------------===#
#
# run.sh [ARGUMENTS OF THE TRAINER..]        e.g. run.sh --epochs 3 --lr 0.02
#
# Installs what is missing, builds the compiler and the runtime, compiles
# fashion.dpl, and trains into a new folder result-001, result-002, ..
#
#===------------------------------------------------------------------------===#
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR
source "$here/../../cmake/setup.sh"

dpl_install "${DPL_BUILD_PACKAGES[@]}" dataset-fashion-mnist
dpl_build dplc dpl_runtime

mkdir -p "$here/build"
"$DPL_BUILD/bin/dplc" "$here/fashion.dpl" -o "$here/build/fashion"

out=$(dpl_next_result "$here")
"$here/build/fashion" train --out "$out" "$@"
echo "results: $out"
