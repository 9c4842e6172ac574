/* safe: tools that hang, close their output or write without end are ended in time. */
/* waits */
#include "lib/engine/process.h"
#include "lib/base/clock.h"
#include "lib/solve/solve.h"
#include "tests/unit/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int run(const char *script, double seconds, size_t *size)
{
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)script, NULL }, *out;
	double cpu = 0;
	int status = process_run(argv, 0, seconds, &out, size, &cpu);
	free(out);
	return status;
}

static void commands(void)
{
	double begin = clock_now();
	size_t size;
	ok(run("exec sleep 60", 0.3, &size) == PROCESS_TIMEOUT, "a command that hangs");
	ok(run("exec >&-; exec sleep 60", 0.3, &size) == SIGKILL,
	    "a command that closes its output and hangs is killed");
	ok(run("exec >&-; exec sleep 0.1", 5, &size) == 0,
	    "a command that closes its output and ends a little later has its status");
	ok(clock_now() - begin < 10, "in time");
	ok(run("exec yes", 60, &size) == PROCESS_TIMEOUT && size < (size_t)100 << 20,
	    "a command that writes without end");
}

/* A question to a co-process that is this script: has it no answer, in time? */
static void ask(const char *script, const char *what)
{
	char path[] = "/tmp/duct-safe-XXXXXX", *error = NULL;
	int fd = mkstemp(path);
	struct expr_pool *p = expr_pool_new();
	struct solve_options o = { .command = path, .timeout = 0.2 };
	if (fd < 0 || dprintf(fd, "#!/bin/sh\n%s\n", script) < 0 || fchmod(fd, 0700) || close(fd))
		abort();
	struct solver *s = solve_open(p, &o, &error);
	expr sum = expr_input(p, expr_var(p, "x", 'i', 32)), cond;
	struct assignment model = { 0 };
	double begin = clock_now();
	for (unsigned i = 0; i < 20000; i++) /* more than a pipe holds */
		sum = expr_make(p, i % 2 ? OP_ADD : OP_XOR, 32, sum,
		    expr_const(p, 32, (struct value){ 3 * i + 1, 0 }), 0);
	cond = expr_make(p, OP_EQ, 1, sum, expr_const(p, 32, (struct value){ 5, 0 }), 0);
	struct query q = { .cond = &cond, .n = 1 };
	bool none = s && solve_ask(s, &q, &model, NULL) == ANSWER_UNKNOWN
	    && solve_ask(s, &q, &model, NULL) == ANSWER_UNKNOWN;
	if (s)
		solve_close(s);
	ok(none && clock_now() - begin < 20, what);
	assignment_clear(&model);
	free(error);
	expr_pool_free(p);
	unlink(path);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	commands();
	ask("exec sleep 60", "a solver that reads nothing");
	ask("cat >/dev/null & exec >&-; exec sleep 60", "a solver that closes its output");
	ask("cat >/dev/null & exec sleep 60", "a solver that never answers");
	ask("cat >/dev/null & exec yes 1", "a solver that answers something else");
	ask("cat >/dev/null & echo '#model 1 x'; exec tr '\\0' x </dev/zero",
	    "a solver whose line never ends");
	return finish();
}
