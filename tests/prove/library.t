#!/bin/sh
# Effects of the C library on memory: what it may write may hold anything then, what it cannot write stays as it is, and
# functions that it does not call are not called.
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
# may NAME: the body on standard input; line 3 is its first; no outcome
# of it is infeasible. must NAME LIST: exactly these are.
body() { { echo '#include <err.h>
#include <stdarg.h>'; cat; } >x.c; }
may() { body; check "may be: $1" '[ -z "$(judge x.c | tr -d " ")" ] || { judge x.c; false; }'; }
must() { body; want=$2; check "cannot be: $1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'; }

may "a place that strtol stores" <<'EOF'
#include <stdlib.h>
int f(int n) { static char a[8] = "12"; char *end; strtol(a, &end, 10); *end = (char)n; if (a[2] == 'x') return 1; return 0; }
EOF
may "what %n writes" <<'EOF'
#include <stdio.h>
int f(int n) { int count = 0; printf("ab%n", &count); if (count == 2) return 1; return n; }
EOF
may "what %n writes in a format in a variable, through a list" <<'EOF'
#include <stdio.h>
static char format[] = "ab%hhn";
static void say(const char *how, ...) { va_list l; va_start(l, how); vprintf(how, l); va_end(l); }
int f(int n) { int count = 0; say(format, &count); if (count == 2) return 1; return n; }
EOF
may "a buffer that a stream keeps" <<'EOF'
#include <stdio.h>
int f(int n) { static char b[64]; FILE *s = fopen("x", "w"); setvbuf(s, b, _IOFBF, 64); b[0] = 0; fputc('x', s); if (b[0] == 'x') return 1; return n; }
EOF
may "the buffer of standard output" <<'EOF'
#include <stdio.h>
int f(int n) { static char b[64]; setvbuf(stdout, b, _IOFBF, 64); b[0] = 0; putchar('x'); if (b[0] == 'x') return 1; return n; }
EOF
may "memory that is a stream" <<'EOF'
#include <stdio.h>
int f(int n) { static char b[8]; FILE *s = fmemopen(b, 8, "w"); b[0] = 0; fputc('x', s); fclose(s); if (b[0] == 'x') return 1; return n; }
EOF
may "the second argument that comes back" <<'EOF'
#include <time.h>
int f(int n) { struct tm a, *b; time_t t = n; a.tm_year = 1; b = localtime_r(&t, &a); if (b) b->tm_year = 99; if (a.tm_year == 98) return 1; return a.tm_year == 99; }
EOF
may "memory of the library that is written again" <<'EOF'
#include <time.h>
int f(int n) { time_t t = n, u = n + 99999; struct tm *a = gmtime(&t); int year = a->tm_year; gmtime(&u); if (a->tm_year != year) return 1; return 0; }
EOF
may "variable arguments that are written to" <<'EOF'
static void set(int n, ...) { va_list l, m; va_start(l, n); va_copy(m, l); *va_arg(m, int *) = n; va_end(m); va_end(l); }
int f(int n) { int a = 0; set(n, &a); if (a == 5) return 1; return 0; }
EOF
may "a struct of pointers in the variable arguments" <<'EOF'
struct s { int *p, *q, *r; };
static void set(int n, ...) { va_list l; va_start(l, n); struct s s = va_arg(l, struct s); *s.r = n; va_end(l); }
int f(int n) { int a = 0, b = 0; struct s s = { &b, &b, &a }; set(n, s); if (a == 5) return 1; return 0; }
EOF
may "what a comparison for qsort writes" <<'EOF'
#include <stdlib.h>
static int calls;
static int compare(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
int f(int n) { int a[3] = { n, 2, 1 }; calls = 0; qsort(a, 3, sizeof *a, compare); if (calls > 1) return 1; if (a[0] == 1) return 2; return 0; }
EOF
may "a handler at the end" <<'EOF'
#include <stdlib.h>
static int ended;
static void end(void) { if (ended) ended = 2; }
int f(int n) { atexit(end); ended = n; if (n == 3) exit(1); return 0; }
EOF
may "a table of functions" <<'EOF'
#include <stdlib.h>
static int done;
static void one(void) { done = 1; }
static void two(void) { done = 2; }
static void (*const table[])(void) = { one, abort, two };
int f(int n) { if (n < 0 || n > 2) return 0; done = 0; table[n](); if (done == 2) return 1; return 0; }
EOF

GIVEN=state
must "messages change nothing" "7t" <<'EOF'
static int state = 1;
static void say(const char *how, ...) { va_list l; va_start(l, how); vwarnx(how, l); va_end(l); }
static void change(void) { state = 2; }
static void (*hook)(void) = change;
int f(int n) { say("%d %p", n, (void *)&hook); if (state == 2) return 1; return n; }
EOF
must "functions of the library in a table" "7t" <<'EOF'
#include <stdlib.h>
#include <stdio.h>
static int done = 1;
static int (*const table[])(void) = { getchar, rand };
int f(int n) { if (n == 0 || n == 1) table[n](); if (done != 1) return 1; return 0; }
EOF
must "what lies beside the buffer of snprintf" "6t 7t" <<'EOF'
#include <stdio.h>
static struct { int before; char name[16]; int after; } of, *s = &of;
int f(int n) { s->before = s->after = 7; snprintf(s->name, sizeof s->name, "%d", n);
	if (s->before != 7) return 1;
	if (s->after != 7) return 2;
	return 0; }
EOF
must "what lies before bytes of any number" "6t" <<'EOF'
#include <string.h>
static struct { int before; char name[16]; int after; } of, *s = &of;
int f(unsigned n) { s->before = s->after = 7; memset(s->name, 1, n);
	if (s->before != 7) return 1;
	if (s->after != 7) return 2;
	return 0; }
EOF
must "what lies behind what read() may write" "6t" <<'EOF'
#include <unistd.h>
static struct { char name[16]; int after; } of, *s = &of;
int f(int fd) { s->after = 7; s->name[4] = 2; if (read(fd, s->name, 8) < 0) return 3;
	if (s->after != 7) return 1;
	if (s->name[4] != 2) return 2;
	return 0; }
EOF
finish
