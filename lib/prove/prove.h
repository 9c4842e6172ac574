/* prove: which def-use pairs of a program no run exercises. The pairs of a function are decided in one model of
 * it and of what it calls. See man1 prove. */
#ifndef DUCT_PROVE_H
#define DUCT_PROVE_H

#include "lib/defuse/defuse.h"

enum prove_context {
	PROVE_AUTO,                  /* PROVE_ENTRY where there is one */
	PROVE_ENTRY,                 /* as the program starts: at the entry of the analysis, or main */
	PROVE_ANY                    /* each function in any state that its callers could leave it */
};
struct prove_options {
	enum prove_context context;
	const char *stages;          /* comma list of stages, NULL: all */
	double seconds;              /* for all; 0: no limit */
	size_t most_insts;           /* instructions that are inlined */
};

enum prove_answer { PROVE_UNKNOWN, PROVE_INFEASIBLE };

struct prove_value { const char *name; char kind; uint32_t width; uint64_t value; };  /* kind: as in inputs(5) */
struct prove_verdict {
	uint32_t pair;               /* index in defuse */
	enum prove_answer answer;
	const char *evidence;
	const struct prove_value *value; size_t values;      /* of a run that may exercise it */
};
/* What comes out, as it comes: a question and what narrows it, then verdicts of it. */
struct prove_sink {
	void *ctx;
	void (*question)(void *ctx, uint64_t key, const char *entry);
	void (*narrow)(void *ctx, const char *text);
	void (*verdict)(void *ctx, const struct prove_verdict *v);
};

/* Decides these pairs of d. NULL, or a static text that says what went wrong. */
const char *prove_pairs(struct defuse *d, const uint32_t *pair, size_t n, const struct prove_options *o,
                        const struct prove_sink *sink);

#endif
