/* checkers: external checkers for obligations (lib/obligation). Only a complete proof counts; any
 * other output or ending is no answer. */
#ifndef DUCT_CHECKERS_H
#define DUCT_CHECKERS_H

#include "lib/prove/prove.h"

#define CHECKERS_STAGE "outside" /* stage name of their proofs */

struct checkers;

/* Opens, in a small part of these seconds (0: no limit), the checkers in a comma-separated list of
 * cbmc, cpachecker, frama-c, or paths of commands with this protocol: they get the file as
 * argument, print SAFE as last line and exit with status 0 if no run reaches the error. Checkers
 * that are not installed are omitted; *absent names them (caller frees; NULL: none). NULL with
 * *error: unknown name. */
struct checkers *checkers_open(const char *list, double seconds, char **absent, char **error);
void checkers_close(struct checkers *o);

/* The name and version of the first checker that proves that no run exercises the pair; NULL: none,
 * *why is the reason (caller frees). */
const char *checkers_ask(
    struct checkers *o, struct defuse *d, uint32_t pair, double seconds, char **why);

/* A sink that passes everything on to `to`, but first asks the checkers about pairs that are
 * unknown and have no run to try. Must not outlive `s`. seconds: in total, 0: a minute for each
 * pair; used: so far. limits: unstated assumptions of the checkers' proofs; NULL: none. */
struct checkers_sink {
	struct checkers *o;
	struct defuse *d;
	double seconds, used;
	const char *limits;
	struct prove_sink to;
};
struct prove_sink checkers_sink(struct checkers_sink *s);

#endif
