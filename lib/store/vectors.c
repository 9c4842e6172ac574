/* vectors: with a criterion of evaluations (criteria.h), such as MC/DC, a run that takes a new
 * combination of outcomes of one decision is kept as a test, too: only such runs can show that a
 * condition independently affects the decision. */
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/protocol/criterion.h"

#include <stdlib.h>
#include <string.h>

struct combinations {
	uint64_t *at; /* combinations that runs took */
	size_t n;
	uint64_t *no; /* combinations that proofs rule out */
	size_t nos;
	uint64_t now;
	size_t first; /* one of its objectives */
};
struct decisions {
	uint32_t *decision; /* by objective; 0: none */
	uint8_t *bit;       /* by objective */
	struct combinations *seen;
	size_t decisions;
};

static const struct flow_branch *branch_of(const struct store *s, size_t i)
{
	return &s->flow->unit[s->objective[i].unit].branch[s->objective[i].branch - 1];
}

/* The decision of objective i; those of a function are consecutive. */
static uint32_t decision_of(struct store *s, struct decisions *v, size_t i)
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
	struct decisions *v;

	if (!(criteria_among(parameter, "criteria") & criteria_with(CRITERION_EVALUATIONS)))
		return;
	v = s->vectors = zeroed(1, sizeof *v);
	v->decision = zeroed(n + 1, sizeof *v->decision);
	v->bit = zeroed(n + 1, 1);
	for (size_t i = 0; i < n; i++)
		v->decision[i] = decision_of(s, v, i);
	v->seen = zeroed(v->decisions + 1, sizeof *v->seen);
	for (size_t i = n; i-- > 0;)
		v->seen[v->decision[i]].first = i;
}

static bool is_among(const uint64_t *at, size_t n, uint64_t mask)
{
	for (size_t i = 0; i < n; i++)
		if (at[i] == mask)
			return true;
	return false;
}

/* Is the run's combination of outcomes of the decision new? A run that takes exactly the outcomes
 * of one evaluation made that evaluation. */
static bool is_new(struct store *s, struct combinations *d)
{
	if (is_among(d->at, d->n, d->now))
		return false;
	if (is_among(d->no, d->nos, d->now))
		store_contradict_evaluation(s, d->first);
	*PUSH(d->at, d->n) = d->now;
	return true;
}

void store_vectors_rule_out(struct store *s, const uint32_t *objective, size_t n)
{
	struct decisions *v = s->vectors;
	uint32_t decision = v && n ? v->decision[objective[0]] : 0;
	uint64_t mask = 0;

	for (size_t i = 0; i < n; i++) {
		if (!decision || v->decision[objective[i]] != decision)
			return;
		mask |= (uint64_t)1 << v->bit[objective[i]];
	}
	if (!decision || is_among(v->seen[decision].no, v->seen[decision].nos, mask))
		return;
	*PUSH(v->seen[decision].no, v->seen[decision].nos) = mask;
	if (is_among(v->seen[decision].at, v->seen[decision].n, mask))
		store_contradict_evaluation(s, objective[0]);
}

size_t store_vectors_add(struct store *s, const struct covers *c)
{
	struct decisions *v = s->vectors;
	size_t fresh = 0;

	for (size_t i = 0; v && i < c->n; i++)
		if (v->decision[c->at[i]])
			v->seen[v->decision[c->at[i]]].now |= (uint64_t)1 << v->bit[c->at[i]];
	for (size_t i = 1; v && i <= v->decisions; i++) {
		fresh += v->seen[i].now && is_new(s, &v->seen[i]);
		v->seen[i].now = 0;
	}
	return fresh;
}

void store_vectors_free(struct decisions *v)
{
	for (size_t i = 0; v && i <= v->decisions; i++) {
		free(v->seen[i].at);
		free(v->seen[i].no);
	}
	if (v) {
		free(v->decision);
		free(v->bit);
		free(v->seen);
	}
	free(v);
}
