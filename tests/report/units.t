#!/bin/sh
# Lines of code of several units: ids are local to each, so that their records may be the same text.
T=$(mktemp -d "${TMPDIR:-/tmp}/units.XXXXXX") && cd "$T" || exit 4
printf 'int f(void)\n{\n\treturn 1;\n}\n' >a.c
printf 'int g(void)\n{\n\treturn 2;\n}\n' >b.c
printf 'int f(void), g(void);\nint main(void)\n{\n\treturn f() + g();\n}\n' >m.c
echo 1..1
duct concolic a.c b.c m.c --keep all --runs 3 --quiet --store t.db >log 2>&1 && duct report t.db --lcov l.info 2>>log
if [ "$(grep -c '^DA:3,[1-9]' l.info)" = 2 ] && [ "$(grep -c '^DA:4,[1-9]' l.info)" = 1 ]; then
	echo "ok - units whose records are alike have their lines"
else
	echo "not ok - units whose records are alike have their lines"; sed 's/^/# /' log l.info
fi
