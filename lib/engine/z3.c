/* z3: runs libz3 in a worker process, forked at the first check. If it crashes or hangs, the answer
 * is unknown and the next check forks a new worker. */
#include "lib/engine/classes.h"
#include "lib/base/clock.h"
#include "lib/engine/dag.h"
#include "lib/engine/process.h"
#include "lib/engine/wire.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define RENEW 300000 /* nodes after which the worker is replaced, to free its memory */
#define MOST_DEATHS 10

struct z3 {
	struct engine base;
	struct expr_pool *p;
	struct dag dag;
	pid_t worker;
	int fd;
	double owes; /* until then the worker has time for an answer that came too late; 0: there is
	                none */
	uint8_t *sent;
	size_t sent_cap, sents;
	struct wire_node *node;
	size_t node_cap;
	expr *input;
	size_t inputs, input_cap;
	uint64_t *value;
	double cpu, cpu_before; /* of the current worker; of earlier ones */
	int deaths;             /* consecutive deaths; after MOST_DEATHS no restart */
	char text[256];
};

static struct engine *open_engine(struct expr_pool *p, char **error)
{
	struct z3 *z = zeroed(1, sizeof *z);
	if (!process_library("libz3.so.4")) {
		free(z);
		*error = copied("z3: libz3.so.4 not found (package libz3-4)");
		return NULL;
	}
	z->base.class = &engine_z3;
	z->p = p;
	z->fd = -1;
	return &z->base;
}

/* Kills the worker; its CPU time counts even without an answer. */
static void stop(struct z3 *z)
{
	struct rusage use = { 0 };
	if (z->worker <= 0)
		return;
	close(z->fd);
	kill(z->worker, SIGKILL);
	while (wait4(z->worker, NULL, 0, &use) < 0 && errno == EINTR)
		;
	z->worker = 0, z->fd = -1;
	z->owes = 0;
	z->cpu_before += process_cpu(&use);
	z->cpu = 0;
	if (z->sent_cap)
		memset(z->sent, 0, z->sent_cap);
	z->sents = 0;
}

static int start(struct z3 *z)
{
	int fd[2];
	pid_t owner = getpid();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return -1;
	z->worker = fork();
	if (z->worker == 0) {
		/* close inherited descriptors; die with the owner */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, "duct-z3");
		if (getppid() != owner)
			_exit(1);
		if (dup2(fd[1], 3) < 0)
			_exit(1);
		close_range(4, ~0u, 0);
		z3_worker(3);
	}
	close(fd[1]);
	z->fd = fd[0];
	if (z->worker < 0) {
		close(fd[0]);
		z->worker = 0;
		return -1;
	}
	return 0;
}

static void add_node(struct z3 *z, size_t i, expr e)
{
	struct wire_node *w = &z->node[i];
	struct value v = { 0, 0 };
	memset(w, 0, sizeof *w);
	*w = (struct wire_node){
		.id = e, .op = (uint8_t)expr_op(z->p, e), .width = (uint8_t)expr_width(z->p, e)
	};
	w->a = expr_operand(z->p, e, 0), w->b = expr_operand(z->p, e, 1),
	w->c = expr_operand(z->p, e, 2);
	if (w->op == OP_EXTRACT)
		w->c = expr_extract_low(z->p, e);
	if (w->op == OP_INPUT)
		w->a = expr_input_var(z->p, e);
	if (expr_is_const(z->p, e, &v))
		w->lo = v.lo, w->hi = v.hi;
}

/* Collects the nodes that the worker does not have yet, and the inputs. Returns the number of
 * nodes. */
static size_t gather(struct z3 *z, const expr *cond, size_t n)
{
	size_t count = 0;
	dag_start(&z->dag, z->p);
	for (size_t i = 0; i < n; i++)
		dag_add(&z->dag, z->p, cond[i]);
	z->sent = grow(z->sent, &z->sent_cap, expr_count(z->p) + 1, 1);
	z->inputs = 0;
	for (size_t i = 0; i < z->dag.n; i++) {
		expr e = z->dag.node[i];
		if (expr_op(z->p, e) == OP_INPUT) {
			z->input = grow(z->input, &z->input_cap, z->inputs + 1, sizeof *z->input);
			z->input[z->inputs++] = e;
		}
		if (z->sent[e])
			continue;
		z->sent[e] = 1;
		z->node = grow(z->node, &z->node_cap, count + 1, sizeof *z->node);
		add_node(z, count++, e);
	}
	z->sents += count;
	return count;
}

/* Sends a question that the worker gives up after so many seconds. */
static int ask(struct z3 *z, const expr *cond, size_t n, double seconds)
{
	size_t count = gather(z, cond, n);
	struct wire_check c = { (uint32_t)count, (uint32_t)n, (uint32_t)z->inputs,
		(uint32_t)clock_milliseconds(seconds), 0 };
	for (size_t i = 0; i < n; i++)
		c.floats |= expr_has_float(z->p, cond[i]);
	if (wire_send(z->fd, &c, sizeof c) != 0
	    || wire_send(z->fd, z->node, count * sizeof *z->node) != 0
	    || wire_send(z->fd, cond, n * sizeof *cond) != 0
	    || wire_send(z->fd, z->input, z->inputs * sizeof *z->input) != 0)
		return -1;
	return 0;
}

/* Receives an answer that has begun to come. `inputs`: how many values it has if it is SAT;
 * SIZE_MAX: any number. False: the worker is gone, or of no use any more; e->reason says why. */
static bool receive(struct z3 *z, size_t inputs, struct wire_answer *a)
{
	double deadline = clock_now() + WIRE_GRACE;
	free(z->value);
	z->value = NULL;
	z->base.reason = "z3 died";
	if (wire_receive(z->fd, a, sizeof *a, deadline) != 0)
		return false;
	z->cpu = a->cpu;
	z->deaths = 0;
	if (a->answer == WIRE_BROKEN) {
		uint32_t size = a->text < sizeof z->text ? a->text : sizeof z->text - 1;
		memset(z->text, 0, sizeof z->text);
		wire_receive(z->fd, z->text, size, deadline);
		z->base.reason = z->text;
		return false;
	}
	if (inputs != SIZE_MAX && a->values != (a->answer == ENGINE_SAT ? inputs : 0))
		return false;
	z->value = zeroed(a->values, 16);
	return wire_receive(z->fd, z->value, a->values * 16ull, deadline) == 0;
}

/* Waits for the end of an earlier question that took too long: at most until the deadline, and
 * kills the worker when it does not give up by itself. False: it still works on it. */
static bool is_free(struct z3 *z, double deadline)
{
	struct wire_answer a;
	double until = deadline < z->owes ? deadline : z->owes;
	if (!z->owes)
		return true;
	if (!wire_ready(z->fd, until)) {
		if (clock_now() < z->owes)
			return false;
		stop(z);
	} else if (!receive(z, SIZE_MAX, &a)) {
		stop(z);
	}
	z->owes = 0;
	return true;
}

/* A worker that is late is left to it: the caller goes on, and to start another one takes longer
 * than most questions. */
static enum engine_answer check(struct engine *e, const expr *cond, size_t n, double seconds)
{
	struct z3 *z = (struct z3 *)e;
	struct wire_answer a;
	double deadline = clock_now() + seconds;
	e->reason = "time limit";
	if (!is_free(z, deadline))
		return ENGINE_UNKNOWN;
	e->reason = "z3 could not be started";
	if (z->sents > RENEW)
		stop(z);
	if (z->deaths >= MOST_DEATHS || (!z->worker && start(z) != 0))
		return ENGINE_UNKNOWN;
	z->deaths++;
	e->reason = "z3 died";
	if (ask(z, cond, n, deadline - clock_now()) != 0) {
		stop(z);
		return ENGINE_UNKNOWN;
	}
	if (!wire_ready(z->fd, deadline)) {
		e->reason = "time limit";
		z->deaths--;
		z->owes = deadline + WIRE_GRACE;
		return ENGINE_UNKNOWN;
	}
	if (!receive(z, z->inputs, &a)) {
		stop(z);
		return ENGINE_UNKNOWN;
	}
	e->reason = "time limit";
	return (enum engine_answer)a.answer;
}

static bool value(struct engine *e, uint32_t var, struct value *v)
{
	struct z3 *z = (struct z3 *)e;
	for (size_t i = 0; i < z->inputs; i++)
		if (expr_input_var(z->p, z->input[i]) == var) {
			*v = (struct value){ z->value[2 * i], z->value[2 * i + 1] };
			return true;
		}
	return false;
}

static double cpu(const struct engine *e)
{
	const struct z3 *z = (const struct z3 *)e;
	return z->cpu_before + z->cpu;
}

static void close_engine(struct engine *e)
{
	struct z3 *z = (struct z3 *)e;
	stop(z);
	dag_clear(&z->dag);
	free(z->sent), free(z->node), free(z->input), free(z->value);
	free(z);
}

const struct engine_class engine_z3 = { .name = "z3",
	.needs = "libz3.so.4 (package libz3-4)",
	.floats = true,
	.open = open_engine,
	.check = check,
	.value = value,
	.cpu = cpu,
	.close = close_engine };
