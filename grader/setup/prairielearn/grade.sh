#!/bin/sh
# PrairieLearn runs this for each submission. Where no results are written it says that grading
# failed, and no attempt is lost.
set -u

top=${NIBBLE_GRADE:-/grade}
teach=${NIBBLE_BUILD:-/nibble/build/default}/bin/nibble-teach
mkdir -p "$top/results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top/tests" || exit
chmod 600 salt
"$teach" grade "$top/student" --one --lab {lab} --hidden --salt-from salt --seed {seed} -j 1 \
  -o "$work/grades"
"$teach" export prairielearn "$work/grades/student/{lab}.json" -o "$top/results/results.json"
