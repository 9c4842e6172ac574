/* run: one runner, from open to close. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/grow.h"
#include "lib/run/internal.h"
#include "lib/trace/arena.h"

enum { SHRINK_EVERY = 16 }; /* runs between two looks at what they have used */

int run_fail(char **error, const char *fmt, ...)
{
	va_list ap;

	if (!error)
		return -1;
	va_start(ap, fmt);
	*error = formatted_list(fmt, ap);
	va_end(ap);
	return -1;
}

/* The caller may lack standard descriptors; other files must not take their numbers. */
static void fill_standard_fds(void)
{
	int fd;

	while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd < 3)
		;
	if (fd >= 3)
		close(fd);
}

/* The server runs in another directory: relative paths are made absolute. */
static char *absolute(const char *program)
{
	if (!strchr(program, '/') && access(program, F_OK))
		return copied(program);
	return realpath(program, NULL);
}

static void set_defaults(struct runner *r, const struct run_options *o)
{
	r->o = *o;
	if (!(r->o.timeout > 0))
		r->o.timeout = 10;
	if (!r->o.memory)
		r->o.memory = (uint64_t)1 << 30;
	if (!r->o.output)
		r->o.output = (uint64_t)1 << 20;
	if (!r->o.stacks)
		r->o.stacks = 1;
	r->flows.fd = r->place_fd = r->scratch_fd = r->in_fd = r->out_fd = r->err_fd =
	    r->channel.fd = -1;
	r->view = NO_VIEW;
	r->server = NO_SERVER;
}

/* Reports a limit of the calling process under which no run could begin, by its name. */
static int check_limits(char **error)
{
	enum { FILES = SERVER_FLOWS_FD + 9 };
	struct rlimit files;

	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < FILES) {
		files.rlim_cur = files.rlim_max < FILES ? files.rlim_max : FILES;
		setrlimit(RLIMIT_NOFILE, &files);
		if (files.rlim_cur < FILES)
			return run_fail(error,
			    "only %llu files can be open at once, %d are needed: see ulimit -n",
			    (unsigned long long)files.rlim_cur, FILES);
	}
	return 0;
}

struct runner *run_open(const struct run_options *o, char **error)
{
	struct runner *r = zeroed(1, sizeof *r);

	fill_standard_fds();
	set_defaults(r, o);
	if (!(r->program = absolute(o->program)))
		run_fail(error, "%s: %s", o->program, strerror(errno));
	else if (!check_limits(error) && !environ_open(r, error) && !scratch_open(r, error)
	    && !shared_open(&r->channel, r->o.memory, error) && !flows_open(r, error)
	    && !shared_setup(&r->channel, &r->o, error)) {
		witness_open(r);
		if (!server_start(r, error)) {
			witness_ready(r);
			return r;
		}
	}
	run_close(r);
	return NULL;
}

void run_close(struct runner *r)
{
	if (!r)
		return;
	server_stop(&r->server);
	scratch_close(r);
	environ_close(r);
	witness_close(r);
	flows_close(r);
	shared_close(&r->channel);
	free(r->program);
	free(r);
}

void run_within(struct runner *r, double seconds, double left)
{
	r->most = seconds;
	r->end = left > 0 ? clock_now() + left : 0;
}

double run_took(const struct runner *r)
{
	return r->took;
}

const char *run_unconfined(const struct runner *r)
{
	return *r->open_names ? r->open_names : NULL;
}

/* The program wrote over the channel, or threads wrote their events at the same time: nothing of
 * the path can be trusted, which is said. */
static void scribbled(struct trace *t, char *why)
{
	char *reason =
	    formatted("the program wrote over duct's memory, or several threads of it did: %s",
	        why ? why : "");
	t->lost = arena_alloc(t, sizeof *t->lost);
	t->event = arena_alloc(t, sizeof *t->event);
	t->lost[0] = (struct trace_lost){ 0, 0, arena_text(t, reason, strlen(reason)) };
	t->event[0] = (struct channel_event){ .kind = EV_LOST };
	t->losts = t->events = 1;
	free(reason);
	free(why);
}

static void make_trace(struct runner *r, struct trace *t)
{
	char *why = NULL;

	shared_restore(&r->channel);
	if (shared_used(&r->channel) > r->o.memory) {
		r->swollen = true;
		shared_drop(&r->channel);
	}
	if (trace_from_channel(r->channel.map, r->channel.mapped, t, &why)) {
		scribbled(t, why);
	} else if (!shared_fits(&r->channel, t)) {
		trace_clear(t);
		scribbled(t, copied("other units"));
	}
}

/* Sends the input to the server; one that died while idle is replaced. 0, with *lost set if it died
 * in the run; -1 if there is no server. */
static int ask_server(struct runner *r, const struct input *in, struct channel_answer *done,
    bool *timed_out, bool *lost, char **error)
{
	enum server_result result;
	int idle = 0;

	do {
		if (r->server.keeper <= 0 && server_start(r, error))
			return -1;
		if (shared_reset(&r->channel, in, error) || environ_prepare(r, in, error))
			return -1;
		result = server_run(r, done, timed_out);
		if (result == SERVER_AGAIN)
			scratch_clean(r);
		if (result >= SERVER_IDLE)
			server_stop(&r->server);
		idle += result == SERVER_IDLE;
	} while (result == SERVER_AGAIN || (result == SERVER_IDLE && idle < 2));
	*lost = result >= SERVER_IDLE;
	return 0;
}

/* Is it an ordinary end, which needs no explanation? */
static bool quiet_end(enum trace_end end)
{
	return end == END_EXIT || end == END_REJECTED;
}

static char session_time[] = "the session's time";

bool run_is_cut(const struct trace *t)
{
	return t->end == END_LIMIT && t->fault_message && !strcmp(t->fault_message, session_time);
}

/* A run that ended at a bound reached that limit: the trace records it like any other limit. A
 * bound on the size of the trace itself has no option; its name says which part it is. */
static void add_bound(const struct runner *r, struct trace *t)
{
	const char *why = t->fault_message ? t->fault_message : "";
	const char *kind = NULL, *name = "";
	uint64_t value = 0;

	if (t->end == END_TIMEOUT)
		kind = "time", value = (uint64_t)(r->o.timeout * 1e3);
	else if (t->end == END_MEMORY || (t->end == END_LIMIT && !strcmp(why, "memory")))
		kind = "memory", value = r->o.memory;
	else if (t->end == END_OUTPUT || (t->end == END_LIMIT && !strcmp(why, "output")))
		kind = "output", value = r->o.output;
	else if (t->end != END_LIMIT || !strcmp(why, "size"))
		return;
	else if (r->late == LATE_MOST && run_is_cut(t))
		kind = "time", value = (uint64_t)((r->most > 0 ? r->most : r->o.timeout) * 1e3);
	else if (!strcmp(why, "depth"))
		kind = "branches", value = r->o.max_depth;
	else if (!strcmp(why, "steps"))
		kind = "steps", value = r->o.max_steps;
	else
		kind = "trace", name = why;
	trace_add_limit(t, kind, name, value);
}

/* In a process of its own, which the keeper watches. */
static int ask_traced(struct runner *r, const struct input *in, struct channel_answer *done,
    bool *timed_out, bool *lost, char **error)
{
	int result;

	r->channel.head.flags |= CHANNEL_FORK;
	result = ask_server(r, in, done, timed_out, lost, error);
	r->channel.head.flags = r->o.flags;
	server_let_go(r);
	return result;
}

int run_watched(struct runner *r, const struct input *in, bool *timed_out, char **error)
{
	struct channel_answer done = { 0 };
	bool lost = true;
	int result;

	if (!server_trace(r))
		return 0; /* nothing is confirmed */
	result = ask_traced(r, in, &done, timed_out, &lost, error);
	scratch_clean(r);
	return result;
}

/* Watched where witness_begin says so. */
static int ask_watched(struct runner *r, const struct input *in, struct channel_answer *done,
    bool *timed_out, bool *lost, char **error)
{
	int result;

	if (!witness_begin(r, r->runs == 0))
		return ask_server(r, in, done, timed_out, lost, error);
	result = ask_traced(r, in, done, timed_out, lost, error);
	witness_end(r);
	return result;
}

/* Sends the input, and reads the events of the run and how it ended. */
static int see(struct runner *r, const struct input *in, struct trace *t, char **error)
{
	struct channel_answer done = { 0 };
	bool timed_out = false, lost, flooded;

	if (ask_watched(r, in, &done, &timed_out, &lost, error))
		return -1;
	make_trace(r, t);
	arguments_limits(r, t);
	t->id = in->id;
	flooded = environ_collect(r, t);
	if (lost) {
		t->end = timed_out ? END_TIMEOUT : END_LOST_SERVER;
	} else {
		classify(t, r->channel.map, done.status, timed_out, flooded);
		t->cpu_us = done.cpu_us;
		t->left_behind = done.left_behind;
	}
	if (r->swollen)
		t->end = END_MEMORY;
	if (quiet_end(t->end)) {
		t->fault_message = t->fault_file = NULL;
		t->fault_line = t->fault_block = t->fault_unit = t->fault_inst = 0;
	}
	if (t->end == END_TIMEOUT && r->late > LATE_TIMEOUT) {
		t->end = END_LIMIT; /* its own limit was not reached */
		t->fault_message = session_time;
	}
	add_bound(r, t);
	return 0;
}

static bool is_full(const struct trace *t)
{
	return t->end == END_LIMIT && t->fault_message
	    && !strncmp(t->fault_message, "too many ", 9);
}

/* The rest of the run's trace did not fit: the run is repeated with concrete inputs, in the time
 * that a run has left. If that takes too long, or too many steps, this run would have, too. */
static int follow_on(
    struct runner *r, const struct input *in, double used, struct trace *t, char **error)
{
	static char steps[] = "steps";
	struct trace rest = { 0 };
	bool stepped;
	int result;

	r->channel.head.flags |= CHANNEL_PART;
	r->used = used;
	result = see(r, in, &rest, error);
	r->used = 0;
	r->channel.head.flags = r->o.flags;
	scratch_clean(r);
	stepped = rest.end == END_LIMIT && rest.fault_message && !strcmp(rest.fault_message, steps);
	if (!result && (rest.end == END_TIMEOUT || stepped)) {
		t->end = rest.end;
		t->fault_message = stepped ? steps : NULL;
		t->fault_unit = rest.fault_unit;
		t->fault_block = rest.fault_block;
		t->fault_line = rest.fault_line;
		t->fault_inst = rest.fault_inst;
		add_bound(r, t);
	}
	trace_clear(&rest);
	return result;
}

static int run_once(struct runner *r, const struct input *in, struct trace *t, char **error)
{
	double first;

	if (see(r, in, t, error))
		return -1;
	first = r->took;
	t->promised = in->expect;
	if (in->expect)
		t->promise =
		    trace_kept(t, in->expect, in->expect_hash) ? PROMISE_KEPT : PROMISE_MISSED;
	scratch_clean(r);
	if (r->runs % SHRINK_EVERY == 0)
		shared_shrink(&r->channel);
	if (witness_check(r, in, t, error))
		return -1;
	r->took = first;
	return is_full(t) ? follow_on(r, in, first, t, error) : 0;
}

int run_input(struct runner *r, const struct input *in, struct trace *t, char **error)
{
	memset(t, 0, sizeof *t);
	if (!run_once(r, in, t, error))
		return 0;
	trace_clear(t);
	return -1;
}
