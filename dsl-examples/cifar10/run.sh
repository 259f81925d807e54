#!/usr/bin/env bash
#===- run.sh - from a fresh checkout to a trained network ------------------===#
#
# run.sh [ARGUMENTS OF THE TRAINER..]        e.g. run.sh --epochs 3
#
# Installs what is missing, builds the compiler and the runtime, compiles
# cifar10.dpl, and trains into a new folder result-001, result-002, ..
# The data are looked for in data/cifar10 beside this script, or below DPL_DATA.
#
#===------------------------------------------------------------------------===#
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR
source "$here/../../cmake/setup.sh"

export DPL_DATA=${DPL_DATA:-$here}
case " $* " in
  *" --data"*) ;;
  *)
    [ -e "$DPL_DATA/data/cifar10/test_batch.bin" ] ||
      dpl_fail "no CIFAR-10 in $DPL_DATA/data/cifar10; fetch it as dsl-examples/cifar10/README.md says, or give --data FOLDER"
    ;;
esac

dpl_install "${DPL_BUILD_PACKAGES[@]}"
dpl_build dplc dpl_runtime

mkdir -p "$here/build"
"$DPL_BUILD/bin/dplc" "$here/cifar10.dpl" -o "$here/build/cifar10"

out=$(dpl_next_result "$here")
"$here/build/cifar10" train --out "$out" "$@"
echo "results: $out"
