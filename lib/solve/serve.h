/* serve: the solver as a co-process (man5 model): the program that answers, and the client
 * side of it, which a solver opened with a `command` uses. Private to lib/solve and the tool. */
#ifndef DUCT_SERVE_H
#define DUCT_SERVE_H

#include "lib/solve/solve.h"

/* Answers the requests on `in` until the stream ends. 0; 3 after malformed requests; 4 when `out`
 * cannot be written; then *error says why (caller frees). */
int solve_serve(struct solver *s, struct expr_pool *p, FILE *in, const char *name, FILE *out, char **error);

struct remote;
struct remote *remote_open(struct expr_pool *p, const struct solve_options *o, char **error);
/* Updates child_seconds, disagreed and bad_models of `counts`. A process that has not answered a little after `seconds`,
 * or a second after a signal, is killed: then no question has an answer. */
enum answer remote_ask(struct remote *r, const struct query *q, struct assignment *model,
                       double seconds, const char **why, bool *by_engine, struct solve_counts *counts);
/* Counts of layers and engines, as solve_layer. */
bool remote_layer(struct remote *r, size_t i, const char **name, uint64_t *answered);
void remote_close(struct remote *r);

#endif
