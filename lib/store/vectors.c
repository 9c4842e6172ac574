/* vectors: with the criterion mcdc, a run is also new when it takes other outcomes of one decision
 * together than any before it: only such runs can show that a condition decides by itself. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct seen {
	uint64_t *at;
	size_t n;
	uint64_t now;
};
struct vectors {
	uint32_t *decision;
	uint8_t *bit;
	struct seen *seen;
	size_t decisions;
}; /* by objective; decision 0: none */

static bool is_asked(const char *const *parameter)
{
	for (; parameter && *parameter; parameter++)
		if (!strncmp(*parameter, "option criteria=", 16) && strstr(*parameter, "mcdc"))
			return true;
	return false;
}

static const struct flow_branch *branch_of(const struct store *s, size_t i)
{
	return &s->flow->unit[s->objective[i].unit].branch[s->objective[i].branch - 1];
}

/* Objectives of a function stand together. */
static uint32_t decision_of(struct store *s, struct vectors *v, size_t i)
{
	const struct flow_branch *b = branch_of(s, i);

	for (size_t k = i;
	    b->decision && k-- > 0 && s->objective[k].unit == s->objective[i].unit;) {
		const struct flow_branch *other = branch_of(s, k);
		if (other->func != b->func)
			break;
		if (other->decision == b->decision && other != b) {
			v->bit[i] = (uint8_t)(v->bit[k] / 2 * 2 + 2);
			return v->bit[i] < 2 * STORE_VECTOR ? v->decision[k] : 0;
		}
		if (other == b) {
			v->bit[i] = (uint8_t)(v->bit[k] + 1);
			return v->decision[k];
		}
	}
	return b->decision ? (uint32_t)++v->decisions : 0;
}

void store_vectors_begin(struct store *s, const char *const *parameter)
{
	size_t n = s->known[STORE_BRANCHES].n;
	struct vectors *v;

	if (!is_asked(parameter))
		return;
	v = s->vectors = calloc(1, sizeof *v);
	if (!v || !(v->decision = calloc(n + 1, sizeof *v->decision))
	    || !(v->bit = calloc(n + 1, 1)))
		no_memory();
	for (size_t i = 0; i < n; i++)
		v->decision[i] = decision_of(s, v, i);
	if (!(v->seen = calloc(v->decisions + 1, sizeof *v->seen)))
		no_memory();
}

static bool is_new(struct seen *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->at[i] == d->now)
			return false;
	*PUSH(d->at, d->n) = d->now;
	return true;
}

size_t store_vectors_add(struct store *s, const struct covers *c)
{
	struct vectors *v = s->vectors;
	size_t fresh = 0;

	for (size_t i = 0; v && i < c->n; i++)
		if (v->decision[c->at[i]])
			v->seen[v->decision[c->at[i]]].now |= (uint64_t)1 << v->bit[c->at[i]];
	for (size_t i = 1; v && i <= v->decisions; i++) {
		fresh += v->seen[i].now && is_new(&v->seen[i]);
		v->seen[i].now = 0;
	}
	return fresh;
}

void store_vectors_free(struct vectors *v)
{
	for (size_t i = 0; v && i <= v->decisions; i++)
		free(v->seen[i].at);
	if (v) {
		free(v->decision);
		free(v->bit);
		free(v->seen);
	}
	free(v);
}
