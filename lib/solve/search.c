/* search: all solutions, input by input (join.h), of problems with few values: exact if it
 * completes. Gives up when that takes much work. */
#include "lib/solve/join.h"
#include "lib/solve/layer.h"

#define MOST_WORK 200000 /* nodes times points */

static bool open_layer(struct layer *l, char **error)
{
	(void)error;
	l->state = join_new(l->chain->p, l->chain->domains);
	return true;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct join *s = l->state;
	uint32_t var;
	uint64_t value;
	enum answer a;

	domains_trim(l->chain->domains);
	a = join_ask(s, l->chain, q, NULL, MOST_WORK);
	if (a == ANSWER_UNKNOWN || (a == ANSWER_SAT && !join_is_exact(s)))
		return layer_pass(l, q);
	for (size_t i = 0; a == ANSWER_SAT && join_value(s, 0, i, &var, &value); i++)
		layer_bind(l->chain, var, (struct value){ value, 0 });
	return layer_own(l, a);
}

static void close_layer(struct layer *l)
{
	join_free(l->state);
}

const struct layer_class layer_search = { "search", open_layer, ask, close_layer };
