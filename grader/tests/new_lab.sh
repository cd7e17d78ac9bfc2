#!/bin/sh
# New labs of each kind, as `nibble teach new` writes them, in a copy of the kit: they build, and
# check-kit holds.
#   new_lab.sh SOURCE
set -eu

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cd "$1"
tar --exclude=./build --exclude=./.nibble --exclude=./.git -cf - . | tar -xf - -C "$copy"
cd "$copy"
unset NIBBLE_BUILD
export NIBBLE_NO_INSTALL=1
./nibble teach new 96_plain
./nibble teach new 97_fast --kind kernels
./nibble teach new 98_cuda_turn --kind cuda
./nibble teach check-kit 96 97 98
