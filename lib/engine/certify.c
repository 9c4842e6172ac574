/* certify: the conditions as a circuit and as clauses, made anew. */
#include "lib/blast/blast.h"
#include "lib/base/clock.h"
#include "lib/engine/certify.h"
#include "lib/engine/process.h"

enum engine_answer certify(
    struct expr_pool *p, const expr *cond, size_t n, int conflicts, double seconds, size_t gates)
{
	struct aig *g = aig_new();
	struct blast *b = blast_new(p, g);
	struct cnf *c = cnf_new(g);
	double deadline = clock_now() + seconds;
	enum engine_answer a = ENGINE_UNKNOWN;
	enum cnf_answer found;
	size_t i = 0;
	cnf_certify(c);
	blast_limit(b, deadline, gates);
	for (const lit *l; i < n && (l = blast_expr(b, cond[i])) && clock_now() < deadline; i++)
		cnf_assert(c, *l);
	if (i == n) {
		found = cnf_solve(c, conflicts, deadline);
		a = found == CNF_SAT                         ? ENGINE_SAT
		    : found == CNF_UNSAT && cnf_certified(c) ? ENGINE_UNSAT
		                                             : ENGINE_UNKNOWN;
	}
	cnf_free(c);
	blast_free(b);
	aig_free(g);
	return a;
}
