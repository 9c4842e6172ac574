/* simplify: splits conjunctions, removes duplicates, detects contradictions. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"

#include <stdlib.h>

static bool open_layer(struct layer *l, char **error)
{
	(void)error;
	l->state = zeroed(1, sizeof(struct parts));
	return true;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct parts *s = l->state;
	struct problem down = *q;
	parts_start(s, l->chain->p);
	for (size_t i = 0; i < q->n; i++) {
		if (i == q->flip)
			down.flip = s->n;
		s->doubt = i >= q->flip; /* the parent's values satisfy the prefix */
		parts_add(s, q->cond[i]);
	}
	if (s->contradiction)
		return layer_own(l, ANSWER_UNSAT);
	down.cond = s->cond, down.n = s->n;
	return layer_pass(l, &down);
}

static void close_layer(struct layer *l)
{
	parts_clear(l->state);
	free(l->state);
}

const struct layer_class layer_simplify = { "simplify", open_layer, ask, close_layer };
