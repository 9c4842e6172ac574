/* models: functions of the runtime (lib/runtime) for library models (share/libc). These are
 * woven, too (unit flag 1), so that the interface of abi.h holds for them as well. */
#ifndef DUCT_MODELS_H
#define DUCT_MODELS_H

#include "lib/protocol/abi.h"

void *duct_rt_real(const char *name); /* the C library's own function */
extern const char *duct_native; /* the one that a library model is to call next, for messages */
/* Symbolic environment (lib/runtime/setup.c): the size set for PREFIX NAME ("" "stdin", "file:"
 * "a.txt"), 0 when it is concrete; byte INDEX as the input NAME[INDEX]; length as NAME.len. */
uint64_t duct_rt_setup(const char *prefix, const char *name);
void duct_rt_input_byte(void *p, const char *name, uint64_t index);
void duct_rt_input_length(uint32_t *p, const char *name);
/* Are answers of the environment inputs by default? duct_rt_grown: the present size of NAME (args,
 * text, stdin, file). */
int duct_rt_environment(void);
int duct_rt_describes(void); /* did the user describe files or other parts of the environment? */
uint64_t duct_rt_grown(const char *name);
/* A text of SIZE characters at most, of inputs NAME[i]; never freed. */
char *duct_rt_text(const char *name, uint64_t size);
/* Does NAME exist? The input "NAME?", decided here; OTHERWISE if the input record does not say. */
int duct_rt_present(const char *name, uint32_t otherwise);
/* Files of a run (lib/runtime/files.c). Makes PATH from the inputs NAME[i] (SIZE at most) and
 * NAME.len, and the folders above it; 0 where it cannot. A path that depends on inputs is reported
 * as NAME.path[i]. */
int duct_rt_make_file(const char *path, const char *name, uint64_t size);
void duct_rt_tell_path(const char *name, const char *path);
int duct_rt_file_exists(const char *path);
/* The real machine, not an input, gave the result of FUNCTION, or of FUNCTION(TEXT). */
void duct_rt_concrete(const char *function, const char *text);
/* The real machine gave the bytes at p, so that tests do not compare them. */
void duct_rt_answered(const void *p, size_t bytes);
/* The program uses a stream that it has closed: a fault, which ends the run. */
void duct_rt_closed(void);
/* The program is about to use f as a stream. If f lies in an object that stands for a caller's,
 * that is a need, which ends the run. */
void duct_rt_used_as_stream(const void *f);
/* Are the two addresses the same? For comparisons that a library model makes and the program does
 * not. */
int duct_rt_same(const void *p, const void *q);
/* Answers that are inputs (lib/runtime/inject.c). Does this call of a function fail? An input
 * decides, while failures are left (duct_faults_left) and unless a library model makes the call for
 * its own purposes (duct_inner). error: the value of errno; if it is not ENOMEM, errno is a further
 * input with that value at first. 0: the call leaves errno alone. */
extern uint32_t duct_faults_left, duct_inner;
int duct_rt_fails(const char *function, int error);
/* The call succeeds; returns 0. */
int duct_rt_passes(const char *function);
/* Records as a limit of the run that calls of the function can fail, but no failures are left. */
void duct_rt_may_fail(const char *function);
/* If answers of the group are to be inputs (run-trace --input): makes GROUP.FUNCTION[i] at p one,
 * and returns 1. */
int duct_rt_asked(void *p, size_t size, const char *group, const char *function, const char *shape);
/* An operation of op_is_float whose operands and result have one format (32, 64 or 80 bits), on
 * numbers in memory with their nodes; b is NULL where there is one operand. */
void duct_rt_math(uint32_t op, uint32_t width, void *to, const void *a, const void *b);
/* Is the number in memory the result of such an operation, whatever the inputs? */
int duct_rt_computed(const void *p, uint32_t width);
/* A FILE whose bytes are inputs: precision is lost in functions without a library model that get
 * it. */
void duct_rt_stream(const void *file);
/* May the run fork? duct_rt_follows: is the new process the one that the trace follows? An input.
 * duct_rt_forked: in both processes, with what fork returned and what duct_rt_follows did; the one
 * that is not followed leaves the run's channel. */
int duct_rt_may_fork(void);
int duct_rt_follows(void);
int duct_rt_apart(void); /* is this process not the one that the trace follows? */
void duct_rt_forked(int pid, int fresh);
/* May a library model call the C library's function? Not 0 only if everything that the function
 * reads is certain to be concrete (native.c). duct_rt_native: it reads the arguments after n and
 * the bytes [p, p + n); duct_rt_native_print and _scan: the arguments and texts of a format. */
int duct_rt_native(const void *p, size_t n, ...);
int duct_rt_native_number(const char *s, const char *stop, ...); /* a number up to stop */
int duct_rt_native_print(const char *format, const void *ap, const void *to, size_t room);
int duct_rt_native_scan(const char *s, const char *format, const void *ap);
/* The number in a text that has symbolic bytes, as one expression, as strtol and strtoul find it
 * (number.c). The path condition fixes only the base, and that the text ends within its known
 * bytes. 0: there is no such expression. */
struct duct_number {
	uint64_t value;         /* with its sign; of no use when it is `over` */
	uint64_t length;        /* of its text, blanks and sign included; 0: there is no number */
	uint8_t over, negative; /* over: out of the range of long */
};
int duct_rt_number(struct duct_number *to, const char *s, int base, int is_signed);
/* The result of strcmp and similar functions as one expression: of texts, or of n bytes (text.c).
 * The path has one condition only: the first 64 bytes decide. 0: there is no such expression. */
enum duct_compare {
	COMPARE_TEXT,
	COMPARE_BYTES,
	COMPARE_ALIKE, /* texts, upper and lower case alike */
};
int duct_rt_compare(int *to, const void *a, const void *b, size_t n, uint32_t how);
/* The first c among n bytes, or up to the end of a text (n == SIZE_MAX), as one expression where c
 * is symbolic and the bytes are not: NULL when there is none. 0: there is no such expression. */
int duct_rt_find(char **to, const void *s, int c, size_t n);
int duct_rt_symbolic(const void *p, size_t n); /* does the path leave a byte open? */
int duct_rt_is_set(const void *p, size_t n);   /* was each byte written? */
/* There was no memory for n bytes: ends the run if that can only be for its own limit of memory,
 * because no machine refuses so few: up to `most`. */
void duct_rt_no_memory(size_t n, size_t most);
duct_node duct_rt_node_at(const void *p, uint32_t bytes); /* node of bytes at p, 0 if concrete */

#endif
