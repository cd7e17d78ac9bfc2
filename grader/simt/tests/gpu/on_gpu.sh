#!/bin/sh
# What `cmake --build build/default --target gpu-tests` runs, on a machine with a GPU:
#
#   numbers, answers   their lines are those that an H100 printed
#   warp               the engine's tests of warp instructions, one in a process, on the GPU
#   host, lab18        right host code, by nvcc
#   check-kit          the labs' right kernels, and compute-sanitizer over them
programs=$1 warp=$2 teach=$3
here=$(cd "$(dirname "$0")" && pwd -P)
if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L; then
  echo "not run: no NVIDIA GPU here"
  exit 1
fi
passed=0 failed=0
note() { # status, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $2"; fi
}

for name in numbers answers; do
  "$programs/$name.gpu" hashes >"$programs/$name.txt"
  note $? "$name: does not run to its end"
  diff "$here/$name.h100.txt" "$programs/$name.txt"
  note $? "$name: an H100 answered otherwise (its lines are those with <)"
done

# Values alone: a GPU finds nothing and counts nothing.
values='*Multiplies*:*Holds*:*CountsCommonBits*:*Rounds*:*StopsAt*:*Gives*:*Copies*:*FillsUp*:*Overlaps*:*Reduce*:*Match*:*Shuffle*:*Hold*:CooperativeGroups.*:Atomics.*:*ActiveLanes*'
for test in $("$warp" --gtest_list_tests --gtest_filter="$values" | awk '/^[^ ]/ {suite = $1} /^ / {print suite $1}'); do
  timeout 60 "$warp" --gtest_filter="$test" >"$programs/warp.txt" 2>&1
  status=$?
  note $status "$test"
  [ $status -eq 0 ] || grep -A8 Failure "$programs/warp.txt" | head -n 20
done

for name in round_trip pipeline event_between no_event_between default_stream no_default_stream \
  managed polls in_stream_order careful; do
  timeout 60 "$programs/host.gpu" $name
  note $? "host.cu: $name"
done
for program in "$programs"/lab18.*.gpu; do
  timeout 60 "$program"
  note $? "$program"
done

"$teach" check-kit --only gpu 19 20 21 22 23 24 25 26 27
note $? "check-kit --only gpu"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
