#!/bin/sh
# waits
# Faults of runs of instrumented programs: each is reported and survived, and does not affect the next run.
# limit: 300
cat >faults.c <<'EOF'
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int table[4] = { 1, 2, 3, 4 };

static void spread(int n)
{
	for (int i = 0; i < n; i++)
		if (fork() == 0) {
			setsid();
			signal(SIGTERM, SIG_IGN);
			for (;;)
				pause();
		}
}

static int deep(volatile char *p)
{
	char frame[4096];

	frame[0] = *p;
	return deep(frame) + frame[0];
}

int f(int how, int x)
{
	char *volatile p = NULL;

	switch (how) {
	case 1: return *p;
	case 2: return 100 / x;
	case 3: assert(x != 0); return 1;
	case 4: abort();
	case 5: exit(42);
	case 6: _exit(43);
	case 7: for (;;) ;
	case 8: for (;;) memset(malloc(1 << 20), 1, 1 << 20);
	case 9: for (;;) puts("all work and no play makes Jack a dull boy");
	case 10: for (;;) fork();
	case 11: spread(3); return 11;
	case 12: for (int fd = 0; fd < 1024; fd++) close(fd); return 12;
	case 13: raise(SIGTERM); return 13;
	case 14: return *(int *)0x4141414141414141;
	case 15: return deep("");
	case 16: return table[x];
	case 17: kill(getppid(), SIGKILL); pause();
	case 18: kill(getpid(), SIGSTOP); return 18;
	case 19: chdir("/"); return 19;
	case 20: return mkdir("d", 0755) + mkdir("d/e", 0) ? 1 : 20;
	case 21: close(0); return dup(2);
	case 22: {
		FILE *m = fopen("/proc/self/maps", "r");
		char line[512];
		unsigned long from, to;

		while (fgets(line, sizeof line, m))
			if (strstr(line, "duct-channel") && sscanf(line, "%lx-%lx", &from, &to) == 2)
				memset((char *)from, 0xa5, 100000);
		return 22;
	}
	case 23: signal(SIGXFSZ, SIG_IGN); for (;;) write(1, "x", 1);
	case 24: return waitpid(-1, NULL, 0) < 0 ? 24 : 0;
	case 25: return strlen((char *)8);
	case 29: return (unsigned long)x + 8 > 1000 ? 0 : (int)strlen((char *)16);
	case 26: {
		static char block[100000];
		for (int i = 0; ; i++) {
			char name[20];
			sprintf(name, "%d", i);
			int fd = open(name, O_CREAT | O_WRONLY, 0600);
			for (int k = 0; fd >= 0 && k < 100; k++)
				write(fd, block, 1000);
			close(fd);
		}
	}
	case 27:
		for (int i = 1; i < 64; i++)
			signal(i, SIG_IGN);
		for (;;)
			pause();
	case 28:
		signal(SIGXFSZ, SIG_IGN);
		for (int i = 0; i < 150000; i++)
			write(1, "x", 1);
		return 28;
	}
	return 0;
}
EOF
sed -i 's/#include <sys\/mman.h>/&\n#include <sys\/stat.h>/' faults.c
n=0
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
instrument -o faults faults.c --entry f -- -w 2>err || { cat err; result 1 "it compiles"; echo "1..$n"; exit 1; }

# name, how, x, what `done` must say (a pattern), seconds (20), options
try() {
	printf '#inputs 1 t\ninput\t1\nv\thow\ti\t32\t%x\nv\tx\ti\t32\t%x\nrun\ninput\t2\nrun\ninput\t3\nv\thow\ti\t32\t%x\nv\tx\ti\t32\t%x\nrun\nend\t10\n' \
		"$2" "$3" "$2" "$3" >in
	timeout 100 run-trace $6 -t ${5:-20} -m 128M -o 100K ./faults <in >out 2>err
	status=$?
	ends=$(awk -F '\t' '$1 == "done" { printf "%s %s;", $2, $3 }' out)
	case "$status $ends" in
	"0 "$4";exit 0;"$4";") result 0 "$1: $4" ;;
	*) result 1 "$1: status $status, $ends"; sed 's/^/# /' err ;;
	esac
}

try "null pointer" 1 0 "null 11"
try "division by zero" 2 0 "division 8"
try "failed assertion" 3 0 "assert 6"
try "abort" 4 0 "abort 6"
try "exit in the middle" 5 0 "exit 42"
try "_exit in the middle" 6 0 "exit 43"
try "endless loop" 7 0 "timeout 9" 0.5
grep -q '^limit	time		500$' out; result $? "which is a limit"
try "memory" 8 0 "limit 0"
grep -q '^limit	memory		134217728$' out; result $? "which is a limit"
try "output" 9 0 "output 25"
grep -q '^limit	output		102400$' out; result $? "which is a limit"
try "fork bomb" 10 0 "[tm]*[ty] 9" 0.3         # what the kernel needs for all of them may be more than 128M
try "children left behind" 11 0 "exit 0"
grep -q '	3$' out; result $? "they are counted"
try "descriptors closed" 12 0 "exit 0"
try "signal" 13 0 "signal 15"
try "wild pointer" 14 0 "segv 11"
try "endless recursion" 15 0 "segv 11"
try "index out of bounds" 16 4 "bounds 0"
try "index in bounds" 16 3 "exit 0"
try "server killed" 17 0 "server 0" 20 --confine=none
try "server that cannot be killed" 17 0 "timeout 9" 0.5
try "stopped" 18 0 "timeout 9" 0.5
try "other directory" 19 0 "exit 0"
try "directories" 20 0 "exit 0"
grep -q '^result	20$' out && ! grep -q '^result	1$' out; result $? "the scratch directory is clean in every run"
try "input closed" 21 0 "exit 0"
try "channel overwritten" 22 0 "limit 0"
grep -q "wrote over duct's memory" out; result $? "that is told"
try "output, signal ignored" 23 0 "output 9" 1
try "no children there" 24 0 "exit 0"
try "null pointer in a model" 25 0 "null 11"
try "null pointer near a sum of inputs" 29 0 "null 11" 2
try "files without end" 26 1 "output 9"
try "signals ignored" 27 0 "timeout 9" 0.5
try "much output, and an end" 28 0 "limit 0"
grep -q '^limit	output		102400$' out; result $? "which is a limit"

# Nothing is left of all that.
leftovers() {
	for p in /proc/[0-9]*; do
		case "$(readlink "$p/exe")" in "$PWD/faults"*) echo "process ${p#/proc/}" ;; esac
	done
	ls -d "${TMPDIR:-/tmp}"/duct-run-* 2>/dev/null
}

nothing_left() {
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ -z "$(leftovers)" ] && break
		sleep 0.2
	done
	[ -z "$(leftovers)" ]
	result $? "$1: nothing is left"
	leftovers | sed 's/^/# /'
}
nothing_left "after all of them"

# A signal to the tool takes everything along.
# One that loops (7), or is stopped (0x12).
for how in TERM:7 INT:12 HUP:7 KILL:12; do
	signal=${how%:*}
	printf '#inputs 1 t\ninput\t1\nv\thow\ti\t32\t%s\nrun\n' "${how#*:}" >in
	timeout -s $signal 0.7 run-trace -t 60 ./faults <in >out 2>/dev/null
	nothing_left "SIG$signal"
done
echo "1..$n"
