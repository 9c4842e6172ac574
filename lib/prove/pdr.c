/* pdr: property-directed reachability by berkeley-abc on the system as AIGER, all open outputs in
 * one run. It is started when the other stages take long, runs beside them, and is killed when its
 * time is over. */
#include "lib/engine/engine.h"
#include "lib/base/grow.h"
#include "lib/engine/process.h"
#include "lib/prove/abc.h"
#include "lib/prove/inner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STOPPED (-2) /* exit status after it was killed at its limit */

/* A running checker, the outputs that it was given, and their cone at that time. */
struct pdr {
	pid_t pid;
	int text, invariant; /* files with its output and with the invariant */
	uint32_t *output;
	size_t outputs;
	struct ts_cone cone;
	bool ended, decided; /* decided: all of them */
	int status;
};

/* Returns the file's descriptor, or -1 and a reason in *error. */
static int write_circuit(const struct ts_circuit *c, const char **error)
{
	struct aiger a = { .input = c->input,
		.inputs = c->inputs,
		.latch = c->latch,
		.latches = c->latches,
		.output = c->output,
		.outputs = c->outputs };
	int fd = memfd_create("system", 0);
	FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "w");
	*error = "no room for the model checker's input";
	if (!f)
		return -1;
	*error = aiger_write(f, c->g, &a);
	if (fclose(f) && !*error)
		*error = "the model checker's input could not be written";
	return fd;
}

/* Bit n of the latches, in the order of the circuit. */
static expr latch_bit(struct prover *r, size_t n, bool next)
{
	struct encoding *m = r->m;
	const struct ts_cone *c = &r->pdr->cone;
	if (n < m->ts.pc_width)
		return prove_extract(m, (unsigned)n, 1, next ? m->ts.pc_next : m->ts.pc);
	n -= m->ts.pc_width;
	for (uint32_t i = 0; i < c->slots; i++) {
		const struct ts_slot *s = &m->ts.slot[c->slot[i]];
		if (n < s->width)
			return prove_extract(m, (unsigned)n, 1, next ? s->next : s->latch);
		n -= s->width;
	}
	return 0;
}

static expr row_of(struct prover *r, const struct abc_invariant *v, size_t row, bool next)
{
	expr e = prove_bool(r->m, true);
	for (size_t k = 0; k < v->latches && e; k++) {
		expr bit = v->row[row][k] == '-' ? 0 : latch_bit(r, v->latch[k], next);
		if (bit)
			e = prove_and(
			    r->m, e, v->row[row][k] == '1' ? bit : expr_not(r->m->pool, bit));
	}
	return e;
}

/* Checks the invariant on words, by another solver: every step from a state in no row leads to a
 * state in no row, and reaches no output that counts as proved. Returns the solver that says so;
 * NULL: none does. cond has room for each row and one more; the negated rows remain there. */
static const char *check_again(
    struct prover *r, const struct abc_invariant *v, const long *reached, expr *cond, bool *refuted)
{
	struct encoding *m = r->m;
	const struct engine_class *class;
	expr bad = prove_bool(m, false);
	struct engine *e;
	enum engine_answer a = ENGINE_UNKNOWN;
	char *error = NULL;
	*refuted = false;
	for (size_t i = 0; i < v->rows; i++) {
		*refuted |= abc_holds_at_start(v, i);
		cond[i] = expr_not(m->pool, row_of(r, v, i, false));
		bad = prove_or(m, bad, row_of(r, v, i, true));
	}
	for (size_t i = 0; i < r->pdr->outputs; i++)
		if (reached[i] < 0)
			bad = prove_or(m, bad, m->output[r->pdr->output[i]].bad);
	cond[v->rows] = bad;
	class = engine_find("boolector");
	if (!engine_fits(class, m->pool, cond, v->rows + 1))
		class = engine_find("z3");
	e = class ? class->open(m->pool, &error) : NULL;
	if (e) {
		a = class->check(e, cond, v->rows + 1,
		    r->deadline - clock_now() > 60 ? 60 : r->deadline - clock_now());
		class->close(e);
	}
	*refuted |= a == ENGINE_SAT;
	free(error);
	return a == ENGINE_UNSAT ? class->name : NULL;
}

/* ---- the stage */

/* Searches a run that reaches the output; the checker named the step. */
static void find_run(struct prover *r, struct ts_unroll *u, uint32_t output, long from)
{
	for (long s = from; s <= 2 * from + 16 && clock_now() < r->deadline; s++) {
		cnf_assume(u->cnf, ts_unroll_lit(u, (size_t)s, r->m->output[output].bad));
		if (cnf_solve(u->cnf, -1, r->deadline) == CNF_SAT) {
			prove_reached(r, output, u, (size_t)s + 1, "pdr");
			return;
		}
	}
	prove_decide(
	    r, output, PROVE_UNKNOWN, "pdr: reached in %ld steps or more, no run found", from + 1);
}

static bool is_open(const struct prover *r, uint32_t output)
{
	for (size_t i = 0; i < r->opens; i++)
		if (r->open[i] == output)
			return true;
	return false;
}

static void conclude(
    struct prover *r, long *reached, bool proved, const struct abc_invariant *v, const char *by)
{
	bool refuted = false, told = false;
	expr *clause = zeroed(v->rows + 1, sizeof *clause);
	const char *how = proved ? check_again(r, v, reached, clause, &refuted) : NULL;
	const struct prove_proof why = {
		.stage = "pdr", .invariant = true, .by = by, .checked = how
	};
	struct ts_unroll u = ts_unroll(&r->m->ts, &r->cone, true);
	for (size_t i = 0; i < r->pdr->outputs; i++) {
		uint32_t output = r->pdr->output[i];
		if (!is_open(r, output))
			continue;
		if (reached[i] >= 0) {
			find_run(r, &u, output, reached[i]);
		} else if (proved && refuted) {
			prove_decide(r, output, PROVE_UNKNOWN, "pdr: its invariant does not hold");
		} else if (proved) {
			if (!told)
				prove_tell_invariant(r, clause, v->rows);
			told = true;
			prove_proved(r, output, &why, "pdr, invariant of %zu clauses, %s%s",
			    v->rows, how ? "checked again by " : "not checked again",
			    how ? how : "");
		}
	}
	ts_unroll_free(&u);
	free(clause);
}

/* ---- the checker */

/* Reads the checker's version from its first lines: "UC Berkeley, ABC 1.01 (compiled ...". */
static void name_version(const char *text, char *by, size_t size)
{
	const char *at = strstr(text, "ABC 1");
	snprintf(by, size, "berkeley-abc%s%.*s", at ? " " : "",
	    at ? (int)strcspn(at + 4, " (\n") : 0, at ? at + 4 : "");
}

static char *read_text(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = zeroed((size_t)(size > 0 ? size : 0) + 1, 1);
	if (size > 0 && pread(fd, text, (size_t)size, 0) != size)
		*text = 0;
	return text;
}

/* The checker's own limit is of CPU time; ours ends it in any case. */
static bool start(struct pdr *p, const char *path, int in, int limit)
{
	const struct rlimit most = { 64 << 20,
		64 << 20 }; /* bytes of its output, and of its invariant */
	pid_t parent = getpid();
	char *command;
	command =
	    formatted("version; read_aiger /proc/self/fd/%d; pdr -a -d -I /proc/self/fd/%d -T %d",
	        in, p->invariant, limit);
	fflush(NULL);
	if (!(p->pid = fork())) {
		int none = open("/dev/null", O_RDWR);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setrlimit(RLIMIT_FSIZE, &most);
		if (getppid() == parent && none >= 0 && dup2(none, 0) >= 0 && dup2(p->text, 1) >= 0
		    && dup2(none, 2) >= 0)
			execl(path, path, "-c", command, (char *)NULL);
		_exit(127);
	}
	free(command);
	return p->pid > 0;
}

static void collect(struct pdr *p, bool wait)
{
	int status;
	pid_t got;
	char *text;
	while (!p->ended && (got = waitpid(p->pid, &status, wait ? 0 : WNOHANG)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		p->ended = true;
		p->status = got == p->pid ? status : -1;
		text = read_text(p->text);
		p->decided = strstr(text, "Undecided = 0.") != NULL;
		free(text);
	}
}

void prove_pdr_begin(struct prover *r, double until)
{
	char *path = r->pdr ? NULL : process_find("berkeley-abc");
	struct ts_circuit c;
	struct pdr *p;
	const char *error = NULL;
	expr *bad;
	double left = until - clock_now();
	int in;
	if (r->pdr)
		return;
	p = r->pdr = zeroed(1, sizeof *p);
	p->ended = true;
	p->text = p->invariant = -1;
	if (!path) {
		prove_note(
		    r->m, false, "berkeley-abc is missing: no property-directed reachability");
		return;
	}
	p->outputs = r->opens;
	p->output = zeroed(r->opens, sizeof *p->output);
	memcpy(p->output, r->open, r->opens * sizeof *p->output);
	bad = prove_open_conditions(r);
	p->cone = ts_cone(&r->m->ts, bad, r->opens);
	prove_cut_cone(r);
	c = ts_circuit(&r->m->ts, &r->cone, bad, r->opens);
	free(bad);
	in = write_circuit(&c, &error);
	p->text = memfd_create("text", 0);
	p->invariant = memfd_create("invariant", 0);
	if (in >= 0 && !error && p->text >= 0 && p->invariant >= 0)
		p->ended = !start(p, path, in, left < 1 ? 1 : left > 1e6 ? 1000000 : (int)left);
	if (in >= 0)
		close(in);
	ts_circuit_free(&c);
	free(path);
}

bool prove_pdr_decided(struct prover *r)
{
	if (r->pdr)
		collect(r->pdr, false);
	return r->pdr && r->pdr->decided;
}

size_t prove_pdr_goals(const struct prover *r)
{
	return r->pdr ? r->pdr->outputs : 0;
}

void prove_pdr_end(struct prover *r)
{
	struct pdr *p = r->pdr;
	if (!p)
		return;
	collect(p, false);
	if (!p->ended)
		kill(p->pid, SIGKILL);
	collect(p, true);
	if (p->text >= 0)
		close(p->text);
	if (p->invariant >= 0)
		close(p->invariant);
	ts_cone_free(&p->cone);
	free(p->output);
	free(p);
	r->pdr = NULL;
}

/* ---- the stage */

static void wait_for(struct pdr *p, double until)
{
	struct timespec nap = { 0, 2000000 };
	for (collect(p, false); !p->ended && clock_now() < until; collect(p, false))
		nanosleep(&nap, NULL);
	if (!p->ended) {
		kill(p->pid, SIGKILL);
		collect(p, true);
		p->status = STOPPED;
	}
}

void prove_stage_pdr(struct prover *r)
{
	double left = r->deadline - clock_now();
	char by[40], *text;
	long *reached;
	prove_pdr_begin(r, clock_now() + 0.7 * left); /* the rest is for runs and the check */
	wait_for(r->pdr, clock_now() + 0.7 * left);
	if (r->pdr->text < 0)
		return;
	if (r->pdr->status == STOPPED || (!r->pdr->decided && !r->pdr->status))
		snprintf(r->trouble, sizeof r->trouble, PROVE_LATE);
	else if (r->pdr->status >= 0 && WIFSIGNALED(r->pdr->status))
		snprintf(r->trouble, sizeof r->trouble, "berkeley-abc was ended by signal %d",
		    WTERMSIG(r->pdr->status));
	else if (r->pdr->status >= 0 && WEXITSTATUS(r->pdr->status) == 127)
		snprintf(r->trouble, sizeof r->trouble, "berkeley-abc cannot be run");
	reached = zeroed(r->pdr->outputs, sizeof *reached);
	memset(reached, -1, r->pdr->outputs * sizeof *reached);
	text = read_text(r->pdr->text);
	name_version(text, by, sizeof by);
	if (*text) {
		struct abc_invariant v = abc_invariant(read_text(r->pdr->invariant));
		bool proved = abc_answer(text, r->pdr->outputs, reached);
		conclude(r, reached, proved, &v, by);
		abc_free(&v);
	}
	free(reached);
	free(text);
}
