/* model: what the models of the C library's functions share.
 *
 * Models are C, compiled and woven by `instrument --model`, weak and hidden in an archive that
 * is linked last: a program's own function of the same name wins. In runs without symbolic
 * inputs they call the C library, and where it pays also when nothing of a call is symbolic. They
 * follow glibc in the C locale to the bit, results that the standard leaves open included, because
 * the tests that come out of a run must agree with an ordinary build. Conditions in them are path
 * conditions (EV_MODEL) but no objectives. */
#ifndef DUCT_MODEL_H
#define DUCT_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "lib/protocol/models.h"

void duct_need_earlier(const char *name); /* lib/runtime/rt.h */

#define MODEL __attribute__((weak, visibility("hidden")))

/* The C library's function, NULL in a static program. */
static inline void *duct_model_real(void **slot, const char *name)
{
	duct_native = name;
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

#define CALL_QUIETLY_VOID(name, ...) \
	do { \
		static void *real_; \
		uint32_t live_ = duct_live; \
		duct_model_real(&real_, #name); \
		duct_live = 0; \
		((__typeof__(&name))real_)(__VA_ARGS__); \
		duct_live = live_; \
	} while (0)

/* The same where the C library's function only reads memory, n bytes from p on: what it gives
 * counts unless something of it, or one of the arguments, is symbolic. In n, `result` is what it
 * gives. NULL is left to the model, which tells whose it is. Flows of inputs need more than values.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#endif
#ifdef DUCT_FLOWS
#define NATIVE_READS(name, p, n, ...) NATIVE(name, __VA_ARGS__)
#define NATIVE_NUMBER(symbol, name, type, ...) NATIVE_NAMED(symbol, name, __VA_ARGS__)
#else
#define NATIVE_READS(name, p, n, ...) \
	do { \
		if (!(p)) \
			break; \
		__typeof__(name(__VA_ARGS__)) result = CALL_QUIETLY(#name, name, __VA_ARGS__); \
		if (!duct_live || duct_rt_native(p, n, __VA_ARGS__)) \
			return result; \
	} while (0)
/* The same of strtol and its kin: what is behind the number decides where it ends. */
#define NATIVE_NUMBER(symbol, name, type, s, end, ...) \
	do { \
		static void *real_; \
		uint32_t live_ = duct_live; \
		int error_, native_; \
		char *stop_; \
		type result_; \
		if (!(s) || !duct_model_real(&real_, symbol)) \
			break; \
		duct_live = 0; \
		error_ = errno; \
		result_ = ((__typeof__(&name))real_)(s, &stop_, ##__VA_ARGS__); \
		native_ = !live_ || duct_rt_native_number(s, stop_, end, ##__VA_ARGS__); \
		if (!native_) \
			errno = error_; \
		duct_live = live_; \
		if (native_) { \
			if (end) \
				*end = stop_; \
			return result_; \
		} \
	} while (0)
#endif

/* Does the program want this call of a function to fail? */
#define FAILS(name, error) (duct_faults_left && duct_rt_fails(name, error))
/* The same of one that is often called for its effect alone: only counted then, so that tests find
 * the call that failed. */
#define FAILS_IF(used, name, error) \
	(duct_faults_left && ((used) ? duct_rt_fails(name, error) : duct_rt_passes(name)))

/* The same of one whose failing nothing but its result tells: a limit where that is used. */
#define MAY_FAIL(name, error) \
	((duct_result_used ? duct_rt_may_fail(name) : (void)0), \
	    FAILS_IF(duct_result_used, name, error))

/* Whether this comes about is the outside's affair: a full disk, a closed descriptor. Of a call
 * whose result is used. What --faults makes fail (F in lib/clib) is a limit without this. */
#define OUTSIDE(name) \
	do { \
		if (duct_result_used) \
			duct_rt_limit("concrete", name "()", 0); \
	} while (0)

/* Branch-free: 1 when low <= c <= high. */
#define IN(c, low, high) ((unsigned)(c) - (unsigned)(low) <= (unsigned)((high) - (low)))
#define IS_SPACE(c) ((c) == ' ' || IN(c, '\t', '\r'))

/* The text of a number that ends there was read, with what ends it; where there is none, blanks and
 * a sign were. */
static inline void duct_read_number(const char *s, const char *end)
{
	if (end == s) {
		while (IS_SPACE((unsigned char)*end))
			end++;
		end += *end == '-' || *end == '+';
	}
	duct_rt_written(s, (size_t)(end - s) + 1);
}

/* The C library's function reads the n bytes from p on: NULL, or an object that is too short, shows
 * here. */
static inline void duct_read_bytes(const void *p, size_t n)
{
	if (duct_live && n) {
		(void)*(const volatile char *)p;
		(void)((
		    const volatile char *)p)[(n - 1) & SIZE_MAX >> 1]; /* far behind, not before */
	}
}

/* In the C locale, branch-free. */
static inline int duct_lower(int c)
{
	return c + 32 * (int)IN(c, 'A', 'Z');
}

#endif
