#!/bin/sh
# Stores that somebody made: other tables, triggers, views, values that no session writes.
# limit: 120
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
command -v sqlite3 >/dev/null || { echo "1..0 # SKIP no sqlite3"; exit 0; }
cat >f.c <<'E2'
int f(int a, const char *s)
{
	if (a > 3)
		return s[1] == 'x';
	return 0;
}
E2
duct concolic f.c --entry f -t 20 -q --store base.db >out 2>&1
result $? "a session"
# made SQL: the store after it
made() { cp base.db made.db; rm -rf to made.db-*; printf 'PRAGMA writable_schema = ON; %s;' "$1" | sqlite3 made.db >sql 2>&1 || cat sql; }
# report OPTIONS: within 10 s, 64 MiB a file, no signal
report() { (ulimit -t 10; ulimit -f 131072; duct report made.db "$@") >out 2>&1; status=$?; [ $status -lt 5 ]; }
refused() { made "$2"; report && [ $status -gt 2 ] && grep -q "$3" out; result $? "$1"; }
refused "a trigger" "CREATE TRIGGER t AFTER INSERT ON test BEGIN UPDATE objective SET verdict = 'infeasible'; END" 'its tables differ'
refused "a view in a table's place" "DROP TABLE lost; CREATE VIEW lost AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS session, x AS number, 'a' AS reason, NULL AS file, 1 AS line, 1 AS count FROM n" 'its tables differ'
refused "a table less" "DROP TABLE lost" 'its tables differ'
refused "a table with other columns" "UPDATE sqlite_master SET sql = replace(sql, 'reason  TEXT NOT NULL', 'reason  TEXT') WHERE name = 'lost'" 'its tables differ'
refused "an entry that is a path" "UPDATE session SET entry = '../../x'" 'not the name of a function'
refused "an ending that is none" "UPDATE test SET ending = '\"); system(\"touch touched'" 'no such ending'
refused "a row with the highest number" "UPDATE session SET id = 9223372036854775807" "a row of .session. has an impossible number"
refused "a row with a negative number" "UPDATE branch SET id = -id" "a row of .branch. has an impossible number"
refused "inputs that are none" "UPDATE test SET inputs = '[[\"a\",\"i\",4000000000,\"0\"]]'" 'malformed inputs'
made "CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM verdict; END"
! duct concolic f.c --entry f -t 20 -q --store made.db >out 2>&1 && grep -q 'its tables differ' out
result $? "no session writes to a store with a trigger"
made "UPDATE test SET inputs = '[[\"s[0]\",\"c\",8,\"0\",4294967295]]'"
report --ktest to && grep -q 'more than 64 MiB' out && [ "$(du -sk to | cut -f 1)" -lt 100 ]
result $? "an offset of 4 GiB writes no files of its size"
made "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '        ') WHERE type = 'table' AND name IN ('session', 'test', 'branch', 'objective', 'function', 'question', 'parameter')"
printf '%s' "UPDATE test SET inputs = NULL, branches = NULL, pairs = '', wrote = NULL, origin = NULL; UPDATE session SET strategy = NULL, search = NULL;
UPDATE branch SET file = NULL, condition = NULL, side = 'none'; UPDATE objective SET verdict = 'yes', evidence = NULL; UPDATE function SET name = NULL;
UPDATE question SET text = NULL; UPDATE parameter SET value = NULL WHERE kind <> 'source';" | sqlite3 made.db
printf "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND 0;" | sqlite3 made.db
sqlite3 base.db "SELECT quote(name) || ' ' || quote(sql) FROM sqlite_master WHERE sql NOT NULL AND type = 'table'" >schema.txt
sqlite3 made.db "ATTACH 'base.db' AS b; PRAGMA writable_schema = ON; UPDATE main.sqlite_master SET sql = (SELECT sql FROM b.sqlite_master AS x WHERE x.name = main.sqlite_master.name) WHERE sql NOT NULL" 2>sql
good=0
for form in "" --json --branches --tests --stats --markdown --annotate --findings "--lcov to.lcov" "--cobertura to.xml" "--junit to.xml" "--sarif to.json" \
	"--html page" "--ktest to" "--out tests" "--testcomp to.zip" "--all" "--minimal"; do
	report $form || { good=1; echo "# report $form"; tail -n 3 out | sed 's/^/# /'; }
done
grep -q 'its tables differ' out && good=2
result $good "values that cannot be NULL and are"
made "UPDATE branch SET line = 4294967295"
report --annotate && grep -q '^.*4294967295 |' out
result $? "a line of four billion costs no time"
made "UPDATE session SET strategy = 'x */ __attribute__((constructor)) static void evil(void) { __builtin_trap(); } /* '; UPDATE test SET origin = '*/ int evil2 = 1; /*', ub = '*/ # error x /*'"
report --out hostile --force && make -s -C hostile check CFLAGS=-O0 >out 2>&1 && ! grep -q 'x \*/' hostile/tests.c
result $? "names that would end a comment of an emitted test"
# Compilers join a line that ends with a backslash, and blanks, with the next one.
made "UPDATE test SET ub = '*' || char(92, 32, 10) || '/ int evil3 = @; /*'"
report --out joined --force && make -s -C joined check CFLAGS=-O0 >out 2>&1
result $? "... also one that is on two lines"
# Reading the sources again takes flags from the store: they write nothing.
made "INSERT INTO parameter VALUES (1, 'flag', 1, '-MD'), (1, 'flag', 2, '-MF'), (1, 'flag', 3, '$PWD/written'), (1, 'flag', 4, '-Xclang'),
	(1, 'flag', 5, '-stats-file=$PWD/written'), (1, 'flag', 6, '--serialize-diagnostics'), (1, 'flag', 7, '$PWD/written')"
report --html page && [ -s page/index.html ] && [ ! -e written ]; result $? "flags that name files to write"
# A source that is no file: a pipe that nobody writes to, a device without end.
mkfifo pipe
good=0
for file in "$PWD/pipe" /dev/zero; do
	made "UPDATE function SET file = '$file'; UPDATE branch SET file = '$file'; UPDATE pair SET def_file = '$file', use_file = '$file'; UPDATE parameter SET value = '$file' WHERE kind = 'source'; UPDATE program SET name = '$file'"
	for form in "" --json --annotate --markdown "--html page" "--out tests --force" "--testcomp to.zip" "--sarif to.json"; do
		([ -n "$SAN" ] || ulimit -v 2000000; timeout $((10 * ${SLOWER:-1})) duct report made.db $form) >out 2>&1
		[ $? -lt 5 ] || { good=1; echo "# report $form: $file"; }
	done
done
result $good "sources that are no files"
[ ! -e touched ]; result $? "nothing ran"
echo "1..19"
