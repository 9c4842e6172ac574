#!/bin/bash
# share/ci: the steps of each recipe are run, the CMake and Meson modules built and tested.
# limit: 300
. "$ROOT/tests/lib/tap.sh"
ci=$ROOT/share/ci
export DUCT_TIME=3 GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e
mkdir -p p/src && cd p && git init -q . && cat >src/parse.c <<'E'
#include <stdlib.h>
int parse(int c)
{
	if (c == '(')
		return 1;
	return c == ')' ? 2 : 0;
}
E
git add src && git commit -qm one

# steps FILE: the shell code of each step of a workflow, a file each: step.1, ...
steps() {
	rm -f step.*
	awk '
		/^ *run: \|$/ { n++; match($0, /^ */); depth = RLENGTH; on = 1; next }
		on { match($0, /^ */); if (RLENGTH <= depth && length($0)) { on = 0; next }
		     print substr($0, depth + 3) > ("step." n) }' "$1"
}
export DUCT_FILES=src/parse.c GITHUB_STEP_SUMMARY=$PWD/summary
steps "$ci/github.yml"
check "GitHub Actions: five steps" '[ "$(echo step.*)" = "step.1 step.2 step.3 step.4 step.5" ]'
for step in step.*; do
	bash -e "$step" >>log 2>&1 </dev/null
	ok $? "... $step ends with 0"
done
check "... a summary, SARIF" 'grep -q "^### duct" summary && [ -s duct-out/parse.sarif ]'
sed -i 's/return 1;/abort();/' src/parse.c
bash -e step.3 >log 2>&1 </dev/null
status=$?
bash -e step.5 >log 2>&1 </dev/null
check "... a finding fails the job, and is told on its line" '[ $status = 1 ] && grep -q "^src/parse.c:5: warning: abort" log && grep -q "abort at src/parse.c:5" summary'
regexp=$(sed -n 's/.*"regexp": "\(.*\)",/\1/p' "$ci/problem-matcher.json" | sed 's/\\\\/\\/g')
check "... which the matcher takes" 'grep -qP "$regexp" log'
git checkout -q src/parse.c && rm -rf duct-out

awk '/^  script:/ { on = 1; next } on && /^    - / { print substr($0, 7); next } { on = 0 }' "$ci/gitlab.yml" >job
bash -e job >log 2>&1 </dev/null
status=$?
check "GitLab CI" '[ $status = 0 ] && [ -s duct-out/parse.xml ] && [ -s duct-out/parse.junit.xml ] && grep -q " 0 failed" log'
sed -i 's/return 1;/abort();/' src/parse.c
bash -e job >log 2>&1 </dev/null
status=$?
check "... fails with a finding" '[ $status = 1 ] && [ -s duct-out/parse.xml ]'

cp "$ci/pre-commit" .git/hooks/ && git add src && git commit -qm two >log 2>&1
status=$?
check "pre-commit refuses a commit with a finding on a changed line" '[ $status != 0 ] && grep -q "src/parse.c:5: warning: abort" log'
sed -i 's/abort();/return 3;/' src/parse.c && git add src && git commit -qm two >log 2>&1
status=$?
check "... and takes one without" '[ $status = 0 ]'
cd ..

mkdir c && cp p/src/parse.c c/ && cp "$ci/duct.cmake" c/ && cat >c/CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.20)
project(c C)
include(duct.cmake)
set(DUCT_TIME 3)
add_library(parse parse.c)
target_compile_definitions(parse PRIVATE UNUSED=1)
duct_add_tests(parse parse)
E
cmake -S c -B c/build -DCMAKE_BUILD_TYPE=Debug >log 2>&1 && (cd c/build && ctest --output-on-failure) >log 2>&1
status=$?
check "CMake: both tests pass" '[ $status = 0 ] && grep -q "100% tests passed, 0 tests failed out of 2" log && [ -s c/build/duct-parse/parse/tests.c ]'
sed -i 's/return 3;/abort();/' c/parse.c
(cd c/build && ctest) >log 2>&1
status=$?
check "... and fail with a finding" '[ $status != 0 ] && grep -q "duct-parse .*Failed" log'

mkdir -p m/duct && cp p/src/parse.c m/ && cp "$ci/meson/meson.build" m/duct/ && cat >m/meson.build <<'E'
project('m', 'c', meson_version: '>=1.0')
parse = static_library('parse', 'parse.c')
duct_name = 'parse'
duct_sources = ['parse.c']
duct_functions = ['parse']
subdir('duct')
E
sed -i "s/'--time', '60'/'--time', '3'/" m/duct/meson.build
meson setup m/build m >log 2>&1 && meson test -C m/build >log 2>&1
status=$?
check "Meson: both tests pass" '[ $status = 0 ] && grep -q "^Ok: *2" log'
finish
