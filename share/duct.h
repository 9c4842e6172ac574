/* duct.h: what a program under test may call. With duct these are the toolkit's own; the tests
 * that duct emits come with definitions that set the recorded values, so that sources using
 * them compile without duct. */
#ifndef DUCT_H
#define DUCT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the `size` bytes at p inputs called `name`; laid out by the type of the object
 * pointed to. The same name again makes inputs `name#2`, `name#3`, ... */
void duct_symbolic(void *p, size_t size, const char *name);
/* Only runs in which condition is not 0 count. Conditions inside the argument are
 * constraints on inputs, not branches to cover. */
void duct_assume(int condition);
/* A run in which condition is 0 is a failure. */
void duct_assert(int condition);

static inline void duct_reached(const char *name)
{
	(void)name;
}
/* An objective: is there an input with which control comes here while the condition holds? It is an
 * `if`, whose condition has the outcomes that any other has; without duct it does nothing. */
#define duct_label(condition, name) \
	do { \
		if (condition) \
			duct_reached(name); \
	} while (0)
/* The same; its name is the condition's text. */
#define duct_cover(condition) duct_label(condition, #condition)
/* Labels that a run has to come to in this order: `duct_sequence(NAME);` outside of functions, and
 * duct_step(NAME, 1, condition), duct_step(NAME, 2, condition), ... where they stand. Each is an
 * objective, "NAME 1", "NAME 2", ...: a step counts when the one before it was the last. */
#define duct_sequence(name) static unsigned duct_sequence_##name
#define duct_step(name, number, condition) \
	do { \
		if (condition) \
			if (duct_sequence_##name == (number) - 1u) { \
				duct_sequence_##name = (number); \
				duct_reached(#name " " #number); \
			} \
	} while (0)
/* The same in any order: duct_part(NAME, I, N, condition) of a `duct_conjunction(NAME);` is met
 * once the condition holds; the objective "NAME" is that one run meets parts 1 to N, at most 64. */
#define duct_conjunction(name) \
	static unsigned long long duct_conjunction_##name; \
	static inline void duct_met_##name(unsigned long long part, unsigned long long all) \
	{ \
		duct_conjunction_##name |= part; \
		if (duct_conjunction_##name == all) \
			duct_reached(#name); \
	} \
	struct duct_conjunction_##name
#define duct_part(name, number, count, condition) \
	do { \
		if (condition) \
			duct_met_##name(1ull << ((number) - 1), ~0ull >> (64 - (count))); \
	} while (0)

#ifdef __cplusplus
}
#endif
#endif
