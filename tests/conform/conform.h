/* Rules of C as functions whose marks only an exact answer reaches. `test` calls the rule that
 * its first input selects; a rule returns the number of the mark that it reached, or 0.
 * A region of the source from one line "rule: NAME" in a comment to the next is a rule: a mark
 * that is not reached must have its loss of precision recorded in there. */
#ifndef CONFORM_H
#define CONFORM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Must be reached, or named by a loss; and must be found infeasible. */
#define MARK(n, e) do { _Bool hit = (e); if (hit) return mark(n); } while (0)
#define NEVER(n, e) do { _Bool hit = (e); if (hit) return never(n); } while (0)

static int mark(int n) { return n; }
static inline int never(int n) { return n; }

/* Inputs of a rule: two words and a string of up to seven characters. */
struct in { long x, y; char *s; };

#define RULES(...) \
	int test(int rule, long x, long y, char *s) \
	{ \
		static int (*const rules[])(struct in) = { __VA_ARGS__ }; \
		struct in in = { x, y, s }; \
		for (int i = 0; s && i < (int)(sizeof rules / sizeof *rules); i++) \
			if (rule == i) \
				return rules[i](in); \
		return 0; \
	}
#endif
