/* witness: the inputs of a run that reaches a goal: inputs that are reported once, results of the
 * calls of __VERIFIER_nondet_*, in order, and the bytes of standard input. */
#include "lib/prove/inner.h"
#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CALLS 4096 /* of a run */

/* ---- calls in the encoding */

static const char prefix[] = "__VERIFIER_nondet_";

static char kind_of(const char *type)
{
	return !strcmp(type, "bool")                            ? 'b'
	    : !strcmp(type, "char")                             ? 'c'
	    : !strcmp(type, "float") || !strcmp(type, "double") ? 'f'
	    : *type == 'u' || !strcmp(type, "size_t") || !strcmp(type, "sector_t")
	        || !strcmp(type, "pthread_t")
	    ? 'u'
	    : 'i';
}

bool prove_is_nondet(const char *name)
{
	return !strncmp(name, prefix, sizeof prefix - 1) && !strstr(name, "pointer")
	    && !strstr(name, "pchar") && !strstr(name, "charp") && !strstr(name, "memory")
	    && !strstr(name, "128");
}

bool prove_is_stdin(const struct walk *w, const struct flow_operand *o)
{
	const struct flow_unit *u = prove_unit(w->m, w->frame);
	const struct flow_inst *from = o && o->kind == '%' ? &u->inst[o->id - 1] : NULL;
	const struct flow_operand *at =
	    from && from->op == FLOW_LOAD ? &u->operand[from->first] : NULL;
	return at && at->kind == '&' && !u->var[at->id - 1].func
	    && !strcmp(u->var[at->id - 1].name, "stdin");
}

bool prove_reads_byte(const struct walk *w, const char *name, const struct flow_inst *i)
{
	const struct flow_unit *u = prove_unit(w->m, w->frame);
	const struct flow_operand *o = i->operands > 1 ? &u->operand[i->first + 1] : NULL;
	if (!strcmp(name, "getchar") || !strcmp(name, "getchar_unlocked"))
		return true;
	return (!strcmp(name, "getc") || !strcmp(name, "fgetc") || !strcmp(name, "_IO_getc")
	           || !strcmp(name, "getc_unlocked") || !strcmp(name, "fgetc_unlocked"))
	    && prove_is_stdin(w, o);
}

/* One random value in sixteen means the end of input, because random bytes would seldom reach
 * it. */
expr prove_any_byte(struct walk *w, bool is_stdin)
{
	struct encoding *m = w->m;
	expr end = is_stdin && m->startup
	    ? prove_startup_end(w, prove_bool(m, true))
	    : prove_equal(m, prove_fresh(m, 4), prove_const(m, 4, 15));
	return prove_ite(m, end, prove_const(m, 32, UINT32_MAX),
	    expr_make(m->pool, OP_ZEXT, 32, prove_fresh(m, 8), 0, 0));
}

/* value: 0 if it is not represented. */
void prove_add_nondet(struct walk *w, const char *name, unsigned width, expr value)
{
	struct encoding *m = w->m;
	char kind = strncmp(name, prefix, sizeof prefix - 1) ? NONDET_BYTE
	                                                     : kind_of(name + sizeof prefix - 1);
	*PUSH(m->nondet, m->nondets) =
	    (struct nondet){ w->now.guard, value, kind, kind == 'b' ? 1 : (uint16_t)width };
}

/* The k-th name with this beginning. */
static const char *name_of(const char *begin, char ***name, size_t *names, size_t k)
{
	while (*names <= k) {
		char *text = formatted("%s[%zu]", begin, *names);

		*PUSH(*name, *names) = text;
	}
	return (*name)[k];
}

/* ---- of a run */

uint64_t prove_input_value(const struct prove_input *in, uint64_t bits)
{
	if (in->is_argc)
		return (uint32_t)bits - 1; /* runs count arguments without argv[0] */
	return in->kind == 'n' ? !bits : bits;
}

void prove_witness_begin(struct witness *w, struct encoding *m)
{
	bool reads = false;
	*w = (struct witness){ .m = m };
	for (uint32_t i = 0; i < m->inputs; i++)
		*PUSH(w->v, w->n) = (struct prove_value){ m->input[i].name, m->input[i].kind,
			m->input[i].width, prove_input_value(&m->input[i], 0) };
	for (size_t i = 0; i < m->nondets; i++)
		reads |= m->nondet[i].kind == NONDET_BYTE || m->nondet[i].kind == NONDET_NUMBER;
	if (!reads)
		return;
	*PUSH(w->v, w->n) = (struct prove_value){ "stdin.len", 'u', 32, 0 };
	w->length = w->n;
}

/* Adds a byte of standard input. A read beyond its end adds none. */
static void take_byte(struct witness *w, uint64_t value)
{
	struct encoding *m = w->m;
	w->at_end |= (uint32_t)value == UINT32_MAX;
	if (w->at_end || w->bytes >= MOST_CALLS)
		return;
	*PUSH(w->v, w->n) = (struct prove_value){ name_of("stdin", &m->byte, &m->bytes, w->bytes++),
		'c', 8, value & 0xff };
	w->v[w->length - 1].value = w->bytes;
}

/* The number in decimal, and a blank. */
static void take_number(struct witness *w, int32_t value)
{
	char text[16];
	snprintf(text, sizeof text, "%d ", (int)value);
	for (const char *c = text; *c; c++)
		take_byte(w, (unsigned char)*c);
}

void prove_witness_call(struct witness *w, const struct nondet *call, uint64_t value)
{
	struct encoding *m = w->m;
	if (call->kind == NONDET_NUMBER) {
		take_number(w, (int32_t)value);
		return;
	}
	if (call->kind == NONDET_BYTE) {
		take_byte(w, value);
		return;
	}
	if (w->calls < MOST_CALLS && call->width)
		*PUSH(w->v, w->n) =
		    (struct prove_value){ name_of("nondet", &m->name, &m->names, w->calls),
			    call->kind, call->width, value };
	w->calls++;
}

static uint64_t value_named(const struct witness *w, const char *name, size_t n, uint64_t otherwise)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strncmp(w->v[i].name, name, n) && !w->v[i].name[n])
			return w->v[i].value;
	return otherwise;
}

/* Is there the text that this byte, NAME[N] or argv[K][N], is of? */
static bool is_there(const struct witness *w, const char *name)
{
	char set[280];
	if (!strncmp(name, "argv[", 5))
		return strtoull(name + 5, NULL, 10) <= value_named(w, "args", 4, 0);
	if (strncmp(name, "env.", 4) || !strrchr(name, '[')
	    || snprintf(set, sizeof set, "%.*s?", (int)(strrchr(name, '[') - name), name)
	        >= (int)sizeof set)
		return true;
	return value_named(w, set, strlen(set), 1);
}

static bool is_text(const char *name)
{
	return !strncmp(name, "argv[", 5) || (!strncmp(name, "env.", 4) && strrchr(name, '['));
}

void prove_witness_trim(struct witness *w)
{
	struct prove_value *v = w->v;
	size_t kept = 0;
	bool ended = false;
	for (size_t i = 0; i < w->n; i++) {
		const char *at = is_text(v[i].name) ? strrchr(v[i].name, '[') : NULL;
		ended &= at && strcmp(at, "[0]") != 0;
		if (at && (ended || !is_there(w, v[i].name)))
			continue;
		ended = at && !v[i].value;
		v[kept++] = v[i];
	}
	w->n = kept;
}

void prove_witness_free(struct witness *w)
{
	free(w->v);
	free(w->choice);
}

static uint64_t value_of(struct ts_unroll *u, size_t step, uint32_t var)
{
	const lit *l = blast_var(u->step[step], var);
	unsigned width = expr_var_width(u->t->pool, var);
	uint64_t v = 0;
	for (unsigned k = 0; l && k < width && k < 64; k++)
		v |= (uint64_t)cnf_value(u->cnf, l[k]) << k;
	return v;
}

/* The values of a step, as the solver found them. */
static void set_step(
    struct ts_unroll *u, size_t step, const struct value *state, uint64_t pc, struct assignment *a)
{
	const struct ts *t = u->t;
	const struct ts_cone *c = u->cone;
	assignment_set(a, expr_input_var(t->pool, t->pc), bits_value(pc));
	for (uint32_t i = 0; i < c->slots; i++)
		assignment_set(
		    a, expr_input_var(t->pool, t->slot[c->slot[i]].latch), state[c->slot[i]]);
	for (uint32_t i = 0; i < c->vars; i++)
		assignment_set(a, c->var[i], bits_value(value_of(u, step, c->var[i])));
	expr_eval_start(t->pool, a);
}

static void take_calls(struct witness *w)
{
	struct encoding *m = w->m;
	for (size_t k = 0; k < m->nondets; k++)
		if (expr_eval_next(m->pool, m->nondet[k].guard).lo)
			prove_witness_call(w, &m->nondet[k],
			    m->nondet[k].value ? expr_eval_next(m->pool, m->nondet[k].value).lo
			                       : 0);
}

struct witness prove_witness(struct prover *r, struct ts_unroll *u, size_t steps)
{
	struct encoding *m = r->m;
	const struct ts_cone *c = u->cone;
	struct witness w;
	struct assignment a = { 0 };
	struct value *state = zeroed(m->ts.slots, sizeof *state);
	uint64_t pc = 0;
	prove_witness_begin(&w, m);
	for (uint32_t i = 0; i < m->inputs; i++) /* its value in the first step that reads it */
		for (size_t s = 0; s < steps; s++)
			if (blast_var(u->step[s], expr_input_var(m->pool, m->input[i].value))) {
				w.v[i].value = prove_input_value(&m->input[i],
				    value_of(u, s, expr_input_var(m->pool, m->input[i].value)));
				break;
			}
	size_t choices;
	prove_choices(r, &choices);
	for (size_t s = 0; s < steps && (m->nondets || choices); s++) {
		set_step(u, s, state, pc, &a);
		take_calls(&w);
		prove_evaluate_choices(r, &w);
		pc = expr_eval_next(m->pool, m->ts.pc_next).lo;
		for (uint32_t i = 0; i < c->slots; i++)
			state[c->slot[i]] = expr_eval_next(m->pool, m->ts.slot[c->slot[i]].next);
	}
	assignment_clear(&a);
	free(a.v);
	free(a.set);
	free(state);
	return w;
}
