/* model: what the models of the C library's functions share.
 *
 * Models are C, compiled and woven by `instrument --model`, weak and hidden in an archive that
 * is linked last: a program's own function of the same name wins. In runs without symbolic
 * inputs they call the C library. They follow glibc in the C locale to the bit, results that
 * the standard leaves open included, because the tests that come out of a run must agree
 * with an ordinary build. Conditions in them are path conditions (EV_MODEL) but no objectives. */
#ifndef DUCT_MODEL_H
#define DUCT_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "lib/runtime/abi.h"

#define MODEL __attribute__((weak, visibility("hidden")))

/* The C library's function, NULL in a static program. */
static inline void *
duct_model_real(void **slot, const char *name)
{
	if (!*slot)
		*slot = duct_rt_real(name);
	return *slot;
}

/* First statement of a model: hands over to the C library unless something is symbolic. */
#define NATIVE(name, ...) NATIVE_NAMED(#name, name, __VA_ARGS__)
#define NATIVE_NAMED(symbol, name, ...) \
	do { \
		static void *real_; \
		if (!duct_live && duct_model_real(&real_, symbol)) \
			return ((__typeof__(&name))real_)(__VA_ARGS__); \
	} while (0)

/* The C library's function, called so that neither a loss is told nor a shadow cleared. */
#define CALL_QUIETLY(symbol, name, ...) \
	({ \
		static void *real_; \
		uint32_t live_ = duct_live; \
		__typeof__(name(__VA_ARGS__)) result_; \
		duct_model_real(&real_, symbol); \
		duct_live = 0; \
		result_ = ((__typeof__(&name))real_)(__VA_ARGS__); \
		duct_live = live_; \
		result_; \
	})

/* Does the program want this call of a function to fail? */
#define FAILS(name, error) (duct_faults_left && duct_rt_fails(name, error))

/* Branch-free: 1 when low <= c <= high. */
#define IN(c, low, high) ((unsigned)(c) - (unsigned)(low) <= (unsigned)((high) - (low)))
#define IS_SPACE(c) ((c) == ' ' || IN(c, '\t', '\r'))

/* In the C locale, branch-free. */
static inline int
duct_lower(int c)
{
	return c + 32 * (int)IN(c, 'A', 'Z');
}

#endif
