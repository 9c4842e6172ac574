#!/bin/sh
# Bounds are asked in line where an object was met before: whatever became of it, each access is judged as if it was met for
# the first time. Cases are those of sites.c; "exit" for the good ones.
# limit: 300
set -e
want="exit bounds bounds bounds bounds bounds bounds bounds bounds bounds bounds bounds bounds exit bounds exit bounds
bounds bounds exit bounds bounds bounds bounds bounds bounds bounds exit bounds exit exit bounds exit bounds bounds bounds
null null"
n=0
for level in 0 1 2 '1 --quick'; do
	instrument --check div,bounds,null -O $level -o sites "$ROOT/tests/faults/sites.c" -- -w -I"$ROOT"
	i=0
	for end in $want; do
		n=$((n + 1))
		printf '#inputs 1 sites.t\ninput\t1\nv\twhich\tu\t32\t%x\nrun\nend\t3\n' $i >input
		run-trace ./sites <input >trace || :
		got=$(sed -n 's/^done	\([a-z]*\).*/\1/p' trace)
		if [ "$got" = "$end" ]; then echo "ok $n - -O$level, case $i: $end"
		else echo "not ok $n - -O$level, case $i: $got, not $end"; fi
		i=$((i + 1))
	done
done
echo "1..$n"
