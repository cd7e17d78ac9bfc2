#!/bin/sh
# Gradescope runs this once, as root, when it builds the image of the assignment: it makes the kit
# ready to grade {lab}, and fails where the published solution does not get all points.
set -eu

source=${NIBBLE_AUTOGRADER:-/autograder}/source
cd "$source"
chmod 600 salt
[ "$(id -u)" -ne 0 ] || chown 0:0 salt

trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
kit/nibble teach grade kit/solutions --one --lab {lab} --hidden --salt-from salt -o "$trial/grades"
kit/nibble teach export autolab "$trial/grades/solutions/{lab}.json" >"$trial/points"
cat "$trial/points"
grep -q '"{lab}":100[,}]' "$trial/points" || {
  echo "the solution of {lab} does not get all points here: no grade of this image is one" >&2
  exit 1
}
