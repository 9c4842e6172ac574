/* duct_test.h: what tests written by duct use. It includes nothing, so that the sources
 * under test see what they would see without it, and is C89 but for its long integers. */
#ifndef DUCT_TEST_H
#define DUCT_TEST_H

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Woverlength-strings"
#endif
__extension__ typedef long long duct_integer;
__extension__ typedef unsigned long long duct_word;

/* A value's bits, and the byte of its object at which it lies. */
struct duct_value {
	const char *name;
	duct_word low, high;
	int bits;
	unsigned offset;
};
struct duct_bytes {
	const char *name, *bytes;
	unsigned long size;
};
/* The size of an entry whose bytes say what the file of that name is besides its bytes. */
#define DUCT_ATTRIBUTES ((unsigned long)-1)

struct duct_test {
	const char *name;
	void (*run)(void);
	const char *end;  /* "exit", "limit", "undefined", or the failure that was observed */
	int status;       /* exit status, for "exit" */
	const char *what; /* the failure in words, or 0 */
	struct duct_bytes input;       /* standard input */
	struct duct_bytes output;      /* observed on standard output; bytes 0: not compared */
	const struct duct_bytes *file; /* files of the run, bytes 0 at the end; or 0 */
	const struct duct_bytes *env;  /* likewise, environment; bytes 0: the variable is not set */
	char *const *argv;             /* arguments of the program, or 0 */
	const struct duct_value
	    *value; /* of duct_symbolic, __VERIFIER_nondet_*; name 0 at the end; or 0 */
};

extern const struct duct_test duct_tests[];
extern const unsigned long duct_test_count;
extern const int duct_in_folder; /* tests run in an empty folder of their own */
extern const int duct_answers_time, duct_answers_random,
    duct_answers_system; /* values say what time it is */

/* With a framework: runs a test in a process of its own; what is wrong, or 0. */
const char *duct_check(const char *name);
/* The program under test is running: its calls are answered (duct_answers.c). */
extern int duct_asking;
/* Kind and mode of the current test's file of that name, as inputs; or 0. */
const char *duct_attributes(const char *path);
/* A value of the current test, or 0. */
const struct duct_value *duct_find(const char *name);

/* A zeroed object of exactly that size. */
void *duct_new(unsigned long size);
/* A FILE with these bytes, at its begin, that can be read and written. */
void *duct_stream(const char *bytes, unsigned long size);
void duct_zero(void *object, unsigned long size);
/* Sets bytes of an object, whatever its type says about it. */
#define duct_put(object, bytes, size) duct_copy((void *)(object), bytes, size)
void duct_copy(void *object, const char *bytes, unsigned long size);
/* Memory of zeros at that address; calls come in the order of addresses. Where there can be none,
 * as with AddressSanitizer above 0x7fff8000, that is said, and tests that need it fail. */
void duct_device(unsigned long address, unsigned long size);
/* A floating-point number by its bits. */
double duct_bits(duct_word bits);
float duct_bits_f(unsigned bits);

/* The pointer that a stub gives, by name: f(), in its second call f()#2, ... */
void duct_give(const char *name, const void *p);
void *duct_given(const char *name);
/* The pointer that a stub writes at the offset behind an argument: f().1[0].next, ... */
void duct_give_behind(const char *name, unsigned long offset, const void *p);

/* A condition that holds at the call: a test in which it does not hold any more fails. */
void duct_assume(int condition);
/* Compares a result with the observed one; says so when they differ. */
#define DUCT_EQUAL(call, observed) \
	duct_equal(#call, __LINE__, (duct_integer)(call), (duct_integer)(observed))
void duct_equal(const char *call, int line, duct_integer result, duct_integer observed);
/* Compares what lies at an address with the bytes that the call left there. */
#define DUCT_BYTES(address, observed, size) \
	duct_holds(#address, __LINE__, (const void *)(address), observed, size)
void duct_holds(
    const char *address, int line, const void *bytes, const char *observed, unsigned long size);
/* Floating point: the same value, or both not a number. */
#define DUCT_SAME(call, observed) duct_same(#call, __LINE__, (double)(call), observed)
void duct_same(const char *call, int line, double result, double observed);
/* A call that is expected to fail: what it returns must not be optimised away. */
#define DUCT_FAILS(call) (duct_sink = (duct_integer)(call))
#define DUCT_FAILS_F(call) (duct_sink_f = (double)(call))
extern volatile duct_integer duct_sink;
extern volatile double duct_sink_f;
/* Ends a program's test with what its main returned. */
void duct_exit(int status);
/* Arguments of the current test's program. */
int duct_argc(void);
char **duct_argv(void);
char **duct_environ(void);

#endif
