/* model: shared by the library models of the C library's functions.
 *
 * Library models are C, compiled and woven by `instrument --model`, weak and hidden in an archive
 * that is linked last: a program's own function of the same name wins. In runs without symbolic
 * inputs they call the C library, and, where this saves time, also when nothing in a call is
 * symbolic. Their results are exactly those of glibc in the C locale, also where the standard
 * leaves them open, because generated tests must agree with an ordinary build. Conditions in them
 * are path conditions (EV_MODEL) but no objectives. */
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

/* First statement of a library model: hands over to the C library unless something is symbolic. */
#define NATIVE(name, ...) NATIVE_NAMED(#name, name, __VA_ARGS__)
#define NATIVE_NAMED(symbol, name, ...) \
	do { \
		static void *real_; \
		if (!duct_live && duct_model_real(&real_, symbol)) \
			return ((__typeof__(&name))real_)(__VA_ARGS__); \
	} while (0)

/* Calls the C library's function without reporting a loss of precision and without clearing the
 * shadow. */
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

/* The same for a function of the C library that only reads memory, n bytes from p on (an expression
 * in which `result` is the function's result): its result is used unless one of the bytes or
 * arguments is symbolic. NULL is left to the library model, which reports which input it is. With
 * information flow (DUCT_FLOWS), the library model is always used. */
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
/* The same for strtol and similar functions, which also read the character after the number. */
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
/* The same for a function that is often called only for its effect: if the result is not used, the
 * call is only counted, so that tests find the call that fails. */
#define FAILS_IF(used, name, error) \
	(duct_faults_left && ((used) ? duct_rt_fails(name, error) : duct_rt_passes(name)))

/* The same for a function whose failure shows only in its result: a limit where the result is used.
 */
#define MAY_FAIL(name, error) \
	((duct_result_used ? duct_rt_may_fail(name) : (void)0), \
	    FAILS_IF(duct_result_used, name, error))

/* Is the entry a function with callers, which is called by a harness? */
int duct_harness(void) __attribute__((weak));
#define HAS_CALLERS (duct_harness != 0)

/* Notes a limit: whether the call succeeds depends on the environment (a full disk, a closed
 * descriptor), and its result is used. Functions that --faults makes fail (F in lib/clib) are
 * limits without this. */
#define OUTSIDE(name) \
	do { \
		if (duct_result_used) \
			duct_rt_limit("concrete", name "()", 0); \
	} while (0)

/* Branch-free: 1 when low <= c <= high. */
#define IN(c, low, high) ((unsigned)(c) - (unsigned)(low) <= (unsigned)((high) - (low)))
#define IS_SPACE(c) ((c) == ' ' || IN(c, '\t', '\r'))

/* Notes that the text of a number up to `end` was read, with the character after it; without a
 * number, blanks and a sign. */
static inline void duct_read_number(const char *s, const char *end)
{
	if (end == s) {
		while (IS_SPACE((unsigned char)*end))
			end++;
		end += *end == '-' || *end == '+';
	}
	duct_rt_written(s, (size_t)(end - s) + 1);
}

/* Called before the C library's function reads the n bytes from p on: a null pointer or too short
 * an object is detected here. */
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
