/* boolector: runs the boolector command, one process per check. The query is a memfd on its
 * standard input, so no deadlock on pipes is possible. The model (-m) is read from a pipe as lines
 * `NAME BITS`, most significant bit first, x for "any". Exit status 10 is sat, 20 unsat. */
#include "lib/engine/answer.h"
#include "lib/base/grow.h"
#include "lib/engine/classes.h"
#include "lib/engine/process.h"
#include "lib/engine/smtlib.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct boolector {
	struct engine base;
	struct expr_pool *p;
	struct dag dag;
	char *path;
	char *model;
	size_t size; /* output of the last check */
	double cpu;
};

static struct engine *open_engine(struct expr_pool *p, char **error)
{
	char *path = process_find("boolector");
	struct boolector *b;
	if (!path) {
		*error = copied("boolector: command not found (package boolector)");
		return NULL;
	}
	b = zeroed(1, sizeof *b);
	b->base.class = &engine_boolector;
	b->p = p;
	b->path = path;
	return &b->base;
}

/* Writes the query to a memfd; -1 on failure. */
static int query_file(struct boolector *b, const expr *cond, size_t n)
{
	int fd = memfd_create("query", MFD_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "w");
	if (!f)
		return -1;
	smtlib_write(f, b->p, &b->dag, cond, n);
	if (fclose(f) != 0 || lseek(fd, 0, SEEK_SET) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static enum engine_answer check(struct engine *e, const expr *cond, size_t n, double seconds)
{
	struct boolector *b = (struct boolector *)e;
	char *argv[] = { b->path, (char *)"-m", (char *)"--smt2", NULL };
	int in = query_file(b, cond, n), status;
	free(b->model);
	b->model = NULL;
	e->reason = "boolector could not be run";
	if (in < 0)
		return ENGINE_UNKNOWN;
	status = process_run(argv, in, seconds, &b->model, &b->size, &b->cpu);
	close(in);
	if (status == PROCESS_TIMEOUT)
		e->reason = "time limit";
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 10)
		return ENGINE_SAT;
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 20)
		return ENGINE_UNSAT;
	else if (status != PROCESS_FAILED)
		e->reason = "boolector failed";
	return ENGINE_UNKNOWN;
}

static bool value(struct engine *e, uint32_t var, struct value *v)
{
	struct boolector *b = (struct boolector *)e;
	return b->model && answer_value(b->model, var, v);
}

static double cpu(const struct engine *e)
{
	return ((const struct boolector *)e)->cpu;
}

static void close_engine(struct engine *e)
{
	struct boolector *b = (struct boolector *)e;
	dag_clear(&b->dag);
	free(b->path), free(b->model);
	free(b);
}

const struct engine_class engine_boolector = { .name = "boolector",
	.needs = "the command boolector (package boolector)",
	.open = open_engine,
	.check = check,
	.value = value,
	.cpu = cpu,
	.close = close_engine };
