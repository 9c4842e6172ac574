#!/bin/sh
# waits
# limit: 120
# A report while the session runs, after kill -9, and after going on; two sessions into one store.
. "$ROOT/tests/lib/tap.sh"
sound() { [ "$(sqlite3 "$1" 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ]; }
tests() { sqlite3 "$1" 'SELECT count(*) FROM test'; }

cat >long.c <<'EOC'
int walk(unsigned *a)
{
	int n = 0, i;

	for (i = 0; i < 24; i++)
		if (a[i] > 7u)
			n++;
	return n > 23;
}
EOC
duct concolic long.c --entry walk --len a=24 --keep all --search dfs --time 60 --quiet --store s.db >out 2>log &
pid=$!
i=0
until [ -f s.db ] && [ "$(tests s.db 2>/dev/null || echo 0)" -gt 5 ] || [ $i -gt 300 ]; do sleep 0.1; i=$((i + 1)); done
report --store s.db >live.txt 2>log && grep -q '^still running' live.txt
ok $? "a report while the session runs"
report --store s.db --json >live.json 2>log && grep -q '"ended": null' live.json
ok $? "JSON while the session runs"
kill -9 $pid
wait $pid 2>/dev/null
sound s.db
ok $? "kill -9 leaves a sound store"
before=$(tests s.db)
report --store s.db --out t >log 2>&1 && make -s -C t check CC=gcc >log 2>&1
ok $? "the tests of a killed session pass"
duct concolic long.c --entry walk --len a=24 --runs $((before + 20)) --quiet --store s.db --resume >log 2>&1
[ $? = 0 ] && [ "$(sqlite3 s.db "SELECT count(*) FROM execution WHERE session = 2 AND origin = 'replay'")" -ge $((before - 1)) ]
ok $? "going on replays what was kept"

for k in 1 2; do
	duct concolic long.c --entry walk --len a=24 --runs 300 --seed $k --quiet --store two.db >log.$k 2>&1 &
done
wait
[ "$(sqlite3 two.db 'SELECT count(*) FROM session WHERE ended IS NOT NULL')" = 2 ] &&
	[ "$(sqlite3 two.db 'SELECT min(n) FROM (SELECT count(*) AS n FROM execution GROUP BY session)')" = 300 ] && sound two.db
ok $? "two sessions at once lose nothing"
finish
