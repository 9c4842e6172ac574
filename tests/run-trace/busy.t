#!/bin/sh
# The time of a run is CPU time, or wall clock while it sleeps: one that has to share a processor with others does not
# reach its limit for that.
. "$ROOT/tests/lib/tap.sh"

cat >work.c <<'END'
#include <time.h>
#include <unistd.h>

int work(int how)
{
	clock_t began = clock();

	if (how == 1)
		usleep(5000000);
	while (how == 2 || clock() - began < 150000)
		;
	return how;
}
END
instrument -o work work.c --entry work -- -w >log 2>&1
ok $? 'it compiles'

# ended HOW: how the run ends, and the seconds that it took by the clock
ended() {
	began=$(date +%s)
	printf '#inputs 1 test\ninput\t1\nv\thow\ti\t32\t%d\nrun\nend\t3\n' "$1" >in
	$alone run-trace -t 0.6 ./work <in >out 2>err
	took=$(($(date +%s) - began))
	how=$(grep '^done' out)
}
alone="taskset -c $(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')"
others=
for i in 1 2 3 4 5 6 7 8 9; do
	$alone setsid sh -c 'while :; do :; done' &
	others="$others $!"
done
trap 'kill $others 2>/dev/null' EXIT
ended 0
check 'a run of 0.15 s that has a tenth of a processor does not reach a limit of 0.6 s' 'echo "$how" | grep -q exit'
kill $others
ended 2
check 'one that does not end does' 'echo "$how" | grep -q timeout'
ended 1
check 'so does one that sleeps' 'echo "$how" | grep -q timeout && [ $took -lt 5 ]'
finish
