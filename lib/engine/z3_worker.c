/* z3_worker: the process that runs Z3. It loads libz3 itself, so sessions that never use Z3 do not
 * pay for it. It has one context: expressions are kept; each check adds its conditions to a solver
 * that is reset afterwards. */
#include "lib/base/budget.h"
#include "lib/base/grow.h"
#include "lib/engine/engine.h"
#include "lib/engine/process.h"
#include "lib/engine/wire.h"
#include "lib/engine/z3_api.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define F(name) __typeof__(&name) p_##name;
Z3_FUNCTIONS(F)
#undef F

#define QUICK 100 /* milliseconds for the fast-starting solver */

static double cpu_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void broken(int fd, const char *text)
{
	struct wire_answer a = {
		.answer = WIRE_BROKEN, .text = (uint32_t)strlen(text), .cpu = cpu_now()
	};
	wire_send(fd, &a, sizeof a);
	wire_send(fd, text, a.text);
	_exit(1);
}

static int error_fd;
static void on_error(Z3_context c, Z3_error_code e)
{
	(void)c, (void)e;
	broken(error_fd, "z3 reported an error");
}

static void load(int fd)
{
	void *lib = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		broken(fd, "libz3.so.4 cannot be loaded");
#define F(name) \
	if (!(p_##name = (__typeof__(&name))(uintptr_t)dlsym(lib, #name))) \
		broken(fd, "libz3.so.4 lacks " #name);
	Z3_FUNCTIONS(F)
#undef F
}

static void open_context(struct worker *w)
{
	Z3_config config = p_Z3_mk_config();
	w->c = p_Z3_mk_context(config);
	p_Z3_del_config(config);
	error_fd = w->fd;
	p_Z3_set_error_handler(w->c, on_error);
	w->quick = p_Z3_mk_simple_solver(w->c);
	p_Z3_solver_inc_ref(w->c, w->quick);
	w->thorough = p_Z3_mk_solver_for_logic(w->c, p_Z3_mk_string_symbol(w->c, "QF_BV"));
	p_Z3_solver_inc_ref(w->c, w->thorough);
	w->floats = p_Z3_mk_solver_for_logic(w->c, p_Z3_mk_string_symbol(w->c, "QF_FPBV"));
	p_Z3_solver_inc_ref(w->c, w->floats);
}

static void room(struct worker *w, uint32_t id)
{
	if (id < w->cap)
		return;
	uint32_t cap = id + id / 2 + 1024;
	w->term = resized(w->term, cap, sizeof *w->term);
	w->kind = resized(w->kind, cap, sizeof *w->kind);
	memset(w->term + w->cap, 0, (cap - w->cap) * sizeof *w->term);
	w->cap = cap;
}

Z3_ast worker_number(struct worker *w, uint64_t value, unsigned width)
{
	return p_Z3_mk_unsigned_int64(w->c, value, p_Z3_mk_bv_sort(w->c, width));
}

Z3_ast worker_vector(struct worker *w, uint32_t id)
{
	struct z3_term *t = &w->term[id];
	if (!t->bv && t->truth)
		t->bv = p_Z3_mk_ite(w->c, t->truth, worker_number(w, 1, 1), worker_number(w, 0, 1));
	else if (!t->bv)
		t->bv = float_vector(w, id);
	return t->bv;
}

Z3_ast worker_truth(struct worker *w, uint32_t id)
{
	struct z3_term *t = &w->term[id];
	if (!t->truth)
		t->truth = p_Z3_mk_eq(w->c, worker_vector(w, id), worker_number(w, 1, 1));
	return t->truth;
}

static Z3_ast constant(struct worker *w, const struct wire_node *n)
{
	Z3_ast lo = worker_number(w, n->lo, n->width > 64 ? 64 : n->width);
	return n->width <= 64 ? lo
	                      : p_Z3_mk_concat(w->c, worker_number(w, n->hi, n->width - 64u), lo);
}

/* Makes the Boolean term of a condition; false if the operation is not a Boolean one. */
static bool make_truth(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	Z3_ast both[2], *t = &w->term[n->id].truth;
	switch (n->op) {
	case OP_EQ:
		*t = w->kind[n->a].width == 1
		    ? p_Z3_mk_eq(c, worker_truth(w, n->a), worker_truth(w, n->b))
		    : p_Z3_mk_eq(c, worker_vector(w, n->a), worker_vector(w, n->b));
		return true;
	case OP_ULT:
		*t = p_Z3_mk_bvult(c, worker_vector(w, n->a), worker_vector(w, n->b));
		return true;
	case OP_ULE:
		*t = p_Z3_mk_bvule(c, worker_vector(w, n->a), worker_vector(w, n->b));
		return true;
	case OP_SLT:
		*t = p_Z3_mk_bvslt(c, worker_vector(w, n->a), worker_vector(w, n->b));
		return true;
	case OP_SLE:
		*t = p_Z3_mk_bvsle(c, worker_vector(w, n->a), worker_vector(w, n->b));
		return true;
	default: break;
	}
	if (n->width != 1)
		return false;
	switch (n->op) {
	case OP_CONST: *t = n->lo ? p_Z3_mk_true(c) : p_Z3_mk_false(c); return true;
	case OP_NOT: *t = p_Z3_mk_not(c, worker_truth(w, n->a)); return true;
	case OP_XOR: *t = p_Z3_mk_xor(c, worker_truth(w, n->a), worker_truth(w, n->b)); return true;
	case OP_ITE:
		*t = p_Z3_mk_ite(
		    c, worker_truth(w, n->a), worker_truth(w, n->b), worker_truth(w, n->c));
		return true;
	case OP_AND:
	case OP_OR:
		both[0] = worker_truth(w, n->a), both[1] = worker_truth(w, n->b);
		*t = n->op == OP_AND ? p_Z3_mk_and(c, 2, both) : p_Z3_mk_or(c, 2, both);
		return true;
	default: return false;
	}
}

static Z3_ast make_binary(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	Z3_ast a = worker_vector(w, n->a), b = worker_vector(w, n->b);
	switch (n->op) {
	case OP_ADD: return p_Z3_mk_bvadd(c, a, b);
	case OP_SUB: return p_Z3_mk_bvsub(c, a, b);
	case OP_MUL: return p_Z3_mk_bvmul(c, a, b);
	case OP_UDIV: return p_Z3_mk_bvudiv(c, a, b);
	case OP_SDIV: return p_Z3_mk_bvsdiv(c, a, b);
	case OP_UREM: return p_Z3_mk_bvurem(c, a, b);
	case OP_SREM: return p_Z3_mk_bvsrem(c, a, b);
	case OP_AND: return p_Z3_mk_bvand(c, a, b);
	case OP_OR: return p_Z3_mk_bvor(c, a, b);
	case OP_XOR: return p_Z3_mk_bvxor(c, a, b);
	case OP_SHL: return p_Z3_mk_bvshl(c, a, b);
	case OP_LSHR: return p_Z3_mk_bvlshr(c, a, b);
	case OP_ASHR: return p_Z3_mk_bvashr(c, a, b);
	case OP_CONCAT: return p_Z3_mk_concat(c, a, b);
	default: return NULL;
	}
}

static Z3_ast make_vector(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	switch (n->op) {
	case OP_INPUT:
		return p_Z3_mk_const(
		    c, p_Z3_mk_int_symbol(c, (int)n->a), p_Z3_mk_bv_sort(c, n->width));
	case OP_CONST: return constant(w, n);
	case OP_NOT: return p_Z3_mk_bvnot(c, worker_vector(w, n->a));
	case OP_NEG: return p_Z3_mk_bvneg(c, worker_vector(w, n->a));
	case OP_ZEXT:
		return p_Z3_mk_zero_ext(c, n->width - w->kind[n->a].width, worker_vector(w, n->a));
	case OP_SEXT:
		return p_Z3_mk_sign_ext(c, n->width - w->kind[n->a].width, worker_vector(w, n->a));
	case OP_EXTRACT:
		return p_Z3_mk_extract(c, n->c + n->width - 1, n->c, worker_vector(w, n->a));
	case OP_ITE:
		return p_Z3_mk_ite(
		    c, worker_truth(w, n->a), worker_vector(w, n->b), worker_vector(w, n->c));
	default: return make_binary(w, n);
	}
}

static void define(struct worker *w, const struct wire_node *n)
{
	room(w, n->id);
	w->kind[n->id] = *n;
	if (op_is_float(n->op))
		float_define(w, n);
	else if (!make_truth(w, n) && !(w->term[n->id].bv = make_vector(w, n)))
		broken(w->fd, "z3: unknown operation");
}

static Z3_lbool run(struct worker *w, Z3_solver s, const uint32_t *cond, uint32_t n, unsigned ms)
{
	Z3_params params = p_Z3_mk_params(w->c);
	p_Z3_params_inc_ref(w->c, params);
	p_Z3_params_set_uint(w->c, params, p_Z3_mk_string_symbol(w->c, "timeout"), ms);
	p_Z3_solver_set_params(w->c, s, params);
	p_Z3_solver_push(w->c, s);
	for (uint32_t i = 0; i < n; i++)
		p_Z3_solver_assert(w->c, s, worker_truth(w, cond[i]));
	return p_Z3_solver_check(w->c, s);
}

/* The model's value of an input, as two words. */
static void value_of(struct worker *w, Z3_model m, uint32_t input, uint64_t *out)
{
	Z3_ast v;
	unsigned width = w->kind[input].width;
	out[0] = out[1] = 0;
	if (width <= 64) {
		if (p_Z3_model_eval(w->c, m, worker_vector(w, input), true, &v))
			p_Z3_get_numeral_uint64(w->c, v, out);
		return;
	}
	if (p_Z3_model_eval(
	        w->c, m, p_Z3_mk_extract(w->c, 63, 0, worker_vector(w, input)), true, &v))
		p_Z3_get_numeral_uint64(w->c, v, out);
	if (p_Z3_model_eval(
	        w->c, m, p_Z3_mk_extract(w->c, width - 1, 64, worker_vector(w, input)), true, &v))
		p_Z3_get_numeral_uint64(w->c, v, out + 1);
}

static void answer(
    struct worker *w, Z3_solver s, Z3_lbool r, const uint32_t *input, uint32_t inputs)
{
	struct wire_answer a = { .answer = r == Z3_L_TRUE ? ENGINE_SAT
		    : r == Z3_L_FALSE                     ? ENGINE_UNSAT
		                                          : ENGINE_UNKNOWN };
	uint64_t *v = NULL;
	if (r == Z3_L_TRUE) {
		Z3_model m = p_Z3_solver_get_model(w->c, s);
		p_Z3_model_inc_ref(w->c, m);
		v = zeroed(inputs + 1, 16);
		for (uint32_t i = 0; i < inputs; i++)
			value_of(w, m, input[i], v + 2 * i);
		a.values = inputs;
		p_Z3_model_dec_ref(w->c, m);
	}
	a.cpu = cpu_now();
	if (wire_send(w->fd, &a, sizeof a) != 0 || wire_send(w->fd, v, a.values * 16ull) != 0)
		_exit(0);
	free(v);
}

/* Tries the fast-starting solver for QUICK ms, then the one that bit-blasts eagerly, which is
 * better at hard arithmetic. Floating point has a solver of its own. */
static void check(
    struct worker *w, const struct wire_check *q, const uint32_t *cond, const uint32_t *input)
{
	unsigned first = QUICK < q->milliseconds ? QUICK : q->milliseconds,
	         rest = q->milliseconds - first;
	Z3_solver s = q->floats ? w->floats : w->quick;
	Z3_lbool r = run(w, s, cond, q->conds, q->floats ? q->milliseconds : first);
	if (r == Z3_L_UNDEF && rest && !q->floats) {
		p_Z3_solver_pop(w->c, s, 1);
		s = w->thorough;
		r = run(w, s, cond, q->conds, rest);
	}
	answer(w, s, r, input, q->vars);
	p_Z3_solver_pop(w->c, s, 1);
}

/* Ends the process so many milliseconds from now, as Z3 does not always heed its limit; 0: no
 * longer. */
static void end_after(unsigned ms)
{
	struct itimerval t = { .it_value = { ms / 1000, ms % 1000 * 1000 } };
	setitimer(ITIMER_REAL, &t, NULL);
}

/* Limits memory to the engine's budget beyond what is mapped, which includes the session's shared
 * memory. */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* ASan reserves more than any limit */
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long long pages = 0;
	if (f && fscanf(f, "%llu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	rlim_t most = pages * (rlim_t)sysconf(_SC_PAGESIZE) + budget_engine();
	setrlimit(RLIMIT_AS, &(struct rlimit){ most, most });
#endif
}

void z3_worker(int fd)
{
	struct worker w = { .fd = fd };
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGALRM, SIG_DFL);
	limit_memory();
	no_memory_aborts();
	struct wire_check q;
	load(fd);
	open_context(&w);
	while (wire_receive(fd, &q, sizeof q, 0) == 0) {
		struct wire_node *n = reserved(q.nodes * sizeof *n + 1, 1);
		uint32_t *ids = reserved((q.conds + q.vars) * sizeof *ids + 1, 1);
		if (wire_receive(fd, n, q.nodes * sizeof *n, 0) != 0
		    || wire_receive(fd, ids, (q.conds + q.vars) * sizeof *ids, 0) != 0)
			break;
		for (uint32_t i = 0; i < q.nodes; i++)
			define(&w, &n[i]);
		end_after(q.milliseconds + (unsigned)(1000 * WIRE_GRACE));
		check(&w, &q, ids, ids + q.conds);
		end_after(0);
		free(n), free(ids);
	}
	_exit(0);
}
