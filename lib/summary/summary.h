/* summary: what the functions of a program may read and write, themselves or in functions that they
 * call, and whether they return. See effects.h for what a caller sees of it. */
#ifndef DUCT_SUMMARY_H
#define DUCT_SUMMARY_H

#include "lib/alias/alias.h"

enum { SUMMARY_READ = 1, SUMMARY_WRITTEN = 2 };

struct summary_function {
	bool returns;             /* there is a way to its end */
	bool all;                 /* it may write anything: unknown code, assembler, a callback */
	bool undefined;           /* it calls what the program does not define */
	uint8_t escaped;          /* SUMMARY_*: of whatever has escaped */
	uint8_t elsewhere;        /* SUMMARY_*: at addresses that lead to no object */
	uint64_t *read, *written; /* a bit an object of alias */
};
struct summary {
	struct summary_function *function; /* by alias's numbers */
	size_t functions, objects;
};

/* The flow and the analysis stay the caller's. */
struct summary *summary_new(const struct flow *fl, struct alias *a);
void summary_free(struct summary *s);

/* By object: does one of these functions write it itself, not through calls? The caller's. */
bool *summary_written_by(const struct flow *fl, struct alias *a, const bool *functions);

/* The variables of static storage whose addresses callers of the entry may know, and that the entry
 * and what it calls access both by name and through pointers of callers, if one of these accesses
 * writes: "=NAME", one a line; "*": others, too, which code behind the entry's unit cannot
 * name. Some twice. Caller frees. */
char *summary_shared(const struct flow *fl, const char *entry);

/* SUMMARY_*: what a call of the function may do with this object, also if it does not return. */
uint8_t summary_does(
    const struct summary *s, const struct alias *a, uint32_t function, uint32_t object);
/* May the call return? True for calls of functions that the program does not define. */
bool summary_comes_back(const struct summary *s, const struct alias_call *c);
/* May the call write this object of alias, which has escaped, is not defined by the program? */
bool summary_may_write(const struct summary *s, const struct alias_call *c, uint32_t object,
    bool escaped, bool undefined);

#endif
