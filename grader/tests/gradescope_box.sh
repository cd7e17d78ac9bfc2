#!/bin/sh
# Plays Gradescope's autograder for one lab, from the zip to what a student reads, in Ubuntu 22.04,
# as its base image is. It takes root, a network, and debootstrap with Ubuntu's keys, or a folder
# that debootstrap made before.
#   [NIBBLE_JAMMY=FOLDER] gradescope_box.sh SOURCE BUILD LAB
set -eu

source=$1 teach=$2/bin/nibble-teach lab=$3
skip() { echo "not run: $1"; exit; }
[ "$(id -u)" -eq 0 ] || skip "only root can change the root"
unshare -m true 2>/dev/null || skip "no mount namespace of its own"

here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
image=$here/image

# Ubuntu 22.04, and what the base image adds to it.
if [ -n "${NIBBLE_JAMMY:-}" ]; then
  cp -a "$NIBBLE_JAMMY" "$image"
else
  command -v debootstrap >/dev/null || skip "no debootstrap"
  [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || skip "no keys of Ubuntu's"
  debootstrap --variant=minbase --components=main,universe jammy "$image" >"$here/log" 2>&1 ||
    { grep -q 'Failed getting release' "$here/log" && skip "no network"; cat "$here/log"; exit 1; }
  sed 's/ jammy / jammy-updates /' "$image/etc/apt/sources.list" \
    >"$image/etc/apt/sources.list.d/updates.list"
fi

# Runs words in a container: its own mounts and processes, root with the capabilities that Docker
# leaves. A changed root has no user namespaces, as Docker's.
capabilities=-all
for one in chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw \
  sys_chroot mknod audit_write setfcap; do
  capabilities=$capabilities,+$one
done
within() { # root, script
  unshare -m -p -f sh -ec '
    mount -t proc proc "$1/proc"
    for device in null zero urandom random; do
      touch "$1/dev/$device"
      mount --bind "/dev/$device" "$1/dev/$device"
    done
    exec chroot "$1" setpriv --bounding-set "$3" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      HOME=/root DEBIAN_FRONTEND=noninteractive sh -ec "$2"
  ' sh "$@" "$capabilities"
}

cp /etc/resolv.conf "$image/etc/resolv.conf"
within "$image" 'apt-get update -qq && apt-get install -qq -y --no-install-recommends \
  ca-certificates curl dos2unix git python3 tzdata unzip >/dev/null' || skip "apt-get: no network"

# The image of the assignment.
echo "a secret of one course" >"$here/salt"
"$teach" setup gradescope "$lab" --salt-from "$here/salt" -o "$here/lab.zip"
mkdir -p "$image/autograder/source" "$image/autograder/results" "$image/autograder/submission"
cp "$here/lab.zip" "$image/tmp/autograder.zip"
within "$image" 'cd /autograder
  unzip -q -n -d source /tmp/autograder.zip
  cp source/run_autograder run_autograder
  dos2unix -q run_autograder source/setup.sh
  chmod +x run_autograder
  bash source/setup.sh
  rm -rf /var/lib/apt/lists/* /tmp/* /var/tmp/*'

# Whether a results.json fits Gradescope's schema, and its tests add up to its score.
fits() { # file
  python3 -W ignore - "$source/grader/tests/exports/gradescope.schema.json" "$1" <<'PYTHON'
import json, sys
schema, results = (json.load(open(name)) for name in sys.argv[1:])
assert results["score"] == sum(test["score"] for test in results["tests"]), "tests and score"
try:
    from jsonschema import validate
except ImportError:
    print("no jsonschema is here (python3-jsonschema), so no schema was looked at")
else:
    validate(results, schema)
PYTHON
}

# A submission. What the one before left is gone, as it is in a container of one's own.
failed=0
graded() { # words of what a student reads, name of the file, its text
  rm -rf "$image"/autograder/submission/* "$image"/autograder/results/*
  printf '%s\n' "$3" >"$image/autograder/submission/$2"
  within "$image" 'cd /autograder && ./run_autograder' >"$here/said" 2>&1 || failed=1
  python3 -m json.tool --no-ensure-ascii "$image/autograder/results/results.json" >"$here/read"
  if fits "$image/autograder/results/results.json" && grep -qF -- "$1" "$here/read" &&
    ! grep -qF 'a secret of one course' "$here/read" "$here/said"; then
    echo "ok    $2: $1"
  else
    failed=1
    echo "FAIL  $2: not $1"
    cat "$here/said" "$here/read"
  fi
}

file=$(cd "$source/solutions/$lab" && ls)
right=$(grep -v ' NIBBLE-' "$source/solutions/$lab/$file")
graded '"score": 100' "$file" "$right"
graded 'public checks 0 of 75' "$file" "$(cat "$source/labs/$lab/$file")"
graded 'it does not compile, so it has 0 of 100 points' "$file" 'int x'
graded "is My_$file meant? Rename it" "My_$file" "$right"
graded '/autograder/source/salt' "$file" '#include "/autograder/source/salt"'
exit "$failed"
