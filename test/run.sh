#!/usr/bin/env bash
#===- run.sh - installs what is missing, builds all, runs all tests --------===#
#
# test/run.sh [--long] [--jobs N]
#
#   --long    the long tests, too
#   --jobs N  build jobs and tests at once (default: the number of cores)
#
# Prints the seed of the randomised tests (DPL_TEST_SEED repeats one), and at
# the end what was skipped and why. A skip without a known reason fails.
#
#===------------------------------------------------------------------------===#
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  echo "usage: test/run.sh [--long] [--jobs N]" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --long) export DPL_TEST_LONG=1 ;;
    --jobs)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage
      export DPL_JOBS=$2
      shift
      ;;
    *) usage ;;
  esac
  shift
done

# shellcheck source-path=SCRIPTDIR
source "$here/../cmake/setup.sh"

dpl_install "${DPL_BUILD_PACKAGES[@]}" clang-format-22 libclang-rt-22-dev dpkg-dev dataset-fashion-mnist
dpl_build all

if [ -z "${DPL_TEST_SEED:-}" ]; then
  commit=$(git -c safe.directory='*' -C "$DPL_ROOT" rev-parse HEAD 2>/dev/null || echo 1)
  DPL_TEST_SEED=$((16#${commit:0:7}))
fi
export DPL_TEST_SEED
echo "DPL_TEST_SEED=$DPL_TEST_SEED"

results=$DPL_BUILD/test/results
rm -rf "$results"
mkdir -p "$results"
status=0
GTEST_OUTPUT="xml:$results/" LIT_OPTS="-j$DPL_JOBS ${LIT_OPTS:-}" \
  ctest --test-dir "$DPL_BUILD" --parallel "$DPL_JOBS" --output-on-failure --no-tests=error || status=1
python3 "$here/house/report.py" "$results" || status=1
[ $status -eq 0 ] && echo "all tests passed" || echo "tests failed"
exit $status
