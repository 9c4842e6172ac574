/* pdr: property-directed reachability by berkeley-abc on the system as AIGER, all open outputs in one run. */
#include "lib/engine/engine.h"
#include "lib/engine/process.h"
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The file's descriptor; -1 and a reason in *error. */
static int write_circuit(const struct circuit *c, const char **error)
{
	struct aiger a = { .input = c->input, .inputs = c->inputs, .latch = c->latch, .latches = c->latches,
		.output = c->output, .outputs = c->outputs };
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

/* ---- what it says */

/* Its last line counts; all must be accounted for. */
static bool all_decided(const char *text, size_t outputs, size_t reached)
{
	const char *at = strstr(text, "Properties:");
	unsigned all, proved, disproved, undecided;
	return at && sscanf(at, "Properties: All = %u. Proved = %u. Disproved = %u. Undecided = %u.", &all, &proved,
	                    &disproved, &undecided) == 4
	       && all == outputs && disproved == reached && proved == outputs - reached && !undecided;
}

/* Outputs that are reached, and in which step at least; false when the rest is not proved. */
static bool read_answer(const char *text, size_t outputs, long *reached)
{
	unsigned output, frame;
	size_t n = 0;
	for (const char *s = text; (s = strstr(s, "Output")); s++)
		if ((sscanf(s, "Output %u was asserted in frame %u", &output, &frame) == 2
		     || sscanf(s, "Output %u was trivially asserted in frame %u", &output, &frame) == 2)
		    && output < outputs && reached[output] < 0) {
			reached[output] = frame;
			n++;
		}
	return all_decided(text, outputs, n);
}

/* Bit n of the latches, in the order of the circuit. */
static expr latch_bit(struct run *r, size_t n, bool next)
{
	struct model *m = r->m;
	if (n < m->pc_width)
		return prove_extract(m, (unsigned)n, 1, next ? m->pc_next : m->pc);
	n -= m->pc_width;
	for (uint32_t i = 0; i < r->cone.slots; i++) {
		const struct slot *s = &m->slot[r->cone.slot[i]];
		if (n < s->width)
			return prove_extract(m, (unsigned)n, 1, next ? s->next : s->latch);
		n -= s->width;
	}
	return 0;
}

/* The rows of the file are states that are never reached. */
struct invariant { unsigned *latch; size_t latches; char **row; size_t rows; char *text; };

static struct invariant read_invariant(int fd)
{
	struct invariant v = { 0 };
	off_t size = lseek(fd, 0, SEEK_END);
	char *save = NULL;
	v.text = prove_room((size_t)size + 1, 1);
	if (pread(fd, v.text, (size_t)size, 0) != size)
		return v;
	for (char *line = strtok_r(v.text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, ".ilb", 4)) {
			for (char *s = line; (s = strstr(s, "lo")); s += 2)
				*PUSH(v.latch, v.latches) = (unsigned)strtoul(s + 2, NULL, 10);
		} else if (v.latches && strchr("01-", *line) && strlen(line) > v.latches) {
			*PUSH(v.row, v.rows) = line;
		}
	}
	return v;
}

static void free_invariant(struct invariant *v)
{
	free(v->latch);
	free(v->row);
	free(v->text);
}

static expr row_of(struct run *r, const struct invariant *v, size_t row, bool next)
{
	expr e = prove_bool(r->m, true);
	for (size_t k = 0; k < v->latches && e; k++) {
		expr bit = v->row[row][k] == '-' ? 0 : latch_bit(r, v->latch[k], next);
		if (bit)
			e = prove_and(r->m, e, v->row[row][k] == '1' ? bit : expr_not(r->m->pool, bit));
	}
	return e;
}

/* Does a row hold where everything is 0? */
static bool holds_at_start(const struct invariant *v, size_t row)
{
	return !memchr(v->row[row], '1', v->latches);
}

/* From words again, by another solver: whatever is in no row leads to what is in no row, and reaches no output
 * that is taken as proved. A static text that says how that went. cond: room for a row each and one more; the rows'
 * negations remain there. */
static const char *check_again(struct run *r, const struct invariant *v, const long *reached, expr *cond, bool *refuted)
{
	struct model *m = r->m;
	const struct engine_class *class = engine_find("boolector");
	expr bad = prove_bool(m, false);
	struct engine *e;
	enum engine_answer a = ENGINE_UNKNOWN;
	char *error = NULL;
	*refuted = false;
	for (size_t i = 0; i < v->rows; i++) {
		*refuted |= holds_at_start(v, i);
		cond[i] = expr_not(m->pool, row_of(r, v, i, false));
		bad = prove_or(m, bad, row_of(r, v, i, true));
	}
	for (size_t i = 0; i < r->opens; i++)
		if (reached[i] < 0)
			bad = prove_or(m, bad, m->output[r->open[i]].bad);
	cond[v->rows] = bad;
	e = class ? class->open(m->pool, &error) : NULL;
	if (e) {
		a = class->check(e, cond, v->rows + 1, r->deadline - prove_now() > 60 ? 60 : r->deadline - prove_now());
		class->close(e);
	}
	*refuted |= a == ENGINE_SAT;
	free(error);
	return !e ? "not checked again: boolector is missing" : a == ENGINE_UNSAT ? "checked again by boolector"
		: "not checked again: boolector did not end";
}

/* ---- the stage */

/* A run that reaches the output, from the step on that the checker names. */
static void find_run(struct run *r, struct unroll *u, uint32_t output, long from)
{
	for (long s = from; s <= 2 * from + 16 && prove_now() < r->deadline; s++) {
		cnf_assume(u->cnf, prove_unroll_lit(u, (size_t)s, r->m->output[output].bad));
		if (cnf_solve(u->cnf, -1, r->deadline) == CNF_SAT) {
			prove_reached(r, output, u, (size_t)s + 1, "pdr");
			return;
		}
	}
	prove_decide(r, output, PROVE_UNKNOWN, "pdr: reached in %ld steps or more, no run found", from + 1);
}

static void conclude(struct run *r, long *reached, bool proved, const struct invariant *v, const char *by)
{
	bool refuted = false, any = false;
	expr *clause = prove_room(v->rows + 1, sizeof *clause);
	const char *how = proved ? check_again(r, v, reached, clause, &refuted) : NULL;
	const struct prove_proof why = { .stage = "pdr", .invariant = true, .by = by,
		.checked = how && !strncmp(how, "checked", 7) ? "boolector" : NULL };
	struct unroll u = prove_unroll(r->m, &r->cone, true);
	uint32_t *output = prove_room(r->opens, sizeof *output);
	size_t n = r->opens;
	memcpy(output, r->open, n * sizeof *output);
	for (size_t i = 0; i < n; i++)
		any |= reached[i] < 0;
	if (proved && !refuted && any)
		prove_tell_invariant(r, clause, v->rows);
	for (size_t i = 0; i < n; i++)
		if (reached[i] >= 0)
			find_run(r, &u, output[i], reached[i]);
		else if (proved && refuted)
			prove_decide(r, output[i], PROVE_UNKNOWN, "pdr: its invariant does not hold");
		else if (proved)
			prove_proved(r, output[i], &why, "pdr, invariant of %zu clauses, %s", v->rows, how);
	prove_unroll_free(&u);
	free(output);
	free(clause);
}

struct told { char *text; size_t size; char by[40]; };

/* As its first lines tell it: "UC Berkeley, ABC 1.01 (compiled ...". */
static void name_version(struct told *t)
{
	const char *at = t->text ? strstr(t->text, "ABC 1") : NULL;
	if (at)
		snprintf(t->by, sizeof t->by, "berkeley-abc %.*s", (int)strcspn(at + 4, " (\n"), at + 4);
}

static struct told run_checker(struct run *r, const char *path, int in, int out)
{
	double left = r->deadline - prove_now(), seconds = 0.7 * left;      /* the rest is for runs and the check */
	struct told told = { 0 };
	char *command = NULL;
	char *argv[] = { (char *)(uintptr_t)path, (char *)"-c", NULL, NULL };
	double cpu = 0;
	int limit = seconds < 1 ? 1 : (int)seconds;
	if (asprintf(&command, "version; read_aiger /proc/self/fd/%d; pdr -a -d -I /proc/self/fd/%d -T %d", in, out, limit) < 0)
		abort();
	argv[2] = command;
	bool in_time = seconds + 2 <= left;
	int status = process_run(argv, STDIN_FILENO, in_time ? seconds + 2 : left, &told.text, &told.size, &cpu);
	if (status == PROCESS_TIMEOUT && in_time)
		snprintf(r->trouble, sizeof r->trouble, "berkeley-abc did not heed its time limit");
	else if (status == PROCESS_FAILED)
		snprintf(r->trouble, sizeof r->trouble, "berkeley-abc cannot be run");
	else if (status >= 0 && WIFSIGNALED(status))
		snprintf(r->trouble, sizeof r->trouble, "berkeley-abc was ended by signal %d", WTERMSIG(status));
	snprintf(told.by, sizeof told.by, "berkeley-abc");
	name_version(&told);
	free(command);
	return told;
}

void prove_stage_pdr(struct run *r)
{
	struct circuit c = prove_circuit(r);
	char *path = process_find("berkeley-abc");
	struct told told = { 0 };
	const char *error = NULL;
	int in = path ? write_circuit(&c, &error) : -1, out = memfd_create("invariant", 0);
	long *reached = prove_room(r->opens, sizeof *reached);
	memset(reached, -1, r->opens * sizeof *reached);
	if (!path)
		prove_note(r->m, false, "berkeley-abc is missing: no property-directed reachability");
	if (in >= 0 && out >= 0 && !error)
		told = run_checker(r, path, in, out);
	if (told.text) {
		struct invariant v = read_invariant(out);
		bool proved = read_answer(told.text, r->opens, reached);
		conclude(r, reached, proved, &v, told.by);
		free_invariant(&v);
	}
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	free(reached);
	free(told.text);
	free(path);
	prove_circuit_free(&c);
}
