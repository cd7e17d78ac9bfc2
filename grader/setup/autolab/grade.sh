#!/bin/sh
# Prints the points of {file} as Autolab reads them, and nothing that a submission said.
set -u

teach=${NIBBLE_BUILD:-/nibble/build/default}/bin/nibble-teach
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/submission"
[ ! -e {file} ] || cp {file} "$work/submission"
"$teach" grade "$work/submission" --one --lab {lab} --hidden --salt-from salt --seed {seed} -j 1 \
  -o "$work/grades" >"$work/said" 2>&1
# A failure of the grader is no score.
"$teach" export autolab "$work/grades/submission/{lab}.json"
