/* serve: the solver as a co-process (man5 model): the server, and the client, which a solver opened
 * with a `command` uses. Private to lib/solve and the tool. */
#ifndef DUCT_SERVE_H
#define DUCT_SERVE_H

#include "lib/solve/solve.h"

/* Answers requests on `in` until end of file. 0; 3 after a malformed request; 4 when `out` cannot
 * be written; then *error tells why (caller frees). */
int solve_serve(
    struct solver *s, struct expr_pool *p, FILE *in, const char *name, FILE *out, char **error);

struct remote;
struct remote *remote_open(struct expr_pool *p, const struct solve_options *o, char **error);
/* Updates child_seconds, disagreed and bad_models of `counts`. A process that does not answer
 * shortly after `seconds`, or within a second after a signal, is killed; from then on every answer
 * is unknown. */
enum answer remote_ask(struct remote *r, const struct query *q, struct assignment *model,
    double seconds, const char **why, bool *by_engine, struct solve_counts *counts);
/* Counts of layers and engines, like solve_layer. */
bool remote_layer(struct remote *r, size_t i, const char **name, uint64_t *answered);
void remote_close(struct remote *r);

#endif
