/* clang-format off */
/* z3_api: Z3 functions, loaded by the worker process, and the worker's state. Private to
 * lib/engine/z3_*.c. */
#ifndef DUCT_Z3_API_H
#define DUCT_Z3_API_H

#include "lib/engine/wire.h"

#include <stdbool.h>
#include <z3.h>

#define Z3_FUNCTIONS(F) \
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
	F(Z3_params_set_uint) F(Z3_solver_set_params) \
	F(Z3_mk_fpa_sort) F(Z3_mk_fpa_rne) F(Z3_mk_fpa_rna) F(Z3_mk_fpa_rtn) F(Z3_mk_fpa_rtp) F(Z3_mk_fpa_rtz) \
	F(Z3_mk_fpa_add) F(Z3_mk_fpa_sub) F(Z3_mk_fpa_mul) F(Z3_mk_fpa_div) F(Z3_mk_fpa_sqrt) \
	F(Z3_mk_fpa_round_to_integral) F(Z3_mk_fpa_eq) F(Z3_mk_fpa_lt) F(Z3_mk_fpa_leq) F(Z3_mk_fpa_abs) \
	F(Z3_mk_fpa_neg) F(Z3_mk_fpa_is_nan) F(Z3_mk_fpa_is_infinite) F(Z3_mk_fpa_is_zero) \
	F(Z3_mk_fpa_is_negative) F(Z3_mk_fpa_to_fp_bv) F(Z3_mk_fpa_to_fp_float) F(Z3_mk_fpa_to_fp_signed) \
	F(Z3_mk_fpa_to_fp_unsigned) F(Z3_mk_fpa_to_sbv) F(Z3_mk_fpa_to_ubv) F(Z3_mk_fpa_to_ieee_bv) \
	F(Z3_mk_fpa_nan) F(Z3_mk_fpa_zero) F(Z3_mk_fpa_numeral_double)

#define F(name) extern __typeof__(&name) p_##name;
Z3_FUNCTIONS(F)
#undef F

/* The Z3 terms of an expression: bit-vector, Boolean (width 1) and floating-point number, each made
 * on demand. */
struct z3_term { Z3_ast bv, truth, number; };

struct worker {
	int fd;
	Z3_context c;
	Z3_solver quick, thorough, floats;
	struct z3_term *term; uint32_t cap;    /* by expression number */
	struct wire_node *kind;             /* op and width of each */
};

Z3_ast worker_vector(struct worker *w, uint32_t id);
Z3_ast worker_truth(struct worker *w, uint32_t id);
/* `value` as a bit-vector of up to 64 bits. */
Z3_ast worker_number(struct worker *w, uint64_t value, unsigned width);

/* z3_float.c: float_define makes the term of an operation of op_is_float; for one with a
 * floating-point result, float_vector makes the bit-vector on demand. */
void float_define(struct worker *w, const struct wire_node *n);
Z3_ast float_vector(struct worker *w, uint32_t id);

#endif
/* clang-format on */
