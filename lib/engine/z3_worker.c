/* z3_worker: the process that holds Z3. Loads the library itself, so that a session that
 * never needs Z3 never pays for it. Keeps one context: expressions stay, each check adds
 * its conditions to a solver that is reset after it. */
#include "lib/engine/engine.h"
#include "lib/engine/process.h"
#include "lib/engine/wire.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <z3.h>

#define FUNCTIONS(F) \
	F(Z3_mk_config) F(Z3_del_config) F(Z3_mk_context) F(Z3_set_error_handler) F(Z3_mk_bv_sort) \
	F(Z3_mk_const) F(Z3_mk_int_symbol) F(Z3_mk_numeral) F(Z3_mk_unsigned_int64) F(Z3_mk_eq) \
	F(Z3_mk_bvadd) F(Z3_mk_bvsub) F(Z3_mk_bvmul) F(Z3_mk_bvudiv) F(Z3_mk_bvsdiv) F(Z3_mk_bvurem) \
	F(Z3_mk_bvsrem) F(Z3_mk_bvand) F(Z3_mk_bvor) F(Z3_mk_bvxor) F(Z3_mk_bvshl) F(Z3_mk_bvlshr) \
	F(Z3_mk_bvashr) F(Z3_mk_bvnot) F(Z3_mk_bvneg) F(Z3_mk_bvult) F(Z3_mk_bvule) F(Z3_mk_bvslt) \
	F(Z3_mk_bvsle) F(Z3_mk_ite) F(Z3_mk_concat) F(Z3_mk_extract) F(Z3_mk_zero_ext) \
	F(Z3_mk_sign_ext) F(Z3_mk_not) F(Z3_mk_and) F(Z3_mk_or) F(Z3_mk_true) F(Z3_mk_false) F(Z3_mk_xor) \
	F(Z3_mk_solver_for_logic) F(Z3_mk_simple_solver) F(Z3_mk_string_symbol) F(Z3_solver_inc_ref) \
	F(Z3_solver_push) F(Z3_solver_pop) F(Z3_solver_assert) F(Z3_solver_check) \
	F(Z3_solver_get_model) F(Z3_model_inc_ref) F(Z3_model_dec_ref) F(Z3_model_eval) \
	F(Z3_get_numeral_uint64) F(Z3_get_numeral_string) F(Z3_mk_params) F(Z3_params_inc_ref) \
	F(Z3_params_set_uint) F(Z3_solver_set_params)

#define F(name) static __typeof__(&name) p_##name;
FUNCTIONS(F)
#undef F

#define QUICK 100 /* milliseconds for the solver that starts fast */

struct worker {
	int fd;
	Z3_context c;
	Z3_solver quick, thorough;
	Z3_ast *bv, *truth; uint32_t cap;   /* by expression number; width 1: as condition in `truth` */
	struct wire_node *kind;             /* op and width of each */
};

static double cpu_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void broken(int fd, const char *text)
{
	struct wire_answer a = { .answer = WIRE_BROKEN, .text = (uint32_t)strlen(text), .cpu = cpu_now() };
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
	FUNCTIONS(F)
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
}

static void room(struct worker *w, uint32_t id)
{
	if (id < w->cap)
		return;
	uint32_t cap = id + id / 2 + 1024;
	w->bv = realloc(w->bv, cap * sizeof *w->bv);
	w->truth = realloc(w->truth, cap * sizeof *w->truth);
	w->kind = realloc(w->kind, cap * sizeof *w->kind);
	if (!w->bv || !w->truth || !w->kind)
		broken(w->fd, "z3: out of memory");
	memset(w->bv + w->cap, 0, (cap - w->cap) * sizeof *w->bv);
	memset(w->truth + w->cap, 0, (cap - w->cap) * sizeof *w->truth);
	w->cap = cap;
}

/* Nodes of width 1 exist as conditions, as vectors, or both; each is made when needed. */
static Z3_ast one_bit(struct worker *w, bool b)
{
	return p_Z3_mk_unsigned_int64(w->c, b, p_Z3_mk_bv_sort(w->c, 1));
}

static Z3_ast vector(struct worker *w, uint32_t id)
{
	if (!w->bv[id])
		w->bv[id] = p_Z3_mk_ite(w->c, w->truth[id], one_bit(w, true), one_bit(w, false));
	return w->bv[id];
}

static Z3_ast truth(struct worker *w, uint32_t id)
{
	if (!w->truth[id])
		w->truth[id] = p_Z3_mk_eq(w->c, w->bv[id], one_bit(w, true));
	return w->truth[id];
}

static Z3_ast constant(struct worker *w, const struct wire_node *n)
{
	Z3_ast lo = p_Z3_mk_unsigned_int64(w->c, n->lo, p_Z3_mk_bv_sort(w->c, n->width > 64 ? 64 : n->width));
	if (n->width <= 64)
		return lo;
	return p_Z3_mk_concat(w->c, p_Z3_mk_unsigned_int64(w->c, n->hi, p_Z3_mk_bv_sort(w->c, n->width - 64u)), lo);
}

/* Conditions: true when the node was made as one. */
static bool make_truth(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	Z3_ast both[2], *t = &w->truth[n->id];
	switch (n->op) {
	case OP_EQ:
		*t = w->kind[n->a].width == 1 ? p_Z3_mk_eq(c, truth(w, n->a), truth(w, n->b))
		                              : p_Z3_mk_eq(c, vector(w, n->a), vector(w, n->b));
		return true;
	case OP_ULT: *t = p_Z3_mk_bvult(c, vector(w, n->a), vector(w, n->b)); return true;
	case OP_ULE: *t = p_Z3_mk_bvule(c, vector(w, n->a), vector(w, n->b)); return true;
	case OP_SLT: *t = p_Z3_mk_bvslt(c, vector(w, n->a), vector(w, n->b)); return true;
	case OP_SLE: *t = p_Z3_mk_bvsle(c, vector(w, n->a), vector(w, n->b)); return true;
	default: break;
	}
	if (n->width != 1)
		return false;
	switch (n->op) {
	case OP_CONST: *t = n->lo ? p_Z3_mk_true(c) : p_Z3_mk_false(c); return true;
	case OP_NOT: *t = p_Z3_mk_not(c, truth(w, n->a)); return true;
	case OP_XOR: *t = p_Z3_mk_xor(c, truth(w, n->a), truth(w, n->b)); return true;
	case OP_ITE: *t = p_Z3_mk_ite(c, truth(w, n->a), truth(w, n->b), truth(w, n->c)); return true;
	case OP_AND: case OP_OR:
		both[0] = truth(w, n->a), both[1] = truth(w, n->b);
		*t = n->op == OP_AND ? p_Z3_mk_and(c, 2, both) : p_Z3_mk_or(c, 2, both);
		return true;
	default: return false;
	}
}

static Z3_ast make_binary(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	Z3_ast a = vector(w, n->a), b = vector(w, n->b);
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
	case OP_INPUT: return p_Z3_mk_const(c, p_Z3_mk_int_symbol(c, (int)n->a), p_Z3_mk_bv_sort(c, n->width));
	case OP_CONST: return constant(w, n);
	case OP_NOT: return p_Z3_mk_bvnot(c, vector(w, n->a));
	case OP_NEG: return p_Z3_mk_bvneg(c, vector(w, n->a));
	case OP_ZEXT: return p_Z3_mk_zero_ext(c, n->width - w->kind[n->a].width, vector(w, n->a));
	case OP_SEXT: return p_Z3_mk_sign_ext(c, n->width - w->kind[n->a].width, vector(w, n->a));
	case OP_EXTRACT: return p_Z3_mk_extract(c, n->c + n->width - 1, n->c, vector(w, n->a));
	case OP_ITE: return p_Z3_mk_ite(c, truth(w, n->a), vector(w, n->b), vector(w, n->c));
	default: return make_binary(w, n);
	}
}

static void define(struct worker *w, const struct wire_node *n)
{
	room(w, n->id);
	w->kind[n->id] = *n;
	if (!make_truth(w, n) && !(w->bv[n->id] = make_vector(w, n)))
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
		p_Z3_solver_assert(w->c, s, truth(w, cond[i]));
	return p_Z3_solver_check(w->c, s);
}

/* The value of a model at a variable, as two words. */
static void value_of(struct worker *w, Z3_model m, uint32_t input, uint64_t *out)
{
	Z3_ast v;
	unsigned width = w->kind[input].width;
	out[0] = out[1] = 0;
	if (width <= 64) {
		if (p_Z3_model_eval(w->c, m, vector(w, input), true, &v))
			p_Z3_get_numeral_uint64(w->c, v, out);
		return;
	}
	if (p_Z3_model_eval(w->c, m, p_Z3_mk_extract(w->c, 63, 0, vector(w, input)), true, &v))
		p_Z3_get_numeral_uint64(w->c, v, out);
	if (p_Z3_model_eval(w->c, m, p_Z3_mk_extract(w->c, width - 1, 64, vector(w, input)), true, &v))
		p_Z3_get_numeral_uint64(w->c, v, out + 1);
}

static void answer(struct worker *w, Z3_solver s, Z3_lbool r, const uint32_t *input, uint32_t inputs)
{
	struct wire_answer a = { .answer = r == Z3_L_TRUE ? ENGINE_SAT : r == Z3_L_FALSE ? ENGINE_UNSAT : ENGINE_UNKNOWN };
	uint64_t *v = NULL;
	if (r == Z3_L_TRUE) {
		Z3_model m = p_Z3_solver_get_model(w->c, s);
		p_Z3_model_inc_ref(w->c, m);
		v = calloc(inputs + 1, 16);
		if (!v)
			broken(w->fd, "z3: out of memory");
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

/* First the solver that starts fast, then, if it does not come through, the one that bit-blasts
 * everything at once and is better at hard arithmetic. */
static void check(struct worker *w, const struct wire_check *q, const uint32_t *cond, const uint32_t *input)
{
	Z3_solver s = w->quick;
	unsigned first = QUICK;
	Z3_lbool r = run(w, s, cond, q->conds, first < q->milliseconds ? first : q->milliseconds);
	if (r == Z3_L_UNDEF)
		p_Z3_solver_pop(w->c, s, 1);
	if (r == Z3_L_UNDEF && first < q->milliseconds) {
		s = w->thorough;
		r = run(w, s, cond, q->conds, q->milliseconds - first);
		answer(w, s, r, input, q->vars);
		p_Z3_solver_pop(w->c, s, 1);
	} else {
		answer(w, s, r, input, q->vars);
		if (r != Z3_L_UNDEF)
			p_Z3_solver_pop(w->c, s, 1);
	}
}

void z3_worker(int fd)
{
	struct worker w = { .fd = fd };
#ifndef __SANITIZE_ADDRESS__ /* which reserves more than any limit */
	struct rlimit limit = { 4ull << 30, 4ull << 30 };
	setrlimit(RLIMIT_AS, &limit);
#endif
	struct wire_check q;
	load(fd);
	open_context(&w);
	while (wire_receive(fd, &q, sizeof q, 0) == 0) {
		struct wire_node *n = malloc(q.nodes * sizeof *n + 1);
		uint32_t *ids = malloc((q.conds + q.vars) * sizeof *ids + 1);
		if (!n || !ids)
			broken(fd, "z3: out of memory");
		if (wire_receive(fd, n, q.nodes * sizeof *n, 0) != 0 ||
		    wire_receive(fd, ids, (q.conds + q.vars) * sizeof *ids, 0) != 0)
			break;
		for (uint32_t i = 0; i < q.nodes; i++)
			define(&w, &n[i]);
		check(&w, &q, ids, ids + q.conds);
		free(n), free(ids);
	}
	_exit(0);
}
