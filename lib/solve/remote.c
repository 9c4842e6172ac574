/* remote: a solver in a child process, the filter `solve --ask`. Each expression is sent once. */
#include "lib/engine/dag.h"
#include "lib/base/clock.h"
#include "lib/engine/process.h"
#include "lib/solve/layer.h"
#include "lib/solve/serve.h"
#include "lib/trace/hex.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct remote {
	struct expr_pool *p;
	pid_t pid;
	FILE *to, *from;
	int in, out;     /* descriptors of `from` and `to` */
	double deadline; /* of the current answer */
	size_t left;     /* remaining bytes that an answer may have */
	struct rec_writer w;
	struct rec_reader *r;
	struct dag dag;
	uint8_t *sent;
	size_t sent_cap; /* by expression: already sent */
	uint32_t vars;   /* variables sent so far, in the pool's order */
	uint64_t asks;
	char why[128];
	struct {
		char name[32];
		uint64_t n;
	} layer[24];
	size_t layers;
};

#define GRACE 2.0 /* seconds that the process gets to give up by itself before it is killed */
#define AFTER_SIGNAL 1.0
#define MOST_ANSWER ((size_t)64 << 20)

/* Waits until a pipe is ready; false, after killing the process, at the deadline or when it writes
 * too much. */
static bool is_ready(struct remote *r, int fd, short events)
{
	struct pollfd pf = { .fd = fd, .events = events };
	for (;;) {
		int ready =
		    r->left ? poll(&pf, 1, clock_milliseconds(r->deadline - clock_now())) : 0;
		if (ready > 0)
			return true;
		if (ready < 0 && errno == EINTR) {
			double soon = clock_now() + AFTER_SIGNAL;
			r->deadline = r->deadline < soon ? r->deadline : soon;
			continue;
		}
		if (r->pid > 0)
			kill(r->pid, SIGKILL);
		return false;
	}
}

static ssize_t read_until(void *cookie, char *to, size_t n)
{
	struct remote *r = cookie;
	ssize_t got = is_ready(r, r->in, POLLIN) ? read(r->in, to, n < r->left ? n : r->left) : 0;
	r->left -= got > 0 ? (size_t)got : 0;
	return got;
}

static ssize_t write_until(void *cookie, const char *from, size_t n)
{
	struct remote *r = cookie;
	size_t done = 0;
	while (done < n && is_ready(r, r->out, POLLOUT)) {
		ssize_t put = write(r->out, from + done, n - done);
		if (put < 0 && errno != EINTR && errno != EAGAIN)
			return (ssize_t)done;
		done += put > 0 ? (size_t)put : 0;
	}
	return (ssize_t)done;
}

static int close_reader(void *cookie)
{
	return close(((struct remote *)cookie)->in);
}

static int close_writer(void *cookie)
{
	return close(((struct remote *)cookie)->out);
}

static void expect_answer(struct remote *r, double seconds)
{
	r->deadline = clock_now() + seconds + GRACE;
	r->left = MOST_ANSWER;
}

static int start(struct remote *r, char **argv)
{
	int in[2], out[2];
	posix_spawn_file_actions_t a;
	if (pipe2(in, 02000000 /* O_CLOEXEC */) != 0 || pipe2(out, 02000000) != 0)
		return -1;
	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_adddup2(&a, in[0], 0);
	posix_spawn_file_actions_adddup2(&a, out[1], 1);
	int bad = posix_spawnp(&r->pid, argv[0], &a, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&a);
	close(in[0]), close(out[1]);
	r->out = in[1];
	fcntl(r->out, F_SETFL, O_NONBLOCK);
	r->to = fopencookie(
	    r, "w", (cookie_io_functions_t){ .write = write_until, .close = close_writer });
	r->in = out[0];
	r->from = fopencookie(
	    r, "r", (cookie_io_functions_t){ .read = read_until, .close = close_reader });
	expect_answer(r, 0);
	if (bad)
		r->pid = 0;
	return bad || !r->to || !r->from ? -1 : 0;
}

struct remote *remote_open(struct expr_pool *p, const struct solve_options *o, char **error)
{
	struct remote *r = zeroed(1, sizeof *r);
	char limit[32], *argv[12];
	size_t n = 0;
	snprintf(limit, sizeof limit, "%g", o->timeout);
	argv[n++] = (char *)o->command;
	argv[n++] = (char *)"--ask";
	argv[n++] = (char *)"--timeout", argv[n++] = limit;
	if (o->layers)
		argv[n++] = (char *)"--layers", argv[n++] = (char *)o->layers;
	if (o->engines)
		argv[n++] = (char *)"--engines", argv[n++] = (char *)o->engines;
	if (o->cross)
		argv[n++] = (char *)"--cross";
	argv[n] = NULL;
	r->p = p;
	if (start(r, argv) != 0 || !(r->r = rec_open(r->from, o->command, "model", NULL))) {
		*error = formatted("%s: cannot be run: %s", o->command, strerror(errno));
		remote_close(r);
		return NULL;
	}
	rec_begin(&r->w, r->to, "ask", 1, "duct-" DUCT_VERSION);
	return r;
}

/* ---- requests */

static void send_vars(struct remote *r)
{
	for (; r->vars < expr_var_count(r->p); r->vars++) {
		uint8_t kind = expr_var_kind(r->p, r->vars);
		rec_str(&r->w, "var");
		rec_num(&r->w, r->vars + 1);
		rec_str(&r->w, expr_var_name(r->p, r->vars));
		rec_mem(&r->w, (const char *)&kind, 1);
		rec_num(&r->w, expr_var_width(r->p, r->vars));
		rec_eol(&r->w);
	}
}

static void send_table(struct remote *r, expr e)
{
	uint32_t n;
	const uint8_t *b = expr_table_bytes(r->p, e, &n);
	char *text = reserved(2 * (size_t)n + 1, 1);
	for (uint32_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", b[i]);
	rec_num(&r->w, 0);
	rec_mem(&r->w, text, 2 * (size_t)n);
	free(text);
}

static void send_node(struct remote *r, expr e)
{
	enum op op = expr_op(r->p, e);
	struct value v;
	rec_str(&r->w, "e");
	rec_num(&r->w, e);
	rec_str(&r->w, op_name(op));
	if (op == OP_TABLE) {
		send_table(r, e);
	} else {
		rec_num(&r->w, expr_width(r->p, e));
		if (op == OP_INPUT)
			rec_num(&r->w, expr_input_var(r->p, e) + 1);
		if (expr_is_const(r->p, e, &v))
			hex_put(&r->w, v);
		for (int i = 0; i < op_arity(op); i++)
			rec_num(&r->w, expr_operand(r->p, e, i));
		if (op == OP_EXTRACT)
			rec_num(&r->w, expr_extract_low(r->p, e));
	}
	rec_eol(&r->w);
}

static void send_conditions(struct remote *r, const expr *cond, size_t n)
{
	for (size_t i = 0; i < n; i++)
		rec_num(&r->w, cond[i]);
	rec_eol(&r->w);
}

static void send_query(struct remote *r, const struct query *q)
{
	dag_start(&r->dag, r->p);
	for (size_t i = 0; i < q->n; i++)
		dag_add(&r->dag, r->p, q->cond[i]);
	for (size_t i = 0; i < q->wholes; i++)
		dag_add(&r->dag, r->p, q->whole[i]);
	r->sent = grow(r->sent, &r->sent_cap, expr_count(r->p) + 1, 1);
	send_vars(r);
	for (size_t i = 0; i < r->dag.n; i++) {
		expr e = r->dag.node[i];
		if (!r->sent[e])
			send_node(r, e);
		r->sent[e] = 1;
	}
	rec_putf(&r->w, "s", "parent");
	for (uint32_t i = 0; q->parent && i < q->parent->n && i < r->vars; i++) {
		if (!q->parent->set[i])
			continue;
		rec_str(&r->w, "set");
		rec_num(&r->w, i + 1);
		hex_put(&r->w, q->parent->v[i]);
		rec_eol(&r->w);
	}
	if (q->wholes) {
		rec_str(&r->w, "whole");
		send_conditions(r, q->whole, q->wholes);
	}
	if (q->cheap)
		rec_putf(&r->w, "s", "cheap");
	rec_str(&r->w, "ask");
	rec_num(&r->w, ++r->asks);
	send_conditions(r, q->cond, q->n);
	fflush(r->to);
}

/* ---- answers */

/* Reads values up to `done`; false when the stream ends early or is malformed. */
static bool read_values(struct remote *r, struct assignment *m)
{
	struct rec rec;
	while (rec_next(r->r, &rec) == REC_OK) {
		uint64_t n;
		struct value v;
		if (!strcmp(rec.field[0], "done"))
			return true;
		if (strcmp(rec.field[0], "v"))
			continue;
		if (!rec_want(r->r, &rec, 3, 3)
		    || !rec_u64(r->r, &rec, 1, "variable", 1, r->vars, &n)
		    || !hex_get(r->r, &rec, 2, "value", expr_var_width(r->p, (uint32_t)n - 1), &v))
			return false;
		assignment_set(m, (uint32_t)n - 1, v);
	}
	return false;
}

enum answer remote_ask(struct remote *r, const struct query *q, struct assignment *model,
    double seconds, const char **why, bool *by_engine, struct solve_counts *counts)
{
	struct assignment empty = { 0 };
	struct rec rec;
	uint64_t us = 0;
	enum answer a = ANSWER_UNKNOWN;
	expect_answer(r, seconds);
	send_query(r, q);
	*why = "the solver process ended";
	*by_engine = true;
	if (rec_next(r->r, &rec) != REC_OK || !rec_want(r->r, &rec, 8, 8)
	    || !rec_u64(r->r, &rec, 4, "microseconds", 0, UINT64_MAX, &us)
	    || !rec_u64(r->r, &rec, 5, "count", 0, UINT64_MAX, &counts->disagreed)
	    || !rec_u64(r->r, &rec, 6, "count", 0, UINT64_MAX, &counts->bad_models)
	    || !rec_u64(r->r, &rec, 7, "count", 0, UINT64_MAX, &counts->confirmed))
		return a;
	if (!strcmp(rec.field[0], "sat"))
		a = ANSWER_SAT;
	else if (!strcmp(rec.field[0], "unsat"))
		a = ANSWER_UNSAT;
	snprintf(r->why, sizeof r->why, "%s", rec.field[2]);
	*by_engine = !strcmp(rec.field[3], "engine");
	counts->child_seconds = (double)us * 1e-6;
	assignment_copy(model, q->parent ? q->parent : &empty);
	if (!read_values(r, model))
		return ANSWER_UNKNOWN;
	*why = r->why;
	if (a == ANSWER_SAT && expr_first_false(r->p, q->cond, q->n, model) != q->n) {
		*why = "model does not satisfy the conditions";
		return ANSWER_UNKNOWN;
	}
	return a;
}

static void fetch(struct remote *r)
{
	struct rec rec;
	uint64_t n;
	expect_answer(r, 0);
	rec_putf(&r->w, "s", "stats");
	fflush(r->to);
	r->layers = 0;
	while (rec_next(r->r, &rec) == REC_OK && strcmp(rec.field[0], "done")) {
		if (!rec_want(r->r, &rec, 3, 3)
		    || !rec_u64(r->r, &rec, 2, "count", 0, UINT64_MAX, &n))
			return;
		if (!strcmp(rec.field[0], "layer")
		    && r->layers < sizeof r->layer / sizeof *r->layer) {
			snprintf(
			    r->layer[r->layers].name, sizeof r->layer->name, "%s", rec.field[1]);
			r->layer[r->layers++].n = n;
		}
	}
}

bool remote_layer(struct remote *r, size_t i, const char **name, uint64_t *answered)
{
	if (i == 0)
		fetch(r);
	if (i >= r->layers)
		return false;
	*name = r->layer[i].name;
	*answered = r->layer[i].n;
	return true;
}

/* Waits for the process, whose input was closed; kills it after GRACE. */
static void end(struct remote *r)
{
	const struct timespec pause = { 0, 1000000 };
	double until = clock_now() + GRACE;
	pid_t got = 0;
	while (r->pid > 0
	    && (!(got = waitpid(r->pid, NULL, WNOHANG)) || (got < 0 && errno == EINTR))) {
		if (clock_now() >= until)
			kill(r->pid, SIGKILL);
		nanosleep(&pause, NULL);
	}
}

void remote_close(struct remote *r)
{
	expect_answer(r, 0);
	if (r->r) {
		rec_end(&r->w);
		rec_close(r->r);
	}
	if (r->to)
		fclose(r->to);
	if (r->from)
		fclose(r->from);
	end(r);
	dag_clear(&r->dag);
	free(r->sent);
	free(r);
}
