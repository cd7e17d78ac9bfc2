#!/bin/sh
# The script ./nibble on machines that are not this one: stand-ins for apt-get, cmake, ninja and c++
# say what is there and what goes wrong, and write down that they were asked.
#   script_test.sh SOURCE BUILD
set -u
unset NIBBLE_NO_INSTALL  # what is asked for below is said there

source=$1
built=$2
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
failures=0

begin() {
  test_name=$1
  rm -rf "${top:?}"/* && mkdir -p "$top/bin" "$top/kit/grader/cli" "$top/kit/grader/teach" \
    "$top/kit/labs/03_symmetric" "$top/kit/labs/04_asymmetric" "$top/kit/solutions" "$top/kit/common"
  cp "$source/nibble" "$source/CMakeLists.txt" "$source/CMakePresets.json" "$top/kit"
  cp "$source/grader/cli/help.txt" "$top/kit/grader/cli" 2>/dev/null
  cp "$source/grader/teach/help.txt" "$top/kit/grader/teach" 2>/dev/null
  stand_in sudo 'exec "$@"'
  stand_in slurmctld ''
  stand_in c++ "! grep -qF \"\$(cat $top/missing 2>/dev/null || echo nothing)\" >/dev/null"
  stand_in mold ''
  stand_in apt-get "rm -f $top/missing"
  stand_in cmake "mkdir -p $top/build/bin; touch $top/build/build.ninja $top/build/compile_commands.json
    printf ' \"eigen_include\": \"/usr/include\"\n  \"labs\": {\"03_symmetric\": \"ordinary\", \"04_asymmetric\": \"kernels\"},\n' \
      >$top/build/kit.json"
  stand_in ninja "for p in nibble nibble-teach; do printf '#!/bin/sh\necho program \$*\n' \\
    >$top/build/bin/\$p; chmod +x $top/build/bin/\$p; done
    echo '[1/1] Linking CXX executable bin/nibble'"
}

stand_in() { # name, what it does
  printf '#!/bin/sh\necho "%s $*" >>%s/asked\n%s\n' "$1" "$top" "$2" >"$top/bin/$1"
  chmod +x "$top/bin/$1"
}

nibble() { # words; sets status, and writes what was said to $top/said
  env PATH="$top/bin:/usr/bin:/bin" NIBBLE_BUILD="$top/build" "$top/kit/nibble" "$@" \
    >"$top/said" 2>&1 </dev/null
  status=$?
}

fail() {
  failures=$((failures + 1))
  echo "FAIL  $test_name: $1"
  sed 's/^/      | /' "$top/said"
}
expect_status() { [ "$status" -eq "$1" ] || fail "ended with $status, not $1"; }
expect_said() { grep -q -- "$1" "$top/said" || fail "does not say: $1"; }
expect_unsaid() { ! grep -q -- "$1" "$top/said" || fail "says: $1"; }
expect_asked() { grep -q -- "$1" "$top/asked" || fail "was not asked: $1"; }
expect_unasked() { ! grep -q -- "$1" "$top/asked" 2>/dev/null || fail "was asked: $1"; }

# --- Installing -----------------------------------------------------------------------------------

lock='E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 42 (unattended-upgr)'

begin "apt's lock is waited for"
echo fmt/format.h >"$top/missing"
stand_in apt-get "[ -e $top/let_go ] || { echo '$lock' >&2; touch $top/let_go; exit 100; }
  [ \"\$1\" = update ] || rm $top/missing"
nibble list
expect_status 0
expect_said 'apt is locked by process 42 (unattended-upgr): waiting'
expect_said 'program list'
expect_asked 'apt-get install .*libfmt-dev'

begin "a lock that stays is told, with the one who holds it"
echo fmt/format.h >"$top/missing"
stand_in apt-get "echo '$lock' >&2; exit 100"
NIBBLE_APT_WAIT=2 nibble list
expect_status 5
expect_said 'still locked after 2 s, by process 42 (unattended-upgr): run ./nibble again'
expect_unsaid 'network'

begin "another failure of apt's is told in its own words, at once"
echo fmt/format.h >"$top/missing"
stand_in apt-get "echo 'E: no space left' >&2; exit 100"
nibble list
expect_status 5
expect_said 'E: no space left'
expect_unsaid waiting

begin "check-kit installs what it needs"
nibble list
echo Eigen >"$top/missing"
echo '{ "eigen_include": "" }' >"$top/build/kit.json"
nibble teach check-kit
expect_status 0
expect_asked 'apt-get install .*libeigen3-dev'
expect_said 'program check-kit'

# --- Questions ------------------------------------------------------------------------------------

begin "a question installs and builds nothing"
echo fmt/format.h >"$top/missing"
for words in --help --version 'teach --help' 'teach grade --help' 'run --help' 'test --help' help 'help run' \
  'teach help' 'teach help grade'; do
  # shellcheck disable=SC2086  # several words
  nibble $words
  expect_status 0
  expect_unasked 'apt-get\|cmake\|ninja'
done
nibble --help
NIBBLE_BUILD=$built "$built/bin/nibble" --help | cmp -s - "$top/said" ||
  fail "the program says something else: write that to grader/cli/help.txt, up to its last empty line"
nibble teach --help
NIBBLE_BUILD=$built "$built/bin/nibble-teach" --help | cmp -s - "$top/said" ||
  fail "the program says something else: write that to grader/teach/help.txt"
nibble --version
[ "$(NIBBLE_BUILD=$built "$built/bin/nibble" --version)" = "$(cat "$top/said")" ] ||
  fail "the program has another version"

# --- Building -------------------------------------------------------------------------------------

steps() { # from, to, of how many
  awk -v from="$1" -v to="$2" -v all="$3" 'BEGIN { for (i = from; i <= to; i++) printf \
    "[%d/%d 7.5] Building CXX object labs/CMakeFiles/judge.%02d_name.dir/__/grader/checks/x.cpp.o\n",
    i, all, i }'
}

broken_lab='FAILED: labs/CMakeFiles/judge.03_symmetric.dir/__/grader/checks/03_symmetric.cpp.o 
/usr/bin/c++ -O1 -c 03_symmetric.cpp
grader/checks/03_symmetric.cpp:12:3: error: planted'

begin "a build says how far it is, for how long, and at what"
steps 1 40 40 >"$top/words"
stand_in ninja "cat $top/words; printf '#!/bin/sh\necho program\n' >$top/build/bin/nibble
  chmod +x $top/build/bin/nibble"
nibble list
expect_status 0
expect_said '^building '
expect_said '^ 10 %  7 s  lab 04_name'
expect_said '^100 %  7 s  lab 40_name'
expect_said '^built in 7 s'
[ -e "$top/kit/compile_commands.json" ] || fail "no compile_commands.json where editors look"
[ "$(grep -c '%  ' "$top/said")" -eq 10 ] || fail "not ten lines"

broken_lab='FAILED: labs/CMakeFiles/judge.03_symmetric.dir/__/grader/checks/03_symmetric.cpp.o 
/usr/bin/c++ -O1 -c 03_symmetric.cpp
grader/checks/03_symmetric.cpp:12:3: error: planted'

# A ninja of few words: what `stale` names has to be built, and what `broken` names cannot be.
small_ninja='case "$*" in
  *" -n "*) grep -qxF "${5:-$4}" '$top'/stale && echo "[1/1] something" || echo "ninja: no work to do."; exit ;;
esac
rc=0
for t; do
  case $t in -* | 0 | '$top'*) continue ;; esac
  if grep -qxF -- "$t" '$top'/broken; then
    cat '$top'/words; rc=1
  else
    grep -vxF -- "$t" '$top'/stale >'$top'/rest; mv '$top'/rest '$top'/stale
    [ $t != learner ] || { printf "#!/bin/sh\necho program \$* fresh=\$NIBBLE_FRESH\n" \
      >'$top'/build/bin/nibble; chmod +x '$top'/build/bin/nibble; }
    case $t in lab-*) touch '$top'/build/bin/judge.${t#lab-}; chmod +x '$top'/build/bin/judge.* ;; esac
  fi
done
exit $rc'

begin "a lab is built when it is first asked for, and no other is"
printf '%s\n' learner lab-03_symmetric lab-04_asymmetric >"$top/stale"
: >"$top/broken"
stand_in ninja "$small_ninja"
nibble list
expect_status 0
[ -z "$(ls "$top/build/bin" | grep judge)" ] || fail "a lab was built"
nibble run 04
[ "$(ls "$top/build/bin" | grep judge)" = judge.04_asymmetric ] || fail "not lab 04 alone"
expect_said '^program run 04 fresh=04_asymmetric$'
nibble run symmetric.quantize_symmetric
expect_said 'fresh=03_symmetric$'
mkdir -p "$top/kit/.nibble/out/03_symmetric"
sleep 1
mkdir -p "$top/kit/.nibble/out/04_asymmetric"
nibble  # what was judged last
expect_said '^program  *fresh=04_asymmetric$'
nibble run quantize_asymmetric  # so, too, where a word says little
expect_said 'fresh=04_asymmetric$'
nibble hint
expect_said 'fresh=$'

begin "the first lab is built with the command"
printf '%s\n' learner lab-03_symmetric lab-04_asymmetric >"$top/stale"
: >"$top/broken"
stand_in ninja "$small_ninja"
nibble
expect_said '^program  *fresh=03_symmetric$'

# As `nibble`, on a terminal.
nibble_on_terminal() { # words
  env -u CI PATH="$top/bin:/usr/bin:/bin" NIBBLE_BUILD="$top/build" \
    script -qec "$top/kit/nibble $*" /dev/null >"$top/said" 2>&1 </dev/null
  status=$?
}
soon() { # a command that holds within seconds
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    ! "$@" || return 0
    sleep 0.5
  done
  return 1
}

if command -v script >/dev/null && command -v flock >/dev/null && command -v setsid >/dev/null; then
  begin "the lab that comes next is built while the learner reads"
  printf '%s\n' learner lab-03_symmetric lab-04_asymmetric >"$top/stale"
  : >"$top/broken"
  stand_in ninja "$small_ninja"
  nibble_on_terminal run 03
  expect_status 0
  soon test -e "$top/build/bin/judge.04_asymmetric" || fail "lab 04 is not built"
  expect_asked 'ninja .* -j 1 lab-04_asymmetric$'
  : >"$top/asked"
  nibble_on_terminal run 03
  nibble_on_terminal run 04
  sleep 1
  expect_unasked "-j 1"  # it stands; and nothing comes after the last

  begin "what nobody waits for is out of the way at once"
  printf '%s\n' learner lab-03_symmetric lab-04_asymmetric >"$top/stale"
  : >"$top/broken"
  stand_in ninja "case \"\$*\" in *'-j 1'*) exec sleep 60 ;; esac
$small_ninja"
  nibble_on_terminal run 03
  soon test -e "$top/build/.ahead" || fail "nothing is built ahead"
  nibble run 03
  expect_status 0
  expect_unsaid 'waiting for another build'
  [ ! -e "$top/build/.ahead" ] || fail "still says that something is built ahead"

  begin "who reads a log gets no lab that was not asked for"
  printf '%s\n' learner lab-03_symmetric lab-04_asymmetric >"$top/stale"
  : >"$top/broken"
  stand_in ninja "$small_ninja"
  nibble run 03
  sleep 1
  expect_unasked "-j 1"
fi

begin "labs are built ahead of time, one or all"
printf '%s\n' learner lab-03_symmetric lab-04_asymmetric >"$top/stale"
: >"$top/broken"
stand_in ninja "$small_ninja"
nibble build 40
expect_status 2
expect_said 'no lab is called 40: ./nibble list'
nibble build 4
expect_status 0
expect_asked 'ninja .* lab-04_asymmetric$'
nibble build
expect_asked 'ninja .* lab-03_symmetric lab-04_asymmetric learner$'

begin "a lab that does not build stops nothing else"
printf '%s\n' learner lab-03_symmetric lab-04_asymmetric >"$top/stale"
echo lab-03_symmetric >"$top/broken"
echo "$broken_lab" >"$top/words"
stand_in ninja "$small_ninja"
nibble run 03
expect_status 0
expect_said 'does not build: lab 03_symmetric'
expect_said '03_symmetric.cpp:12:3: error: planted'
expect_unsaid '/usr/bin/c++ -O1'
expect_said 'lab 03_symmetric is not built'
expect_said '^program run 03 fresh=03_symmetric$'  # which says why, from this note:
grep -q 'error: planted' "$top/build/not_built/03_symmetric.txt" || fail "no note of it"
nibble run 04
expect_unsaid planted
expect_said '^program run 04'
nibble teach check-kit
expect_asked 'ninja .* lab-03_symmetric lab-04_asymmetric learner nibble-teach$'
: >"$top/broken"
nibble run 03
expect_unsaid 'not built'
[ ! -e "$top/build/not_built" ] || fail "the note of it stays"

begin "who grades, attacks or hands out waits for no lab before it is known which"
for words in 'grade --lab 03 all' 'attack exit_zero' 'handout there 03'; do
  rm -f "$top/asked"
  # shellcheck disable=SC2086  # split on purpose
  nibble teach $words
  expect_asked 'ninja .* -k 0 learner nibble-teach$'
done

begin "an author waits for the labs that are named"
nibble teach new 36_clip
expect_asked 'ninja .* -k 0 learner nibble-teach$'
nibble teach check-kit -j 4 03
expect_asked 'ninja .* -k 0 lab-03_symmetric learner nibble-teach$'
nibble teach check-kit
expect_asked 'ninja .* -k 0 lab-03_symmetric lab-04_asymmetric learner nibble-teach$'

begin "the kit's own tests want every lab"
stand_in ctest ''
nibble test -R some
expect_status 2  # no such preset
nibble test
expect_status 0
expect_asked '^ctest --test-dir'
rm "$top/asked"
echo "$broken_lab" >"$top/words"
stand_in ninja "cat $top/words; exit 1"
nibble test
expect_status 6
expect_unasked '^ctest'
expect_said '03_symmetric.cpp:12:3: error: planted'

begin "a test that calls ./nibble does not wait for the tests to end"
stand_in ctest "timeout 10 $top/kit/nibble list"
nibble test
expect_status 0
expect_said 'program list'

begin "what does not build besides labs stops, in the compiler's words"
{ steps 1 2 40; echo "$broken_lab"; echo 'FAILED: grader/CMakeFiles/judge.dir/judge/run.cpp.o '
  echo '/usr/bin/c++ -c run.cpp'; echo 'run.cpp:7:1: error: elsewhere'; } >"$top/words"
stand_in ninja "cat $top/words; exit 1"
nibble list
expect_status 6
expect_said 'run.cpp:7:1: error: elsewhere'
expect_said 'the kit did not build'

# --- Python ---------------------------------------------------------------------------------------

# An interpreter with its headers, and all it needs but what is named.
stand_in_python() { # name, what it lacks
  stand_in "$1" "case \$2 in *sys.executable*) echo $top/bin/$1 ;; *${2:-nothing}*) exit 1 ;;
    *sysconfig*) echo /usr/include ;; *pybind11*) exit 1 ;; esac"
}

begin "Python is looked for when it is asked for, and configured once"
stand_in_python python3
nibble list
expect_unasked 'NIBBLE_PYTHON\|python3'
stand_in cmake "echo NIBBLE_PYTHON:FILEPATH=$top/bin/python3 >$top/build/CMakeCache.txt
  touch $top/build/build.ninja"
nibble python script.py --help
expect_status 0
expect_asked "cmake .*-DNIBBLE_PYTHON=$top/bin/python3"
expect_said 'program python script.py --help'
rm "$top/asked"
nibble python
expect_unasked cmake
stand_in_python other
NIBBLE_PYTHON=$top/bin/other nibble python
expect_asked "cmake .*-DNIBBLE_PYTHON=$top/bin/other"

begin "what Python lacks is installed, unless the Python was chosen"
stand_in_python python3
nibble list
echo pybind11/pybind11.h >"$top/missing"
nibble python
expect_status 0
expect_asked 'apt-get install .*pybind11-dev'
stand_in_python chosen numpy
rm "$top/asked"
NIBBLE_PYTHON=$top/bin/chosen nibble python
expect_status 5
expect_said "$top/bin/chosen has no NumPy:  $top/bin/chosen -m pip install numpy"
expect_unasked apt-get

begin "a build that is killed is no success"
stand_in ninja 'kill -9 $$'
nibble list
expect_status 6

begin "a folder that cannot be written is one line with its remedy"
touch "$top/file"
env PATH="$top/bin:/usr/bin:/bin" NIBBLE_BUILD="$top/file/build" "$top/kit/nibble" list >"$top/said" 2>&1
status=$?
expect_status 5
expect_said 'cannot write to .*NIBBLE_BUILD=FOLDER'
[ "$(wc -l <"$top/said")" -eq 1 ] || fail "not one line"

begin "what ninja has nothing to do for is not announced"
nibble list
stand_in ninja 'echo "ninja: no work to do."'
nibble list
[ "$(cat "$top/said")" = "program list" ] || fail "says more than the program"

[ "$failures" -eq 0 ] && echo "the script does what it says"
