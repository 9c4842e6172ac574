#!/bin/sh
# tests/run in a tree of three tests: by words, also when all that are chosen mostly wait; failures; limits, which SLOWER multiplies, and some that are no numbers.
mkdir -p tests/a build && cp "$ROOT/tests/run" tests/run && echo '# none' >tests/first && echo '# none' >tests/known
printf '#!/bin/sh\n# waits\necho "ok - it waited"\n' >tests/a/waiting.t
printf '#!/bin/sh\necho "not ok - it fails"\n' >tests/a/failing.t
printf '#!/usr/bin/env lua5.4\n-- limit: soon\nprint "ok - in time"\n' >tests/a/limited.t
printf '#!/bin/sh\n# limit: 1\nsleep 2\necho "ok - after 2 s"\n' >tests/a/slow.t
chmod +x tests/a/*.t
# says WORD LAST TEXT: what the last line is, for the tests with that name
says() {
	BUILD=$PWD/build ./tests/run "$1" >out 2>&1
	[ "$(tail -n 1 out)" = "$2" ] && grep -q "$3" out && echo "ok - $1" || { echo "not ok - $1"; sed 's/^/# /' out; }
}
says waiting '1 passed, 0 failed' '^ok - a/waiting: 1 passed'
says failing '0 passed, 1 failed' '^not ok - a/failing: it fails'
says limited '0 passed, 1 failed' "'soon' is not a time limit"
SLOWER=1
export SLOWER
says slow '0 passed, 1 failed' '^not ok - a/slow: no result'
SLOWER=9
says slow '1 passed, 0 failed' '^ok - a/slow: 1 passed'
says a/ '2 passed, 2 failed' '^ok - a/waiting: 1 passed'
echo "1..6"
