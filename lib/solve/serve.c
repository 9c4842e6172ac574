/* serve: reads requests (format ask), writes answers (format model). */
#include "lib/solve/serve.h"
#include "lib/base/grow.h"
#include "lib/trace/hex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MOST_IDS (1u << 28)

struct question_server {
	struct solver *s;
	struct expr_pool *p;
	struct rec_reader *r;
	struct rec rec;
	struct rec_writer w;
	uint32_t *var;
	size_t vars, var_cap; /* by number - 1: variable of the pool */
	expr *e;
	size_t ids, id_cap; /* by number: expression; 0: not defined */
	expr *cond;
	size_t cond_cap;
	expr *whole;
	size_t wholes, whole_cap; /* whole question of the next ask */
	struct assignment parent, model;
	bool cheap; /* the next question is for the layers alone */
};

/* var N NAME KIND WIDTH */
static bool define_var(struct question_server *d)
{
	uint64_t n, width;
	if (!rec_want(d->r, &d->rec, 5, 5)
	    || !rec_u64(d->r, &d->rec, 1, "variable", d->vars + 1, d->vars + 1, &n)
	    || !rec_u64(d->r, &d->rec, 4, "width", 1, 128, &width))
		return false;
	uint8_t kind = d->rec.len[3] == 1 ? (uint8_t)d->rec.field[3][0] : 0;
	if (!trace_kind_known(kind)) {
		rec_fail(d->r, "unknown kind `%.20s`: one of i u c b f n", d->rec.field[3]);
		return false;
	}
	d->var = grow(d->var, &d->var_cap, d->vars + 1, sizeof *d->var);
	d->var[d->vars++] = expr_var(d->p, d->rec.field[2], kind, (uint32_t)width);
	return true;
}

static bool operand(struct question_server *d, size_t i, expr *e)
{
	uint64_t id;
	if (!rec_u64(d->r, &d->rec, i, "expression", 1, MOST_IDS, &id))
		return false;
	*e = id < d->ids ? d->e[id] : 0;
	if (!*e)
		rec_fail(d->r, "expression %llu is not defined", (unsigned long long)id);
	return *e != 0;
}

/* Reads a TABLE's bytes from one field. */
static expr table(struct question_server *d)
{
	if (!rec_want(d->r, &d->rec, 5, 5))
		return 0;
	uint8_t *bytes = reserved(d->rec.len[4] / 2 + 1, 1);
	expr e = 0;
	if (hex_bytes(d->r, &d->rec, 4, bytes))
		e = expr_table(d->p, bytes, (uint32_t)(d->rec.len[4] / 2));
	free(bytes);
	return e;
}

/* e ID input|const|table|OP WIDTH ...: the expression, or 0 after rec_fail */
static expr node(struct question_server *d, enum op op)
{
	uint64_t width, k = 0;
	struct value v;
	expr o[3] = { 0, 0, 0 }, e;
	int arity = op_arity(op);
	if (op == OP_TABLE)
		return table(d);
	if (!rec_want(d->r, &d->rec, 4, 7) || !rec_u64(d->r, &d->rec, 3, "width", 0, 128, &width))
		return 0;
	if (op == OP_INPUT)
		return rec_u64(d->r, &d->rec, 4, "variable", 1, d->vars, &k)
		    ? expr_input(d->p, d->var[k - 1])
		    : 0;
	if (op == OP_CONST)
		return hex_get(d->r, &d->rec, 4, "value", (unsigned)width, &v)
		    ? expr_const(d->p, (uint32_t)width, v)
		    : 0;
	for (int i = 0; i < arity; i++)
		if (!operand(d, 4 + (size_t)i, &o[i]))
			return 0;
	if (op == OP_EXTRACT && !rec_u64(d->r, &d->rec, 5, "bit", 0, 127, &k))
		return 0;
	e = expr_make(d->p, op, (uint32_t)width, o[0], o[1], op == OP_EXTRACT ? (uint32_t)k : o[2]);
	if (!e)
		rec_fail(d->r, "operands of `%s` do not fit", op_name(op));
	return e;
}

static bool define(struct question_server *d)
{
	uint64_t id;
	if (!rec_want(d->r, &d->rec, 4, 7) || !rec_u64(d->r, &d->rec, 1, "id", 1, MOST_IDS, &id))
		return false;
	enum op op = op_find(d->rec.field[2]);
	if (op == OP_NONE) {
		rec_fail(d->r, "unknown operation `%.20s`", d->rec.field[2]);
		return false;
	}
	if (id < d->ids && d->e[id]) {
		rec_fail(d->r, "expression %llu is defined twice", (unsigned long long)id);
		return false;
	}
	expr e = node(d, op);
	if (!e)
		return false;
	d->e = grow(d->e, &d->id_cap, id + 1, sizeof *d->e);
	d->ids = d->id_cap;
	d->e[id] = e;
	return true;
}

/* set N HEX */
static bool set(struct question_server *d)
{
	uint64_t n;
	struct value v;
	if (!rec_want(d->r, &d->rec, 3, 3) || !rec_u64(d->r, &d->rec, 1, "variable", 1, d->vars, &n)
	    || !hex_get(d->r, &d->rec, 2, "value", expr_var_width(d->p, d->var[n - 1]), &v))
		return false;
	assignment_set(&d->parent, d->var[n - 1], v);
	return true;
}

static double cpu(void)
{
	struct rusage self;
	getrusage(RUSAGE_SELF, &self);
	return (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec)
	    + (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec) * 1e-6;
}

/* Ends an answer and flushes: the client waits for it. */
static bool done(struct question_server *d)
{
	rec_putf(&d->w, "s", "done");
	return fflush(d->w.f) == 0 && !ferror(d->w.f);
}

static bool same(struct value a, struct value b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

static bool answer(
    struct question_server *d, enum answer a, const char *id, const char *why, bool by_engine)
{
	static const char *const text[] = { "unknown", "sat", "unsat" };
	const struct solve_counts *c = solve_counts(d->s);
	rec_putf(&d->w, "ssssuuuu", text[a], id, why, by_engine ? "engine" : "cached",
	    (uint64_t)((cpu() + c->child_seconds) * 1e6), c->disagreed, c->bad_models,
	    c->confirmed);
	for (size_t i = 0; i < d->vars && a == ANSWER_SAT; i++) {
		struct value v = assignment_get(&d->model, d->var[i]);
		if (same(v, assignment_get(&d->parent, d->var[i])))
			continue;
		rec_str(&d->w, "v");
		rec_num(&d->w, i + 1);
		hex_put(&d->w, v);
		rec_eol(&d->w);
	}
	return done(d);
}

/* Reads conditions from field `first` on. */
static bool conditions(struct question_server *d, size_t first, expr **cond, size_t *n, size_t *cap)
{
	*n = d->rec.n - first;
	*cond = grow(*cond, cap, *n, sizeof **cond);
	for (size_t i = 0; i < *n; i++) {
		if (!operand(d, i + first, &(*cond)[i]))
			return false;
		if (expr_width(d->p, (*cond)[i]) != 1) {
			rec_fail(d->r, "expression %s is no condition", d->rec.field[i + first]);
			return false;
		}
	}
	return true;
}

/* whole COND... */
static bool whole(struct question_server *d)
{
	return rec_want(d->r, &d->rec, 1, SIZE_MAX)
	    && conditions(d, 1, &d->whole, &d->wholes, &d->whole_cap);
}

/* ask ID COND... */
static bool ask(struct question_server *d)
{
	const char *why;
	struct query q = {
		.parent = &d->parent, .whole = d->whole, .wholes = d->wholes, .cheap = d->cheap
	};
	if (!rec_want(d->r, &d->rec, 2, SIZE_MAX)
	    || !conditions(d, 2, &d->cond, &q.n, &d->cond_cap))
		return false;
	q.cond = d->cond;
	q.whole = q.wholes ? q.whole : NULL;
	d->wholes = 0;
	d->cheap = false;
	uint64_t before = solve_counts(d->s)->engine;
	enum answer a = solve_ask(d->s, &q, &d->model, &why);
	return answer(d, a, d->rec.field[1], why, solve_counts(d->s)->engine > before);
}

static bool stats(struct question_server *d)
{
	const char *name;
	uint64_t n;
	for (size_t i = 0; solve_layer(d->s, i, &name, &n); i++)
		rec_putf(&d->w, "ssu", "layer", name, n);
	return done(d);
}

static void forget(struct question_server *d)
{
	d->vars = d->wholes = 0;
	d->cheap = false;
	if (d->ids)
		memset(d->e, 0, d->ids * sizeof *d->e);
	assignment_clear(&d->parent);
}

/* Executes one request; false after rec_fail or a write error. */
static bool request(struct question_server *d)
{
	const char *tag = d->rec.field[0];
	if (rec_first(d->r))
		forget(d);
	if (!strcmp(tag, "var"))
		return define_var(d);
	if (!strcmp(tag, "e"))
		return define(d);
	if (!strcmp(tag, "parent")) {
		assignment_clear(&d->parent);
		return true;
	}
	if (!strcmp(tag, "set"))
		return set(d);
	if (!strcmp(tag, "whole"))
		return whole(d);
	if (!strcmp(tag, "cheap"))
		return d->cheap = true;
	if (!strcmp(tag, "ask"))
		return ask(d);
	return strcmp(tag, "stats") || stats(d);
}

int solve_serve(
    struct solver *s, struct expr_pool *p, FILE *in, const char *name, FILE *out, char **error)
{
	struct question_server d = { .s = s, .p = p, .r = rec_open(in, name, "ask", NULL) };
	enum rec_status status;
	int result = 0;
	rec_begin(&d.w, out, "model", 1, "solve-" DUCT_VERSION);
	bool good = fflush(out) == 0;
	while ((status = good ? rec_next(d.r, &d.rec) : REC_END) == REC_OK)
		if (!(good = request(&d)))
			break;
	*error = NULL;
	if (ferror(out)) {
		result = 4;
	} else if (!good || status == REC_ERROR) {
		*error = copied(rec_error(d.r));
		result = 3;
	} else if (rec_end(&d.w) != 0) {
		result = 4;
	}
	rec_close(d.r);
	free(d.var), free(d.e), free(d.cond), free(d.whole);
	assignment_clear(&d.parent), assignment_clear(&d.model);
	return result;
}
