#!/bin/sh
# waits
# Leftovers of killed sessions and runs, links in the way, limits of the caller, damaged stores, stores that cannot be written.
# limit: 120
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -s out ] && tail -n 20 out | sed 's/^/# /'; fi; }
export TMPDIR=$PWD/tmp
mkdir tmp
cat >f.c <<'E2'
int f(int a)
{
	if (a > 3)
		return 1;
	return 0;
}
E2
cat >loop.c <<'E2'
int loop(int n, const unsigned *a)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[i] > 9 ? (int)a[i] * i : -1;
	return sum;
}
E2
# a session that is killed; the next one takes its folder away, but none that is in use
duct concolic loop.c --entry loop --search dfs -t 60 -q >out 2>&1 &
dead=$!
i=0
until ls tmp/duct-session-*/program >/dev/null 2>&1 || [ $((i += 1)) -gt 300 ]; do sleep 0.1; done
kill -9 $dead
wait $dead 2>/dev/null
ls -d tmp/duct-session-* >left 2>/dev/null
[ -s left ]; result $? "a session that is killed leaves its folder"
duct concolic loop.c --entry loop --search dfs -t 60 -q >out 2>&1 &
alive=$!
i=0
until [ "$(ls -d tmp/duct-session-* | wc -l)" = 2 ] || [ $((i += 1)) -gt 300 ]; do sleep 0.1; done
ls -d tmp/duct-session-* | grep -vxFf left >used
sleep 11
duct concolic f.c --entry f -t 20 -q --store f.db >out 2>&1
result $? "another session"
[ ! -e "$(cat left)" ]; result $? "it removed the folder of the one that was killed"
[ -s used ] && [ -e "$(cat used)" ]; result $? "and not that of the one that runs"
kill "$alive" && wait "$alive" 2>/dev/null

# a session that is ended, or killed, while the compiler runs, which has a temporary file then
awk 'BEGIN { printf "int f(unsigned x)\n{\n\tunsigned y = x"; for (i = 0; i < 20000; i++) printf " * 3 ^ (x + %d)", i; print ";\n\treturn y == 12345;\n}" }' >wide.c
mkdir building && for signal in TERM KILL; do
	TMPDIR=$PWD/building duct concolic wide.c --entry f -t 20 -q >out 2>&1 &
	session=$!
	i=0
	until ls building/duct-session-*/duct*.o >/dev/null 2>&1 || [ $((i += 1)) -gt 300 ]; do sleep 0.1; done
	ls building | grep -qvx 'duct-session-.*'
	outside=$?
	(sleep 5; kill -9 $session) 2>/dev/null &
	killer=$!
	kill -$signal $session
	wait $session 2>/dev/null
	got=$?
	kill $killer 2>/dev/null
	case $signal in
	TERM) [ $outside = 1 ] && [ $got = 130 ] && [ -z "$(ls building)" ]; result $? "a session ends while its program is compiled, and leaves nothing" ;;
	KILL) [ $outside = 1 ] && ls -d building/duct-session-* >/dev/null; result $? "what a killed one leaves is in its folder" ;;
	esac
done

# a link where a temporary file is to be
mkdir -p page && echo precious >victim && ln -s ../victim page/index.html.new && ln -s victim cov.new
duct report f.db --html page >out 2>&1 && [ "$(cat victim)" = precious ] && grep -q '<html' page/index.html
result $? "a link in the place of a temporary file is not followed"
mkdir -p tests && ln -s ../victim tests/tests.c.new
duct report f.db --out tests --force >out 2>&1 && [ "$(cat victim)" = precious ] && [ -f tests/tests.c ]
result $? "nor where tests are written"
ln -s victim merged.db.new
duct farm --merge merged.db f.db >out 2>&1 && [ "$(cat victim)" = precious ] && duct report merged.db >out 2>&1
result $? "nor where stores are merged"

# a store with a damaged page in the middle
cp f.db bad.db
size=$(wc -c <bad.db)
head -c 3000 /dev/zero | tr '\0' '\377' | dd of=bad.db bs=1 seek=$((size / 8192 * 4096)) conv=notrunc 2>/dev/null
duct farm --merge both.db f.db bad.db >out 2>&1
[ $? = 3 ] && grep -q 'bad.db' out && [ ! -e both.db ]
result $? "farm --merge fails when a store is damaged, names it and writes nothing"

# a store where nothing can be written
mkdir -p ro && cp f.db ro/f.db
cat >ro.sh <<'E2'
mount --bind ro ro && mount -o remount,ro,bind ro && ! touch ro/x 2>/dev/null && { duct report ro/f.db || exit 9; }
E2
if unshare -rm true 2>/dev/null; then
	unshare -rm sh ro.sh >out 2>&1
	got=$?
	case $got in 0 | 9) grep -q 'branches: 2 of 2' out; result $? "a store on a medium that is only read" ;;
	*) echo "ok - a store on a medium that is only read # SKIP cannot be mounted" ;; esac
else
	echo "ok - a store on a medium that is only read # SKIP no namespaces"
fi

# limits of the caller
(ulimit -n 32; duct concolic f.c --entry f -t 20 -q) >out 2>&1
[ $? = 4 ] && grep -q 'ulimit -n' out
result $? "too few open files: the limit is named"
(ulimit -n 209; duct concolic f.c --entry f -t 20 -q) >out 2>&1
result $? "209 are enough"
if ldd "$LIBEXEC/duct" | grep -q libasan; then # which reserves terabytes of addresses
	echo "ok - too few addresses: the limit is named # SKIP the sanitizer's build"
else
	(ulimit -v 4000000; duct concolic f.c --entry f -t 20 -q) >out 2>&1
	[ $? = 4 ] && grep -q 'ulimit -v' out
	result $? "too few addresses: the limit is named"
fi

# a run that leaves a file and says that its folder is as old as an empty one's
cat >leave.c <<'E2'
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	struct timespec zero[2] = { { 0, 0 }, { 0, 0 } };
	int status = (int)syscall(SYS_access, "left", 0) == 0 ? 7 : 3;

	syscall(SYS_open, "left", O_CREAT | O_WRONLY, 0600);
	syscall(SYS_utimensat, AT_FDCWD, ".", zero, 0);
	return status;
}
E2
instrument -o leave leave.c >out 2>&1 &&
	printf "#inputs 1 x\ninput\t1\nrun\ninput\t2\nrun\ninput\t3\nrun\nend\t6\n" >in && run-trace ./leave <in >out 2>&1
grep -c "^done	exit	3	" out >count
[ "$(cat count)" = 3 ]
result $? "no file of a run survives into the next, whatever its folder's time says"

# what a suite leaves among its records
duct cc -o covered f.c -Df=main >out 2>&1 && TMPDIR=$PWD/suite && export TMPDIR && mkdir suite &&
	duct cover --quiet --store cover.db -- sh -c './covered; d=${DUCT_COVER%%:*}; mkdir -p "$d/a/b"; ln -s / "$d/a/link"; ./covered x; true' >out 2>&1
[ -z "$(ls suite)" ] && [ -d / ] && duct report cover.db >out 2>&1; result $? "folders among the records of a suite are removed"
# deeper than any path may be
echo 'int main(void) { char n[] = "dddddddddd"; chdir(getenv("AT")); for (int i = 0; i < 3000; i++) { mkdir(n, 0700); chdir(n); } chmod(".", 0); return 0; }' |
	${CC:-cc} -w -include stdlib.h -include unistd.h -include sys/stat.h -x c -o deep - || exit 4
duct cover --quiet --store cover.db -- sh -c './covered; AT=${DUCT_COVER%%:*} ./deep; ./covered x; true' >out 2>&1
[ -z "$(ls suite)" ]; result $? "however deep they are"
echo "1..17"
