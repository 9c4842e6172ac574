/* Results of the environment as inputs: whether a call fails, what time it is. Calls are counted by
 * function from the start of the run, so that a test can give the same results: GROUP.FUNCTION[i]
 * belongs to call i. */
#include "lib/runtime/process.h"
#include <errno.h>

uint32_t duct_faults_left, duct_inner;
static uint32_t faults_given;

void duct_inject_start(void)
{
	uint64_t faults = duct_rt_setup("", "faults"), grown = duct_rt_setup("grow:", "faults");

	duct_faults_left = faults_given = (uint32_t)(faults ? faults : grown);
	if (duct_channel->setup.used)
		duct_live =
		    1; /* a read of a symbolic file without a library model has to be noticed */
}

/* How often has this been requested before? */
static uint32_t counted(const char *group, const char *function)
{
	static struct {
		const char *group, *function;
		uint32_t count;
	} asked[96];

	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		if (!asked[i].group) {
			asked[i].group = group;
			asked[i].function = function;
		}
		if (duct_same_text(asked[i].group, group)
		    && duct_same_text(asked[i].function, function))
			return asked[i].count++;
	}
	return 0;
}

static void name_call(char *to, const char *group, const char *function)
{
	const char *part[] = { group, ".", function, "[" };
	size_t n = 0;

	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		for (const char *s = part[i]; *s; s++)
			to[n++] = *s;
	n += duct_digits(to + n, counted(group, function));
	to[n++] = ']';
	to[n] = 0;
}

/* The number of error numbers that systems have. */
#define ERRORS 133

/* Any error is possible: the input errno.FUNCTION[i] says which one the call fault.FUNCTION[i]
 * has. */
static void choose_error(const char *fault, int error)
{
	static const char group[] = "errno";
	struct duct_term e;
	char name[64];
	size_t n = 0;

	for (; fault[n]; n++)
		name[n] = n < sizeof group - 1 ? group[n] : fault[n];
	name[n] = 0;
	e = duct_input_choice(name, 32, (uint64_t)error);
	duct_input_assume(duct_t_binary(OP_ULT, duct_t_binary(OP_SUB, e, duct_constant(32, 1)),
	                      duct_constant(32, ERRORS)),
	    "a number of an error");
	errno = (int)e.v;
	duct_store_term((uintptr_t)&errno, sizeof errno, e.n);
}

int duct_rt_fails(const char *function, int error)
{
	struct duct_term fails;
	char name[64];

	if (!duct_channel || !duct_faults_left || duct_inner)
		return 0;
	name_call(name, "fault", function);
	fails = duct_input_var(name, INPUT_BOOL, 1, 0);
	duct_flow_ret = duct_flow_of(duct_inputs_met() - 1);
	duct_model_condition(duct_block_unit, duct_block, fails);
	if (!fails.v)
		return 0;
	duct_faults_left--;
	if (error == ENOMEM)
		errno = error;
	else if (error)
		choose_error(name, error);
	return 1;
}

int duct_follows_new(void)
{
	struct duct_term follows;
	char name[64];

	if (!duct_channel || duct_inner || !duct_rt_environment())
		return 0;
	name_call(name, "process", "fork");
	follows = duct_input_var(name, INPUT_BOOL, 1, 0);
	duct_model_condition(duct_block_unit, duct_block, follows);
	return follows.v != 0;
}

int duct_rt_passes(const char *function)
{
	if (duct_channel && duct_faults_left && !duct_inner)
		counted("fault", function);
	return 0;
}

void duct_rt_may_fail(const char *function)
{
	if (duct_channel && !duct_faults_left && !duct_inner)
		duct_rt_limit("faults", function, faults_given);
}

int duct_rt_present(const char *name, uint32_t otherwise)
{
	struct duct_term there;
	char text[4096];
	size_t n = 0;

	while (name[n] && n < sizeof text - 2) {
		text[n] = name[n];
		n++;
	}
	text[n] = '?';
	text[n + 1] = 0;
	there = duct_input_choice(text, 1, otherwise);
	duct_flow_ret = duct_flow_of(duct_inputs_met() - 1);
	duct_model_condition(duct_block_unit, duct_block, there);
	return (int)there.v;
}

bool duct_told_time;

/* Short reads are inputs only if the user names them. */
static bool is_input(const char *group)
{
	return duct_rt_setup("input:", group)
	    || (duct_rt_environment() && !duct_same_text(group, "short"));
}

int duct_rt_asked(void *p, size_t size, const char *group, const char *function, const char *shape)
{
	char name[64];

	if (!duct_channel || !is_input(group)) {
		duct_told_time |= duct_same_text(group, "time");
		return 0;
	}
	name_call(name, group, function);
	duct_rt_input(p, size, name, shape);
	return 1;
}
