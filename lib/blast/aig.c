/* aig: an and-inverter graph with structural hashing. Each gate has one canonical form: operands in
 * ascending order, negations moved to the output where the function allows it. */
#include "lib/blast/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct aig {
	struct gate *gate;
	size_t gates, cap;
	uint32_t *slot;
	size_t slots; /* hash table of gates; 0: free */
};

struct aig *aig_new(void)
{
	struct aig *g = zeroed(1, sizeof *g);
	g->gate = grow(NULL, &g->cap, 1, sizeof *g->gate);
	g->gates = 1;
	return g;
}

void aig_free(struct aig *g)
{
	if (!g)
		return;
	free(g->gate), free(g->slot);
	free(g);
}

size_t aig_size(const struct aig *g)
{
	return g->gates;
}
const struct gate *aig_gate(const struct aig *g, uint32_t number)
{
	return &g->gate[number];
}

static size_t hash_of(const struct gate *k)
{
	uint64_t h = (k->a * 0x9e3779b97f4a7c15ull) ^ (k->b * 0xc2b2ae3d27d4eb4full)
	    ^ (k->c * 0x165667b19e3779f9ull) ^ k->kind;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
	return (size_t)(h ^ h >> 29);
}

static bool same(const struct gate *x, const struct gate *y)
{
	return x->a == y->a && x->b == y->b && x->c == y->c && x->kind == y->kind;
}

static uint32_t *slot_of(struct aig *g, const struct gate *k)
{
	size_t i = hash_of(k) & (g->slots - 1);
	while (g->slot[i] && !same(&g->gate[g->slot[i]], k))
		i = (i + 1) & (g->slots - 1);
	return &g->slot[i];
}

static void rehash(struct aig *g)
{
	free(g->slot);
	g->slots = g->slots ? 2 * g->slots : 1024;
	g->slot = zeroed(g->slots, sizeof *g->slot);
	for (size_t i = 1; i < g->gates; i++)
		if (g->gate[i].kind != GATE_INPUT)
			*slot_of(g, &g->gate[i]) = (uint32_t)i;
}

static uint32_t append(struct aig *g, struct gate k)
{
	if (g->gates > UINT32_MAX / 2)
		no_memory(0); /* out of literals: more than 32 GiB of gates */
	g->gate = grow(g->gate, &g->cap, g->gates + 1, sizeof *g->gate);
	g->gate[g->gates] = k;
	return (uint32_t)g->gates++;
}

static lit find(struct aig *g, enum gate_kind kind, lit a, lit b, lit c)
{
	struct gate k = { a, b, c, kind };
	if (2 * g->gates >= g->slots)
		rehash(g);
	uint32_t *slot = slot_of(g, &k);
	if (!*slot)
		*slot = append(g, k);
	return 2 * *slot;
}

lit aig_input(struct aig *g)
{
	return 2 * append(g, (struct gate){ .kind = GATE_INPUT });
}

static void swap(lit *a, lit *b)
{
	lit t = *a;
	*a = *b, *b = t;
}

/* a is an AND gate x or its negation: the result of a & b if it folds, else UINT32_MAX. */
static lit fold_and(const struct aig *g, lit a, lit b)
{
	const struct gate *x = &g->gate[a >> 1];
	if (x->kind != GATE_AND)
		return UINT32_MAX;
	if (!(a & 1)) {
		if (x->a == b || x->b == b)
			return a;
		return x->a == lit_not(b) || x->b == lit_not(b) ? LIT_FALSE : UINT32_MAX;
	}
	return x->a == lit_not(b) || x->b == lit_not(b) ? b : UINT32_MAX;
}

lit aig_and(struct aig *g, lit a, lit b)
{
	lit r;
	if (a > b)
		swap(&a, &b);
	if (a == LIT_FALSE || a == lit_not(b))
		return LIT_FALSE;
	if (a == LIT_TRUE || a == b)
		return b;
	if ((r = fold_and(g, a, b)) != UINT32_MAX || (r = fold_and(g, b, a)) != UINT32_MAX)
		return r;
	return find(g, GATE_AND, a, b, 0);
}

lit aig_or(struct aig *g, lit a, lit b)
{
	return lit_not(aig_and(g, lit_not(a), lit_not(b)));
}

lit aig_xor(struct aig *g, lit a, lit b)
{
	lit flip = (a ^ b) & 1;
	a &= ~1u, b &= ~1u;
	if (a > b)
		swap(&a, &b);
	if (a == b)
		return flip;
	if (a == LIT_FALSE)
		return b ^ flip;
	return find(g, GATE_XOR, a, b, 0) ^ flip;
}

lit aig_mux(struct aig *g, lit c, lit then, lit other)
{
	if (c & 1)
		swap(&then, &other), c = lit_not(c);
	if (c == LIT_FALSE || then == other)
		return other;
	if (then == lit_not(other))
		return aig_xor(g, c, other);
	if (then == LIT_TRUE || then == c)
		return aig_or(g, c, other);
	if (then == LIT_FALSE || then == lit_not(c))
		return aig_and(g, lit_not(c), other);
	if (other == LIT_TRUE || other == lit_not(c))
		return aig_or(g, lit_not(c), then);
	if (other == LIT_FALSE || other == c)
		return aig_and(g, c, then);
	lit flip = then & 1;
	return find(g, GATE_MUX, c, then ^ flip, other ^ flip) ^ flip;
}

lit aig_majority(struct aig *g, lit a, lit b, lit c)
{
	if (a > b)
		swap(&a, &b);
	if (b > c)
		swap(&b, &c);
	if (a > b)
		swap(&a, &b);
	if (a == LIT_FALSE)
		return aig_and(g, b, c);
	if (a == LIT_TRUE)
		return aig_or(g, b, c);
	if (a == b || b == c)
		return b;
	if (a == lit_not(b))
		return c;
	if (b == lit_not(c))
		return a;
	lit flip = a & 1; /* majority is self-dual */
	return find(g, GATE_MAJORITY, a ^ flip, b ^ flip, c ^ flip) ^ flip;
}

bool visits_operands(struct visits *v, const struct aig *g, uint32_t n, const uint32_t *done)
{
	const struct gate *k = &g->gate[n];
	const lit operand[] = { k->a, k->b, k->c };
	size_t before = v->n;
	for (int i = 0; i < 3; i++)
		if (operand[i] >> 1 && !done[operand[i] >> 1])
			visits_push(v, operand[i] >> 1);
	return v->n > before;
}

static uint64_t word_of(const uint64_t *word, lit a)
{
	return word[a >> 1] ^ (a & 1 ? UINT64_MAX : 0);
}

void aig_evaluate(const struct aig *g, uint64_t *word)
{
	for (uint32_t n = 0; n < aig_size(g); n++) {
		const struct gate *k = aig_gate(g, n);
		uint64_t a, b, c;
		if (k->kind == GATE_INPUT)
			continue;
		a = word_of(word, k->a), b = word_of(word, k->b), c = word_of(word, k->c);
		switch (k->kind) {
		case GATE_AND: word[n] = a & b; break;
		case GATE_XOR: word[n] = a ^ b; break;
		case GATE_MUX: word[n] = (a & b) | (~a & c); break;
		case GATE_MAJORITY: word[n] = (a & b) | (a & c) | (b & c); break;
		default: word[n] = 0;
		}
	}
}
