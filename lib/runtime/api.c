/* The functions that programs under test call: duct.h, and the names of Test-Comp's benchmarks. */
#include "lib/runtime/rt.h"
#include "share/duct.h"

/* Node of argument i if the caller is woven and some arguments are symbolic. */
static duct_node argument(void *self, int i)
{
	duct_node n = 0;

	if (duct_args_for == self)
		n = duct_args[i];
	duct_args_for = NULL;
	return duct_channel ? n : 0;
}

/* The condition "v is not 0". */
static struct duct_term truth(duct_node n, uint64_t v)
{
	struct duct_term t = n ? duct_term(n) : duct_constant(32, v);

	return duct_t_not(duct_t_binary(OP_EQ, t, duct_constant(t.w, 0)));
}

static void assume(void *self, int condition)
{
	struct duct_term t = truth(argument(self, 0), (uint32_t)condition);

	if (t.n && !duct_implied(t.n, 4)) {
		duct_event(EV_ASSUME, 0, duct_block_unit, duct_block, t.n, t.v != 0, 0);
		duct_fix(t.n);
	}
	if (condition)
		return;
	if (duct_channel)
		duct_end(FAULT_REJECTED, "an assumption does not hold");
	sys1(SYS_exit_group, 0);
}

void duct_symbolic(void *p, size_t size, const char *name)
{
	duct_rt_input(p, size, name, NULL);
}

void duct_assume(int condition)
{
	assume((void *)duct_assume, condition);
}

void duct_assert(int condition)
{
	struct duct_term t = truth(argument((void *)duct_assert, 0), (uint32_t)condition);

	if (t.n && !duct_implied(t.n, 4)) {
		duct_event(EV_ASSERT, 0, duct_block_unit, duct_block, t.n, t.v != 0, 0);
		duct_fix(t.n);
	}
	if (condition)
		return;
	if (duct_channel)
		duct_end(FAULT_ASSERT, "duct_assert");
	sys3(SYS_write, 2, "duct_assert failed\n", 19);
	sys3(SYS_tgkill, sys0(SYS_getpid), sys0(SYS_gettid), 6 /* SIGABRT */);
	sys1(SYS_exit_group, 134);
}

#define WEAK __attribute__((weak))

void __VERIFIER_assume(int condition);
void __VERIFIER_error(void);
void reach_error(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_nondet_memory(void *p, size_t size);

WEAK void __VERIFIER_assume(int condition)
{
	assume((void *)__VERIFIER_assume, condition);
}

static void error(const char *text)
{
	if (duct_channel)
		duct_end(FAULT_ERROR, text);
	sys3(SYS_write, 2, "error reached\n", 14);
	sys3(SYS_tgkill, sys0(SYS_getpid), sys0(SYS_gettid), 6 /* SIGABRT */);
	sys1(SYS_exit_group, 134);
}

WEAK void __VERIFIER_error(void)
{
	error("__VERIFIER_error");
}

WEAK void reach_error(void)
{
	error("reach_error");
}

/* Writes the next of nondet[0], nondet[1], ... as `bytes` bytes to `to` and passes its node to the
 * caller. */
static void nondet(void *self, enum input_kind kind, uint32_t bytes, void *to)
{
	static uint32_t count;
	char name[32] = "nondet[";
	struct duct_term t;
	size_t n = 7;

	duct_ret_from = NULL;
	duct_args_for = NULL;
	for (uint32_t i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = 0;
	if (!duct_channel)
		return;
	n += duct_digits(name + n, count++);
	name[n++] = ']';
	name[n] = 0;
	t = duct_t_extend(
	    OP_ZEXT, bytes * 8, duct_input_var(name, kind, kind == INPUT_BOOL ? 1 : bytes * 8, 0));
	for (uint32_t i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = (uint8_t)(t.v >> i * 8);
	duct_ret[0] = kind == INPUT_BOOL ? duct_t_extract(1, 0, t).n : t.n;
	if (bytes == 16) { /* returned as two words */
		duct_ret[0] = duct_t_extract(64, 0, t).n;
		duct_ret[1] = duct_t_extract(64, 64, t).n;
	}
	duct_ret_from = self;
	duct_flow_ret = duct_flow_of(duct_inputs_met() - 1);
}

#define NONDET(name, type, kind) \
	type __VERIFIER_nondet_##name(void); \
	WEAK type __VERIFIER_nondet_##name(void) \
	{ \
		type v; \
		nondet((void *)__VERIFIER_nondet_##name, kind, sizeof v, &v); \
		return v; \
	}

NONDET(bool, _Bool, INPUT_BOOL)
NONDET(char, char, INPUT_CHAR)
NONDET(schar, signed char, INPUT_INT)
NONDET(uchar, unsigned char, INPUT_UINT)
NONDET(short, short, INPUT_INT)
NONDET(ushort, unsigned short, INPUT_UINT)
NONDET(int, int, INPUT_INT)
NONDET(uint, unsigned, INPUT_UINT)
NONDET(unsigned, unsigned, INPUT_UINT)
NONDET(long, long, INPUT_INT)
NONDET(ulong, unsigned long, INPUT_UINT)
NONDET(longlong, long long, INPUT_INT)
NONDET(ulonglong, unsigned long long, INPUT_UINT)
NONDET(int128, __int128, INPUT_INT)
NONDET(uint128, unsigned __int128, INPUT_UINT)
NONDET(u8, uint8_t, INPUT_UINT)
NONDET(u16, uint16_t, INPUT_UINT)
NONDET(u32, uint32_t, INPUT_UINT)
NONDET(u64, uint64_t, INPUT_UINT)
NONDET(s8, int8_t, INPUT_INT)
NONDET(s16, int16_t, INPUT_INT)
NONDET(s32, int32_t, INPUT_INT)
NONDET(s64, int64_t, INPUT_INT)
NONDET(size_t, size_t, INPUT_UINT)
NONDET(loff_t, long, INPUT_INT)
NONDET(sector_t, unsigned long, INPUT_UINT)
NONDET(pthread_t, unsigned long, INPUT_UINT)
NONDET(float, float, INPUT_FLOAT)
NONDET(double, double, INPUT_FLOAT)

/* A pointer with an unknown target: a null pointer, because nothing is known about any other. */
#define NONDET_POINTER(name, type) \
	type *__VERIFIER_nondet_##name(void); \
	WEAK type *__VERIFIER_nondet_##name(void) \
	{ \
		duct_lost(NULL, 0, "pointer of unknown target taken as null", NULL); \
		return NULL; \
	}

NONDET_POINTER(pointer, void)
NONDET_POINTER(pchar, char)
NONDET_POINTER(charp, char)

WEAK void __VERIFIER_nondet_memory(void *p, size_t size)
{
	duct_rt_input(p, size, "nondet_memory", NULL);
}
