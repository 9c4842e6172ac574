#!/bin/sh
# Library functions without a model, by what lib/clib says of them: what asks the environment is a limit of that name, what keeps
# hidden state loses a symbolic argument, output and what stays in memory loses nothing.
# limit: 120
. "$ROOT/tests/lib/tap.sh"

cat >outside.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

pid_t getsid(pid_t);

int f(int how, int x)
{
	char text[8] = "12";

	switch (how) {
	case 1: return getpgrp() > 0;
	case 2: return getpriority(PRIO_PROCESS, 0) + getpriority(PRIO_PROCESS, 0);
	case 3: return getsid(0);
	case 4: alarm(x & 0xffff); return 4;
	case 5: dprintf(1, "%d\n", x); return 5;
	case 6: text[1] = (char)x; return ffs(x) > 0 && strverscmp(text, "12") == 0;
	case 7: usleep(x & 1); return 7;
	case 8: return ffs(5);
	case 9: getpriority(PRIO_PROCESS, 0); return 9;
	}
	return 0;
}
END
cat >own.c <<'END'
int getsid(int pid);
int getsid(int pid) { return pid + 1; }
END
instrument -o outside outside.c own.c --entry f -- -w >log 2>&1
ok $? 'it compiles'

# The records of one kind, of a run with these arguments.
records() {
	printf '#inputs 1 t\ninput\t1\nv\thow\ti\t32\t%x\nv\tx\ti\t32\t%x\nrun\nend\t4\n' "$2" "$3" >in
	timeout 60 run-trace --environment ./outside <in >log 2>err || return
	awk -F '\t' -v kind="$1" '$1 == kind { $1 = ""; print }' log >found
	cat err >>log
}

records limit 1 0
check 'getpgrp() is a limit' '[ "$(cat found)" = " concrete getpgrp() 0" ]'
records limit 2 0
check 'once for each name' '[ "$(cat found)" = " concrete getpriority() 0" ]'
records limit 3 0
check 'a function of the program that has such a name is none' '[ ! -s found ]'
records limit 8 0
check 'nor is a function that asks nothing' '[ ! -s found ]'
records limit 9 0
check 'nor is one whose answer nobody wants' '[ ! -s found ]'
records lost 4 3
check 'alarm changes hidden state: a symbolic argument is lost' 'grep -q "symbolic value into alarm" found'
records lost 5 3
check 'output is no loss' '[ ! -s found ]'
records lost 7 3
check 'nor is a time to sleep' '[ ! -s found ]'
records lost 6 50
check 'a result that depends on symbolic memory is' 'grep -q "symbolic value into strverscmp" found'
check 'and one of a symbolic argument' 'grep -q "symbolic value into ffs" found'

finish
