/* aiger: writes the graph as binary AIGER. XOR, MUX and majority gates are expanded to ANDs while
 * they are numbered; each gate maps to the literal of its last AND. */
#include "lib/blast/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>

struct aiger_writer {
	const struct aig *g;
	uint32_t *number; /* by gate: literal in the file + 1; 0: not numbered */
	struct visits visits;
	uint32_t (*ands)[2];
	size_t n, cap;  /* greater operand first */
	uint32_t first; /* variable of the first AND */
};

static uint32_t lit_of(const struct aiger_writer *w, lit l)
{
	return l >> 1 ? (w->number[l >> 1] - 1) ^ (l & 1) : l;
}

static uint32_t and2(struct aiger_writer *w, uint32_t a, uint32_t b)
{
	if (a < b) {
		uint32_t t = a;
		a = b, b = t;
	}
	w->ands = grow(w->ands, &w->cap, w->n + 1, sizeof *w->ands);
	w->ands[w->n][0] = a, w->ands[w->n][1] = b;
	return 2 * (w->first + (uint32_t)w->n++);
}

static uint32_t or2(struct aiger_writer *w, uint32_t a, uint32_t b)
{
	return and2(w, a ^ 1, b ^ 1) ^ 1;
}

static uint32_t lower(struct aiger_writer *w, const struct gate *k)
{
	uint32_t a = lit_of(w, k->a), b = lit_of(w, k->b), c = lit_of(w, k->c);
	switch (k->kind) {
	case GATE_AND: return and2(w, a, b);
	case GATE_XOR: return or2(w, and2(w, a, b ^ 1), and2(w, a ^ 1, b));
	case GATE_MUX: return or2(w, and2(w, a, b), and2(w, a ^ 1, c));
	default: return or2(w, and2(w, a, b), and2(w, or2(w, a, b), c));
	}
}

/* Numbers the gates below l; false when a leaf is neither an input nor a latch. */
static bool number(struct aiger_writer *w, lit l)
{
	if (l >> 1 && !w->number[l >> 1])
		visits_push(&w->visits, l >> 1);
	while (w->visits.n) {
		uint32_t n = w->visits.gate[w->visits.n - 1];
		const struct gate *k = aig_gate(w->g, n);
		if (w->number[n]) {
			w->visits.n--;
			continue;
		}
		if (k->kind == GATE_INPUT)
			return false;
		if (visits_operands(&w->visits, w->g, n, w->number))
			continue;
		w->number[n] = lower(w, k) + 1;
		w->visits.n--;
	}
	return true;
}

static bool is_leaf(const struct aiger_writer *w, lit l)
{
	return !(l & 1) && aig_gate(w->g, l >> 1)->kind == GATE_INPUT && !w->number[l >> 1];
}

static const char *number_all(struct aiger_writer *w, const struct aiger *m)
{
	uint32_t var = 0;
	bool good = true;
	for (size_t i = 0; i < m->inputs + m->latches; i++) {
		lit l = i < m->inputs ? m->input[i] : m->latch[i - m->inputs].at;
		if (!is_leaf(w, l))
			return "an input or latch is no leaf, or is there twice";
		w->number[l >> 1] = 2 * ++var + 1;
	}
	w->first = var + 1;
	for (size_t i = 0; i < m->latches; i++)
		good &= number(w, m->latch[i].next);
	for (size_t i = 0; i < m->outputs; i++)
		good &= number(w, m->output[i]);
	for (size_t i = 0; i < m->bads; i++)
		good &= number(w, m->bad[i]);
	for (size_t i = 0; i < m->constraints; i++)
		good &= number(w, m->constraint[i]);
	return good ? NULL : "a leaf is neither an input nor a latch";
}

static void put_lits(FILE *f, const struct aiger_writer *w, const lit *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%u\n", lit_of(w, l[i]));
}

/* LEB128: seven bits a byte, top bit set on all but the last. */
static void put_delta(FILE *f, uint32_t d)
{
	for (; d >= 128; d >>= 7)
		putc((int)(d & 127) | 128, f);
	putc((int)d, f);
}

static void put(FILE *f, const struct aiger_writer *w, const struct aiger *m)
{
	fprintf(f, "aig %zu %zu %zu %zu %zu", m->inputs + m->latches + w->n, m->inputs, m->latches,
	    m->outputs, w->n);
	if (m->bads || m->constraints)
		fprintf(f, " %zu", m->bads);
	if (m->constraints)
		fprintf(f, " %zu", m->constraints);
	putc('\n', f);
	for (size_t i = 0; i < m->latches; i++) {
		const struct aiger_latch *l = &m->latch[i];
		fprintf(f, "%u", lit_of(w, l->next));
		if (l->reset != AIGER_ZERO)
			fprintf(f, " %u", l->reset == AIGER_ONE ? 1 : lit_of(w, l->at));
		putc('\n', f);
	}
	put_lits(f, w, m->output, m->outputs);
	put_lits(f, w, m->bad, m->bads);
	put_lits(f, w, m->constraint, m->constraints);
	for (size_t i = 0; i < w->n; i++) {
		put_delta(f, 2 * (w->first + (uint32_t)i) - w->ands[i][0]);
		put_delta(f, w->ands[i][0] - w->ands[i][1]);
	}
}

const char *aiger_write(FILE *f, const struct aig *g, const struct aiger *m)
{
	struct aiger_writer w = { .g = g, .number = zeroed(aig_size(g), sizeof *w.number) };
	const char *wrong = number_all(&w, m);
	if (!wrong)
		put(f, &w, m);
	free(w.number), free(w.visits.gate), free(w.ands);
	return wrong;
}
