#!/bin/sh
# duct farm: lines that are whole commands; stores merged in any order; two hosts, of which one dies halfway.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
examples=$ROOT/share/examples

skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
dump() { sqlite3 "$1" .dump; }
refused() { check "$3" "duct farm $1 >out 2>log; [ \$? = $2 ] && grep -qF '$3' log"; }

cp "$examples/bsort.c" "$examples/power.c" .
duct farm dft bsort.c power.c --len a=4 --prove -t 5 -- -DN=4 >lines 2>log
check "a line for each function, with the options that are for it" '
	[ "$(wc -l <lines)" = 3 ] && ! grep -v "^mkdir -p stores && duct dft bsort.c power.c .*--time=5 .*--once.* -- -DN=4$" lines &&
	grep -q -e "--len=a=4 .*--entry=bsort --store=stores/bsort.db" lines && [ "$(grep -c -e --len lines)" = 1 ]'
sh lines >out 2>log
check "each is done by itself" '[ "$(grep -c "^dft of" out)" = 3 ]'
mv stores far
duct farm concolic bsort.c --entry bsort --keep all --len a=5 -n 500 --stores "a b" --shares 2 -- -DN=5 >lines 2>log
check "shares of an entry, words quoted" '[ "$(wc -l <lines)" = 2 ] &&
	grep -q -e "^mkdir -p .a b. && .*--store=a b/bsort-1of2.db. --once --quiet --share=1/2 -- -DN=5" lines'
sh lines >out 2>log
sh lines >again 2>>log
check "once: what was asked is not asked again" '[ "$(sqlite3 "a b/bsort-2of2.db" "SELECT count(*) FROM session")" = 1 ] && cmp out again'

cp "a b"/* far
check "stores are merged" 'duct farm --merge all.db far/*.db 2>log &&
	[ "$(sqlite3 all.db "PRAGMA integrity_check; PRAGMA foreign_key_check")" = ok ]'
dump far/power.db >power
check "of one store, all of it" 'duct farm --merge alone.db far/power.db && dump alone.db | cmp - power'
dump all.db >all
check "in any order" 'ls -r far/*.db | xargs duct farm --merge other.db 2>log && dump other.db | cmp - all'
check "in parts, some twice" 'rm other.db; for s in far/p*.db far/b*.db far/*.db; do duct farm --merge other.db $s || break; done 2>log &&
	dump other.db | cmp - all'
check "shares are one session" '[ "$(sqlite3 all.db "SELECT count(*) FROM session JOIN test ON session.id = session
	WHERE strategy = '\''concolic'\'' AND exhausted")" = 120 ]'
check "proofs come with it" 'duct prove --check all.db --session "$(sqlite3 all.db "SELECT max(id) FROM session WHERE entry =
	'\''power'\''")" >out 2>log'

cp far/power.db liar.db
sqlite3 liar.db "UPDATE session SET started = started + 1; UPDATE objective SET verdict = 'covered' WHERE kind = 'pair' AND verdict = 'infeasible'"
cp all.db before.db
refused "--merge all.db far/power.db liar.db" 1 "is covered in liar.db and infeasible in all.db"
check "nothing is lost then" 'cmp all.db before.db && [ ! -e all.db.new ]'
echo rubbish >rubbish.db
refused "--merge all.db rubbish.db" 3 "rubbish.db: "
refused "--merge all.db none.db" 4 "none.db: no such store"
refused "--merge all.db" 2 "no store: duct farm --merge OUT STORE..."
refused "dtf bsort.c" 2 "did you mean \`dft\`?"
refused "dft" 2 "no C file: duct farm dft FILE.c..."
refused "dft bsort.c --entry bsrot" 2 "bsrot"

# Two hosts: no other network, processes of their own, the folder is shared. SHELL: sshd sets it, and parallel
# runs nothing without it.
cat >host <<'E2'
#!/bin/sh
name=$1; shift
[ "$1" != -- ] || shift
[ ! -e "$HOSTS/$name.dead" ] || exit 255
echo $$ >"$HOSTS/$name.$$.pid"
SHELL=/bin/sh
export SHELL
exec unshare -r -n -p -f --kill-child --mount-proc sh -c "$*"
E2
chmod +x host
HOSTS=$PWD
export HOSTS
if ! parallel --version 2>/dev/null | grep -q GNU; then
	skip "two hosts" "GNU parallel is not installed"
elif ! unshare -r -n -p -f --kill-child --mount-proc true 2>/dev/null; then
	skip "two hosts" "no name spaces"
else
	duct farm concolic bsort.c --entry bsort --keep all --len a=6 --shares 3 --stores hosts -- -DN=6 >lines
	farm() { parallel --will-cite --ssh "$PWD/host" -S 1/one,1/two --wd "$PWD" --joblog jobs "$@" <lines >out 2>log; }
	runs() { for s in hosts/*.db; do [ ! -s "$s" ] || sqlite3 "$s" 'SELECT number FROM execution LIMIT 1'; done; }
	farm &
	job=$!
	until { [ -n "$(cat two.*.pid 2>/dev/null)" ] && [ -n "$(runs 2>/dev/null)" ]; } || ! kill -0 $job 2>/dev/null; do
		sleep 0.02
	done
	: >two.dead
	kill -9 $(cat two.*.pid)
	wait $job
	ok $(($? == 0)) "two hosts, one of which dies"
	rm -f two.dead
	farm --resume-failed
	ok $? "what is left is done when it is there again"
	duct farm --merge hosts.db hosts/*.db >out 2>log &&
		duct concolic bsort.c --entry bsort --keep all --len a=6 --store one.db -q -- -DN=6 >out 2>log
	last() { sqlite3 "$1" "SELECT ended, (SELECT value FROM figure WHERE session = id AND name = 'paths'),
		(SELECT count(*) FROM test WHERE session = session.id) FROM session ORDER BY id DESC LIMIT 1"; }
	check "and the result is that of one session" '[ "$(last hosts.db)" = "$(last one.db)" ] && [ "$(last one.db)" = "exhausted|720.0|720" ] ||
		{ last hosts.db; last one.db; false; }'
	duct report --branches --store hosts.db | cut -f 1-6 >hosts.verdicts
	check "with the same verdicts" 'duct report --branches --store one.db | cut -f 1-6 | cmp - hosts.verdicts'
fi
finish
