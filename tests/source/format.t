#!/bin/sh
# C and C++ look as .clang-format says.
cd "$ROOT" || exit 4
echo 1..1
find lib tools share tests/unit tests/fuzz -path share/examples -prune -o -name '*.[ch]' -print -o -name '*.cc' -print |
	grep -vE '^share/.*/(examples|src)/' | xargs clang-format-19 --dry-run -Werror >/dev/null 2>"${TMPDIR:-/tmp}/format"
if [ $? = 0 ]; then
	echo 'ok - clang-format would change nothing'
else
	echo 'not ok - clang-format would change nothing'
	grep error: "${TMPDIR:-/tmp}/format" | cut -d: -f1 | sort | uniq -c | sed 's/^/# /'
fi
