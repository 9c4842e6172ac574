/* Other functions of the program, called before the entry: what they leave in variables may matter
 * to it. Only where the session chose the number of calls, as a limit of its own. */
#include "lib/runtime/rt.h"

/* 0, or one of n: which is an input and a decision of the path. */
static uint32_t choose(uint32_t n)
{
	enum { WIDTH = 16 };
	char name[32];
	struct duct_term which;

	duct_input_root(name, ".between");
	which = duct_input_choice(name, WIDTH, 0);
	duct_input_assume(
	    duct_t_binary(OP_ULE, which, duct_constant(WIDTH, n)), "no such function");
	for (uint32_t i = 0; i < n; i++)
		duct_model_condition(NULL, 0, duct_t_binary(OP_EQ, which, duct_constant(WIDTH, i)));
	return (uint32_t)which.v;
}

void duct_rt_between(void (*const *other)(void), uint32_t n)
{
	uint64_t calls = duct_channel ? duct_rt_setup("grow:", "calls") : 0;

	if (!calls || !duct_rt_setup("grow:", "between") || duct_calls & 1)
		return;
	for (uint64_t i = 1; i < calls; i++) {
		uint32_t which = choose(n);

		if (!which)
			return;
		other[which - 1]();
	}
}
