/* outside: checkers that are not ours, asked about obligations (lib/obligation). Only a whole proof counts: whatever
 * else they answer, or how they end, is no answer. */
#ifndef DUCT_OUTSIDE_H
#define DUCT_OUTSIDE_H

#include "lib/prove/prove.h"

#define OUTSIDE_STAGE "outside"              /* of their proofs */

struct outside;

/* A comma list of cbmc, cpachecker, frama-c, or paths of commands that speak our own protocol: FILE is their
 * argument, and their last line is SAFE, with exit status 0, when no run reaches the error. Those that are not
 * installed are left out; *absent names them (the caller frees; NULL: none). NULL with *error: a name is not known. */
struct outside *outside_open(const char *list, char **absent, char **error);
void outside_close(struct outside *o);

/* The name and version of the first that proves that no run exercises the pair; NULL: none does, and *why says so,
 * the caller's to free. */
const char *outside_ask(struct outside *o, struct defuse *d, uint32_t pair, double seconds, char **why);

/* What goes on to `to`, but pairs that came out unknown, without a run to try, are asked about first. Lives as long as
 * the caller's `s`. seconds: for all, 0: a minute for each; used: so far. limits: what their proofs assume that nobody
 * stated, NULL: nothing. */
struct outside_sink { struct outside *o; struct defuse *d; double seconds, used; const char *limits; struct prove_sink to; };
struct prove_sink outside_sink(struct outside_sink *s);

#endif
