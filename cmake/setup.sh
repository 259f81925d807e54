# shellcheck shell=bash
#===- setup.sh - what every script of the repository does first ------------===#
#
# Sourced by test/run.sh and by the scripts of the examples:
#
#   dpl_install PACKAGES..   Debian packages that are missing are installed;
#                            where all are there, no network is used
#   dpl_build TARGETS..      configures the release preset and builds
#   dpl_next_result FOLDER   prints the next free FOLDER/result-NNN
#
# DPL_ROOT is the repository, DPL_BUILD its build folder, DPL_JOBS how many
# jobs run at once. All of them may be set from outside.
#
#===------------------------------------------------------------------------===#

DPL_ROOT=${DPL_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
DPL_BUILD=${DPL_BUILD:-$DPL_ROOT/build}
DPL_JOBS=${DPL_JOBS:-$(nproc)}
# What ccache needs to know of precompiled headers.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}

# What the compiler and the runtime are built from.
# shellcheck disable=SC2034  # for the scripts that source this file
DPL_BUILD_PACKAGES=(
  cmake ninja-build clang-22 lld-22 libmlir-22-dev mlir-22-tools llvm-22-dev
  nlohmann-json3-dev libcli11-dev zlib1g-dev libpng-dev libgtest-dev libgmock-dev python3
)

dpl_fail() {
  echo "error: $*" >&2
  exit 1
}

dpl_missing() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

dpl_install() {
  local missing as_root=""
  command -v dpkg-query >/dev/null || dpl_fail "this script installs Debian packages; here, install these yourself: $*"
  missing=$(dpl_missing "$@")
  [ -n "$missing" ] || return 0
  # Names of packages: they are meant to be split into words.
  # shellcheck disable=SC2086
  set -- $missing
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || dpl_fail "run as root, or install first: $*"
    as_root=sudo
  fi
  echo "installing: $*"
  $as_root apt-get update -qq || dpl_fail "apt-get update failed"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 "$@" >/dev/null || dpl_fail "apt-get could not install: $*"
}

dpl_build() {
  local launcher=()
  # The preset compiles through ccache, which no one needs for a first build.
  command -v ccache >/dev/null || launcher=(-DCMAKE_C_COMPILER_LAUNCHER= -DCMAKE_CXX_COMPILER_LAUNCHER=)
  if [ ! -f "$DPL_BUILD/build.ninja" ]; then
    (cd "$DPL_ROOT" && cmake --preset release -B "$DPL_BUILD" "${launcher[@]}") || dpl_fail "cmake failed"
  fi
  cmake --build "$DPL_BUILD" --parallel "$DPL_JOBS" --target "$@" || dpl_fail "the build failed"
}

dpl_next_result() {
  local number=0 name
  for name in "$1"/result-[0-9][0-9][0-9]; do
    [ -e "$name" ] || continue
    name=${name##*-}
    [ $((10#$name)) -le $number ] || number=$((10#$name))
  done
  printf '%s/result-%03d\n' "$1" $((number + 1))
}
