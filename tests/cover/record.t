#!/bin/sh
# Whatever a test's processes do, what they covered is recorded; two recorders lose nothing.
# limit: 300
. "$ROOT/tests/lib/tap.sh"
# record LINE [OPTION...]: a line of shell, into a new store.
record() {
	line=$1
	shift
	rm -f s.db*
	duct cover --quiet --store s.db "$@" -- sh -c "$line" >out 2>log
}
sql() { sqlite3 -separator ' ' s.db "$1"; }
# Conditions of main.c whose true side some test took, by their lines' marks.
taken() { sql "SELECT DISTINCT condition FROM objective JOIN branch ON kind = 'branch' AND goal = branch.id WHERE verdict = 'covered' AND side = 'true' AND condition LIKE 'is(%' ORDER BY 1" | tr -d '\n'; }
tests() { sql 'SELECT count(*) FROM test'; }
sound() { [ "$(sqlite3 "$1" 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ]; }

cat >main.c <<'EOC'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char **word;
static int is(char c) { return word[1][0] == c; }
int library(int);
static void *thread(void *p) { return is('t') ? p : NULL; }

int main(int argc, char **argv)
{
	word = argv;
	if (argc < 2)
		return 0;
	if (argc > 2) {
		closefrom(3);
		if (fork() == 0)
			_exit(word[1][0] == 'y');
		wait(NULL);
		execv(argv[0], (char *[]){ argv[0], argv[2], argv[3], NULL });
	}
	if (is('a')) abort();
	if (is('c')) *(volatile int *)0 = 1;
	if (is('e')) _exit(0);
	if (is('k')) kill(getpid(), SIGKILL);
	if (is('l')) return library(1);
	if (is('p')) { puts("p"); fflush(stdout); for (;;) pause(); }
	if (is('r') && chroot("/proc/self") == 0 && chdir("/") == 0 && fork() == 0) exit(is('r'));
	if (is('t')) {
		pthread_t t[4];
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, thread, argv);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
	}
	if (is('v') && vfork() == 0) {
		execv(argv[0], (char *[]){ argv[0], "z", NULL });
		_exit(1);
	}
	if (is('x')) { clearenv(); execv(argv[0], (char *[]){ argv[0], "y", NULL }); }
	if (is('y')) return 0;
	if (is('z')) return 0;
	wait(NULL);
	return 0;
}
EOC
echo 'int library(int x) { return x ? 5 : 6; }' >library.c
duct cc -fPIC -shared -o liblibrary.so library.c >log 2>&1 &&
	duct cc -o p main.c -L. -llibrary -Wl,-rpath,'$ORIGIN' >log 2>&1
ok $? "the programs are built"

for way in "a a crash by abort" "c a crash" "e _exit" "k kill -9" "t threads"; do
	record "./p ${way%% *}"
	[ "$(taken)" = "is('${way%% *}')" ] && [ "$(tests)" = 1 ]
	ok $? "${way#* }"
done
[ "$(record './p a'; sql 'SELECT ending, failure FROM test')" = "abort 1" ]
ok $? "an abort is a failure of its test"
record './p p >fifo & pid=$!; until grep -q p fifo; do sleep 0.02; done; kill -9 $pid'
[ "$(taken)" = "is('p')" ]
ok $? "a process that is killed from outside"
record './p l' ; [ $? = 5 ] && [ "$(sql "SELECT side FROM coverage JOIN branch ON coverage.branch = branch.id WHERE file = 'library.c'")" = true ]
ok $? "a shared library, and the command's exit status"
record './p y z e'
[ "$(taken)" = "is('e')" ]
ok $? "fork and exec with descriptors closed"
[ "$(tests)" = 1 ] && [ "$(sql 'SELECT processes, name FROM suite')" = "5 ./p y z e" ]
ok $? "a tree of processes is one test"
record './p y z e' --per process
[ "$(tests)" = 5 ]
ok $? "--per process: five"
record './p v'
[ "$(taken)" = "is('v')is('z')" ]
ok $? "vfork and exec"
record './p x'
[ "$(taken)" = "is('x')is('y')" ]
ok $? "exec with an empty environment"
record 'env -i ./p y'
[ "$(taken)" = "is('y')" ]
ok $? "env -i"
if [ "$(id -u)" = 0 ]; then
	record './p r'
	[ "$(taken)" = "is('r')" ]
	ok $? "fork after chroot"
fi
record 'cp p q && mkdir -p d && cp liblibrary.so d && mv q d/q && (cd / && '"$PWD"'/d/q z) && rm -r d'
[ "$(taken)" = "is('z')" ] && [ "$(sql 'SELECT name FROM suite')" = "d/q z" ]
ok $? "a program that is moved, run elsewhere and removed"
record 'for i in 1 2 3 4 5 6 7 8; do for w in e k l t v z; do ./p $w & done; done; wait'
[ "$(tests)" = 48 ] && [ "$(taken)" = "is('e')is('k')is('l')is('t')is('v')is('z')" ] && sound s.db
ok $? "48 processes in parallel"
record 'for i in 1 2 3; do ./p e; ./p z; done' --per command
[ "$(sql 'SELECT name, processes FROM suite ORDER BY 1' | tr '\n' ' ')" = "./p e 3 ./p z 3 " ]
ok $? "--per command"
record 'for i in 1 2; do DUCT_TEST=one ./p e; DUCT_TEST=two ./p z; done'
[ "$(sql 'SELECT name, processes FROM suite ORDER BY 1' | tr '\n' ' ')" = "one 2 two 2 " ]
ok $? "DUCT_TEST names a test"
record './p z; ./p z'
[ "$(sql 'SELECT name FROM suite' | tr '\n' ' ')" = "./p z ./p z #2 " ]
ok $? "the same name again gets a number"
record './p l' --except 'lib*'
[ -z "$(sql "SELECT name FROM function WHERE file = 'library.c'")" ] && [ "$(taken)" = "is('l')" ]
ok $? "--except leaves out files"
record './p l' --only 'lib*'
[ "$(sql 'SELECT DISTINCT file FROM branch')" = library.c ]
ok $? "--only takes no others"

cat >spoil.sh <<'EOS'
# Copies of a record with a word of rubbish at each of its fields.
dir=${DUCT_COVER%:*}
./p z
good=$(ls $dir/*-0.record | head -n 1)
for at in $(seq 0 4 160); do
	for word in '\377\377\377\377' '\000\000\000\000' '\001\020\000\000'; do
		copy=$dir/$at-$(echo $word | cksum | cut -c 1-4)-0.record
		cp $good $copy
		printf $word | dd of=$copy bs=1 seek=$at conv=notrunc 2>/dev/null
	done
done
echo rubbish >$dir/rubbish-0.record
mkdir $dir/folder-0.record
mkfifo $dir/pipe-0.record
EOS
rm -f s.db*
timeout 60 duct cover --store s.db -- sh ./spoil.sh >out 2>log; status=$? # opening a pipe would wait for a writer
rmdir "${TMPDIR:-/tmp}"/duct-cover*/folder-0.record "${TMPDIR:-/tmp}"/duct-cover* 2>/dev/null
[ $status = 0 ] && grep -q 'could not record' log && [ "$(taken)" = "is('z')" ] && sound s.db
ok $? "records with rubbish are told and do no harm"

rm -f s.db*
duct cover --quiet --store s.db -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do ./p e; ./p k; done' >out 2>log &
duct cover --quiet --store s.db -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do ./p z; ./p t; done' >>out 2>>log
wait $!
[ "$(sql 'SELECT count(*) FROM test GROUP BY session' | tr '\n' ' ')" = "20 20 " ] && sound s.db &&
	[ "$(taken)" = "is('e')is('k')is('t')is('z')" ]
ok $? "two recorders into one store at once lose nothing"
for w in e z t l; do
	duct cover --quiet --append --store s.db -- ./p $w >out 2>>log &
done
wait
[ "$(sql 'SELECT count(*), count(DISTINCT number) FROM test WHERE session = 2')" = "24 24" ] && sound s.db
ok $? "four that append at once do not either"
rm -f s.db*
TMPDIR=$PWD duct cover --quiet --store s.db -- sh -c './p e; ./p k; sleep 2; echo >late' >out 2>log &
pid=$!
i=0
until [ "$(tests 2>/dev/null)" = 2 ] || [ $i -gt 100 ]; do sleep 0.1; i=$((i + 1)); done
kill -9 $pid
[ ! -e late ] && [ "$(taken)" = "is('e')is('k')" ] && sound s.db
ok $? "results are committed as they come: kill -9 of the recorder loses none"
duct report --store s.db | grep -q '^still running'
ok $? "the report says that it was not finished"
wait 2>/dev/null
rm -rf duct-cover*

duct cover --store s.db -- /bin/true >out 2>log; [ $? = 1 ] && grep -q 'no program that .duct cc. built was run' log
ok $? "a suite without instrumented programs is told"
duct cover --store s.db -- ./nothing >out 2>log; [ $? = 127 ]
ok $? "a command that is not there"
duct cover --store s.db >out 2>log; [ $? = 2 ]
ok $? "no command"
duct cover --store s.db --per tre -- ./p z >out 2>log; [ $? = 2 ] && grep -q 'did you mean tree' log
ok $? "a mistyped --per"
echo rubbish >r.db; duct cover --store r.db -- ./p z >out 2>log; [ $? = 3 ]
ok $? "a store that is none"
mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null && {
	rm -f s.db*
	TMPDIR=$PWD/full duct cover --store s.db -- ./p z >out 2>log; [ $? = 0 ]
	ok $? "no room for records: the program runs all the same"
	umount full
}
finish
