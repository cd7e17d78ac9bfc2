#!/bin/sh
# What the published solutions earn when other compilers compile them, at each level of the box:
# every lost point is a defect of the kit. The judges are those of the kit in build/default, which
# `./nibble teach grade` has built. From the project's folder:
#
#     grader/bench/toolchains.sh COMPILER…        as g++-11 clang++-16
#
# LABS="03 15" and LEVELS="L3" ask for less. A busy machine loses nothing: the budget is ten times
# the usual one.
set -eu

labs=${LABS:-01 02 03 04 05 06 14 15 16 17 19 21}
kit=$(pwd)/build/default
out=build/toolchains
class=$out/published
export NIBBLE_SALT="${NIBBLE_SALT:-$(openssl rand -hex 32)}"

rm -rf "$class"
mkdir -p "$class" "$out/grades"
for number in $labs; do
  lab=$(basename solutions/"$number"_*)
  cp "solutions/$lab/${lab#*_}".c* "$class"
done

describe() { # compiler: a kit.json with its flags, and with the judges of another
  cmake -S . -B "$out/$1" --preset default -DCMAKE_CXX_COMPILER="$1" >"$out/$1.log"
  sed -i "s#^  \"headers\": #  \"build\": \"$kit\",\n&#" "$out/$1/kit.json"
}

lost_of() { # grades
  for number in $labs; do
    result=$(echo "$1"/published/"$number"_*.json)
    points=$(sed -n 's/^  "points": \([0-9]*\),.*/\1/p' "$result" 2>/dev/null)
    [ "$points" = 100 ] || printf ' lab %s: %s' "$number" "${points:-no result}"
  done
}

load() { cut -d' ' -f1 /proc/loadavg; }

echo "| compiler | level | load before | load after | lost |"
echo "| --- | --- | --: | --: | --- |"
lost_any=0
for compiler; do
  describe "$compiler"
  for level in ${LEVELS:-L3 L1 LS}; do
    grades=$out/grades/$compiler.$level
    rm -rf "$grades"
    before=$(load)
    NIBBLE_BUILD=$out/$compiler "$kit/bin/nibble-teach" grade "$class" --hidden \
      --require-level "$level" --budget 3000 -o "$grades" >"$grades.log" 2>&1 || true
    lost=$(lost_of "$grades")
    [ -z "$lost" ] || lost_any=1
    echo "| $compiler | $level | $before | $(load) |${lost:- nothing} |"
  done
done
exit "$lost_any"
