/* Calls of other functions of the program before the entry, or by a callback before it returns,
 * because the entry may depend on variables that they set. This is done only if the session, not
 * the user, limits the number of calls. */
#include "lib/runtime/grow.h"

/* Calls by callbacks so far, and how often a callback could have made one. */
static uint64_t calls_back, asked;

const char *duct_called_by;
bool duct_is_before;

/* 0, or one of n; the choice is an input and a decision of the path. */
static uint32_t choose(const char *root, uint32_t n)
{
	enum { WIDTH = 16 };
	char *name = duct_arena(duct_length(root) + 24);
	struct duct_term which;

	duct_input_root(name, root);
	which = duct_input_choice(name, WIDTH, 0);
	duct_input_assume(
	    duct_t_binary(OP_ULE, which, duct_constant(WIDTH, n)), "no such function");
	for (uint32_t i = 0; i < n; i++)
		duct_model_condition(NULL, 0, duct_t_binary(OP_EQ, which, duct_constant(WIDTH, i)));
	return (uint32_t)which.v;
}

/* How often the entry is called if other functions may be called; else 0. */
static uint64_t calls_of_entry(void)
{
	if (!duct_channel || !duct_rt_setup("grow:", "between") || duct_calls & 1)
		return 0;
	return duct_rt_setup("grow:", "calls");
}

uint32_t duct_rt_between(uint32_t n)
{
	static uint64_t before; /* since the last call of the entry */
	uint64_t calls = calls_of_entry();
	uint32_t which = before + 1 < calls ? choose(".between", n) : 0;

	before = which ? before + 1 : 0;
	duct_is_before = which != 0;
	return which;
}

int duct_rt_state(const char *name, int asks)
{
	if (!duct_channel || !duct_rt_setup("grow:", "state")
	    || (asks && !choose(duct_grow_joined(".set.", name), 1)))
		return 0;
	duct_input_keeps = true;
	return 1;
}

void duct_rt_back(void (*const *back)(void), uint32_t n, const char *name)
{
	/* Choices by callbacks for each permitted call: a callback may be called in a loop. */
	enum { ASKED = 4 };
	uint64_t calls = calls_of_entry();
	uint32_t which, site = duct_site, serial = duct_site_serial;

	if (!calls || calls_back >= calls - 1 || asked >= ASKED * calls)
		return;
	asked++;
	which = choose(duct_grow_joined(name, "().back"), n);
	if (!which)
		return;
	calls_back++;
	duct_called_by = name;
	back[which - 1]();
	duct_site = site; /* the call itself defines what the callback then writes */
	duct_site_serial = serial;
}
