/* numerals: solves for the numbers that are written in texts, then writes them. A term that has the
 * value of a text's digits (atoi, strtol, scanf) becomes a variable of its own, so that the engines
 * see `x < y` instead of thirty characters. If the variables have no solution, neither have the
 * characters. A solution is written into the texts, in decimal, hexadecimal or octal; if other
 * conditions exclude such a text, an engine is asked for the characters of this text alone. If that
 * fails, the problem is passed on unchanged. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHARACTERS 64 /* of a text */
#define SHARE 0.5          /* share of the remaining time, for the problem with the variables */
#define LONG 17            /* characters of a number that is written because no type can hold it */
#define MOST_START 3       /* characters of a sign and prefix, such as -0x */
#define MOST_SKIPPED 64    /* consecutive problems that are passed on untried after failures */

/* A term whose value is a written number, and the variable that replaces it. */
struct numeral {
	expr term;
	uint32_t var;
	uint32_t *text; /* its characters, in order */
	size_t chars;
	char form;                                   /* conversion of printf: d, x or o */
	bool is_used;                                /* in the problem */
	enum { UNTRIED, ALWAYS, NOT_ALWAYS } within; /* are its bounds a fact? */
};

struct numerals {
	struct expr_pool *p;
	struct rewrite rw;
	uint32_t *at; /* by expression: 0 not examined, 1 none, else 2 + index of its numeral */
	size_t at_cap;
	struct numeral *all;
	size_t n, cap;
	uint32_t *by_var; /* by variable: 1 + index of its numeral */
	size_t by_var_cap;
	struct assignment probe, parent, now;
	/* of the problem */
	uint32_t *used; /* indices of numerals */
	size_t uses, used_cap;
	expr *cond; /* bounds of numerals, then the conditions with variables */
	size_t conds, bounds, cond_cap;
	expr *part; /* of one text */
	size_t parts, part_cap;
	unsigned skip, skipped; /* problems to pass on untried; how many were so far */
};

static uint64_t index_of(const struct expr_pool *p, uint32_t var)
{
	return strtoull(strrchr(expr_var_name(p, var), '[') + 1, NULL, 10);
}

/* Is it a character of the same text as the first? */
static bool is_character(const struct expr_pool *p, uint32_t var, uint32_t first)
{
	const char *name = expr_var_name(p, first), *bracket = strrchr(name, '[');

	return bracket && expr_var_width(p, var) == 8 && expr_var_kind(p, var) != INPUT_BOOL
	    && strncmp(expr_var_name(p, var), name, (size_t)(bracket - name) + 1) == 0
	    && !strchr(expr_var_name(p, var) + (bracket - name) + 1, '[');
}

/* The variables in the order of their text, without a gap; NULL: they are no text. */
static uint32_t *text_of(const struct expr_pool *p, const uint32_t *var, size_t n)
{
	uint64_t least = UINT64_MAX;
	uint32_t *text;

	if (n < 2 || n > MOST_CHARACTERS)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (!is_character(p, var[i], var[0]))
			return NULL;
		if (index_of(p, var[i]) < least)
			least = index_of(p, var[i]);
	}
	text = reserved(n, sizeof *text);
	for (size_t i = 0; i < n; i++) {
		if (index_of(p, var[i]) - least >= n) {
			free(text);
			return NULL;
		}
		text[index_of(p, var[i]) - least] = var[i];
	}
	return text;
}

static void set_text(struct assignment *a, const uint32_t *var, size_t n, const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < n; i++)
		assignment_set(a, var[i], (struct value){ i < length ? (uint8_t)text[i] : 0, 0 });
}

static uint64_t read_by(
    struct numerals *s, expr term, const uint32_t *var, size_t n, const char *text)
{
	set_text(&s->probe, var, n, text);
	return expr_eval(s->p, term, &s->probe).lo;
}

/* The conversion that writes what the term reads; 0: the term is no number of the text. A subterm
 * that reads only the digits is none. */
static char form_of(struct numerals *s, expr term, const uint32_t *var, size_t n)
{
	static const struct {
		char form;
		unsigned value;
	} forms[] = { { 'd', 23 }, { 'x', 0x23 }, { 'o', 023 } };
	uint64_t v = read_by(s, term, var, n, "23");

	if (read_by(s, term, var, n, "-7") != (uint64_t)bits_cut((u128)-7, expr_width(s->p, term))
	    || read_by(s, term, var, n, "7") != 7)
		return 0;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (v == forms[i].value)
			return forms[i].form;
	return 0;
}

static void add(struct numerals *s, expr term, uint32_t *text, size_t n, char form)
{
	char name[40];

	snprintf(name, sizeof name, "%%numeral.%zu", s->n);
	s->all = grow(s->all, &s->cap, s->n + 1, sizeof *s->all);
	s->all[s->n++] = (struct numeral){
		.term = term,
		.var = expr_var(s->p, name, INPUT_UINT, expr_width(s->p, term)),
		.text = text,
		.chars = n,
		.form = form,
	};
	s->by_var =
	    grow(s->by_var, &s->by_var_cap, (size_t)s->all[s->n - 1].var + 1, sizeof *s->by_var);
	s->by_var[s->all[s->n - 1].var] = (uint32_t)s->n;
}

/* The number to remember in `at` for an expression. */
static uint32_t examine(struct numerals *s, expr e)
{
	unsigned w = expr_width(s->p, e);
	const uint32_t *var;
	uint32_t *text;
	size_t n;
	char form;

	if (expr_op(s->p, e) != OP_ITE || (w != 16 && w != 32 && w != 64)
	    || expr_has_float(s->p, e))
		return 1;
	var = expr_vars(s->p, e, &n);
	if (!(text = text_of(s->p, var, n)))
		return 1;
	if (!(form = form_of(s, e, text, n))) {
		free(text);
		return 1;
	}
	add(s, e, text, n, form);
	return (uint32_t)s->n + 1;
}

/* Replaces a numeral by its variable. */
static expr node(struct rewrite *rw, expr e, void *ctx)
{
	struct numerals *s = ctx;

	s->at = grow(s->at, &s->at_cap, (size_t)e + 1, sizeof *s->at);
	if (!s->at[e])
		s->at[e] = examine(s, e);
	return s->at[e] > 1 ? expr_input(rw->p, s->all[s->at[e] - 2].var) : 0;
}

static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	(void)rw, (void)ctx;
	return e;
}

static bool open_layer(struct layer *l, char **error)
{
	struct numerals *s = layer_state(l, sizeof *s);

	(void)error;
	s->p = l->chain->p;
	s->rw = (struct rewrite){ .p = s->p, .node = node, .leaf = leaf, .ctx = s };
	rewrite_start(&s->rw);
	return true;
}

/* The numerals whose variables occur in a condition. */
static void collect(struct numerals *s, expr cond)
{
	size_t n;
	const uint32_t *var = expr_vars(s->p, cond, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t k = var[i] < s->by_var_cap ? s->by_var[var[i]] : 0;

		if (!k || s->all[k - 1].is_used)
			continue;
		s->all[k - 1].is_used = true;
		s->used = grow(s->used, &s->used_cap, s->uses + 1, sizeof *s->used);
		s->used[s->uses++] = k - 1;
	}
}

static void pose(struct numerals *s, expr cond)
{
	s->cond = grow(s->cond, &s->cond_cap, s->conds + 1, sizeof *s->cond);
	s->cond[s->conds++] = cond;
}

/* x, which has the numeral's width, is a number of this many characters, one of which may be a
 * minus. */
static expr is_within(struct numerals *s, const struct numeral *t, expr x)
{
	unsigned w = expr_width(s->p, t->term);
	unsigned base = t->form == 'd' ? 10 : t->form == 'x' ? 16 : 8;
	u128 top = bits_sign(w), least = 1, most = 1;
	expr above = expr_bool(s->p, true), below = above;

	for (size_t i = 0; i < t->chars && most < top; i++) {
		least = most;
		most *= base;
	}
	if (least < top)
		above = expr_make(
		    s->p, OP_SLT, 1, expr_const(s->p, w, bits_value(bits_cut(-least, w))), x, 0);
	if (most < top)
		below = expr_make(s->p, OP_SLT, 1, x, expr_const(s->p, w, bits_value(most)), 0);
	return expr_make(s->p, OP_AND, 1, above, below, 0);
}

/* Adds the bounds of a numeral if the parent's value is within, as layers rely on. */
static void bound(struct numerals *s, const struct numeral *t)
{
	expr cond = is_within(s, t, expr_input(s->p, t->var));

	if (cond != expr_bool(s->p, true) && bits_of(expr_eval(s->p, cond, &s->parent)))
		pose(s, cond);
}

/* Do the bounds of all numerals hold for every content of their texts? */
static bool bounds_hold(struct layer *l)
{
	struct numerals *s = l->state;

	for (size_t i = 0; i < s->uses; i++) {
		struct numeral *t = &s->all[s->used[i]];
		expr beyond = expr_not(s->p, is_within(s, t, t->term));
		struct problem q = { &beyond, 1, 0, &s->parent };

		if (t->within == UNTRIED && beyond == expr_bool(s->p, false))
			t->within = ALWAYS;
		if (t->within == UNTRIED)
			t->within = layer_pass(l, &q) == ANSWER_UNSAT ? ALWAYS : NOT_ALWAYS;
		if (t->within == NOT_ALWAYS)
			return false;
	}
	return true;
}

/* Are there numerals in the problem? */
static bool find(struct numerals *s, const struct problem *q)
{
	s->uses = 0;
	for (size_t i = 0; i < q->n; i++) {
		expr e = rewrite(&s->rw, q->cond[i]);

		if (e != q->cond[i])
			collect(s, e);
	}
	for (size_t i = 0; i < s->uses; i++)
		s->all[s->used[i]].is_used = false;
	return s->uses > 0;
}

/* The parent's values with those of the numerals. */
static void translate_parent(struct numerals *s, const struct problem *q)
{
	struct assignment none = { 0 };

	assignment_copy(&s->parent, q->parent ? q->parent : &none);
	for (size_t i = 0; i < s->uses; i++) {
		const struct numeral *t = &s->all[s->used[i]];

		assignment_set(&s->parent, t->var, expr_eval(s->p, t->term, &s->parent));
	}
}

/* Asks for values of the variables. */
static enum answer ask_numbers(struct layer *l, const struct problem *q, bool bounded)
{
	struct numerals *s = l->state;
	struct problem down = { .parent = &s->parent };

	s->conds = 0;
	for (size_t i = 0; i < s->uses && bounded; i++)
		bound(s, &s->all[s->used[i]]);
	s->bounds = s->conds;
	for (size_t i = 0; i < q->n; i++) {
		expr e = rewrite(&s->rw, q->cond[i]);

		if (e == expr_bool(s->p, false))
			return layer_own(l, ANSWER_UNSAT);
		if (i == q->flip)
			down.flip = s->conds;
		if (e != expr_bool(s->p, true))
			pose(s, e);
	}
	down.cond = s->cond;
	down.n = s->conds;
	return layer_pass_within(l, &down, SHARE);
}

/* Collects the conditions that are only on the text of a numeral. */
static void conditions_of(struct numerals *s, const struct numeral *t, const struct problem *q)
{
	s->parts = 0;
	for (size_t i = 0; i < q->n; i++) {
		size_t n, k = 0;
		const uint32_t *var = expr_vars(s->p, q->cond[i], &n);

		while (k < n && is_character(s->p, var[k], t->text[0]))
			k++;
		if (k < n || !n)
			continue;
		s->part = grow(s->part, &s->part_cap, s->parts + 1, sizeof *s->part);
		s->part[s->parts++] = q->cond[i];
	}
}

/* Adds conditions that the numerals of this text have the values of the answer. */
static void values_of(struct numerals *s, const struct numeral *t)
{
	for (size_t i = 0; i < s->uses; i++) {
		const struct numeral *u = &s->all[s->used[i]];
		unsigned w = expr_width(s->p, u->term);

		if (!is_character(s->p, u->text[0], t->text[0]))
			continue;
		s->part = grow(s->part, &s->part_cap, s->parts + 1, sizeof *s->part);
		s->part[s->parts++] = expr_make(s->p, OP_EQ, 1, u->term,
		    expr_const(s->p, w, assignment_get(&s->now, u->var)), 0);
	}
}

/* Writes the number from a place of the text on. The text after it is kept, or ended. */
static bool put(
    struct numerals *s, const struct numeral *t, size_t start, const char *text, bool keep)
{
	size_t n = strlen(text);

	if (start + n > t->chars)
		return false;
	for (size_t i = start; i < t->chars; i++)
		if (i < start + n)
			assignment_set(
			    &s->now, t->text[i], (struct value){ (uint8_t)text[i - start], 0 });
		else if (!keep)
			assignment_set(&s->now, t->text[i], (struct value){ 0, 0 });
	return expr_first_false(s->p, s->part, s->parts, &s->now) == s->parts;
}

/* Writes the number in at least this many characters, with or without a prefix. */
static bool write_number(
    struct numerals *s, const struct numeral *t, size_t start, int chars, bool keep)
{
	static const char *const prefixes[] = { "", "0x", "0" };
	char text[MOST_CHARACTERS + 32];
	i128 v = bits_signed(bits_of(assignment_get(&s->now, t->var)), expr_width(s->p, t->term));
	uint64_t magnitude = v < 0 ? (uint64_t)-v : (uint64_t)v;

	for (int i = 0; i < (t->form == 'd' ? 1 : 3); i++) {
		int n = sprintf(text, "%s%s", v < 0 ? "-" : "", prefixes[i]);

		sprintf(text + n,
		    t->form == 'd'       ? "%0*" PRIu64
		        : t->form == 'x' ? "%0*" PRIx64
		                         : "%0*" PRIo64,
		    chars > n ? chars - n : 1, magnitude);
		if (put(s, t, start, text, keep))
			return true;
	}
	return false;
}

/* Writes the number like the one in the parent's text: the same blanks before it, the same number
 * of characters, the same text after it. */
static bool in_place(struct numerals *s, const struct numeral *t)
{
	size_t start = 0, end;

	while (start < t->chars
	    && memchr(" \t\n\v\f\r", (int)assignment_get(&s->parent, t->text[start]).lo, 6))
		start++;
	for (end = start; end < t->chars; end++) {
		int c = (int)assignment_get(&s->parent, t->text[end]).lo;

		if (!c || !memchr("+-0123456789xXabcdefABCDEF", c, t->form == 'x' ? 26 : 12))
			break;
	}
	return end > start && write_number(s, t, start, (int)(end - start), true);
}

/* Asks for the characters of one text. */
static bool ask_text(struct layer *l, const struct numeral *t)
{
	struct numerals *s = l->state;
	struct problem part = { s->part, s->parts, 0, &s->now };
	struct value v;

	if (layer_pass(l, &part) != ANSWER_SAT)
		return false;
	for (size_t i = 0; i < t->chars; i++)
		if (layer_bound(l->chain, t->text[i], &v))
			assignment_set(&s->now, t->text[i], v);
	return true;
}

static bool write_text(struct layer *l, const struct numeral *t, const struct problem *q)
{
	struct numerals *s = l->state;

	conditions_of(s, t, q);
	values_of(s, t);
	return expr_first_false(s->p, s->part, s->parts, &s->now) == s->parts || in_place(s, t)
	    || write_number(s, t, 0, 1, false) || ask_text(l, t);
}

/* Writes the numbers of the answer into the texts; false if that is not possible. */
static bool write_texts(struct layer *l, const struct problem *q)
{
	struct numerals *s = l->state;
	struct chain *c = l->chain;

	layer_values(c, &(struct problem){ .parent = &s->parent }, &s->now);
	for (size_t i = 0; i < s->uses; i++)
		if (!write_text(l, &s->all[s->used[i]], q))
			return false;
	if (expr_first_false(s->p, q->cond, q->n, &s->now) != q->n)
		return false;
	for (size_t i = 0; i < s->uses; i++) {
		const struct numeral *t = &s->all[s->used[i]];

		for (size_t k = 0; k < t->chars; k++)
			layer_bind(c, t->text[k], assignment_get(&s->now, t->text[k]));
	}
	return true;
}

/* Removes the variables of numerals from the answer. */
static void drop_variables(struct numerals *s, struct chain *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->bounds; i++) {
		uint32_t var = c->bound[i].var;

		if (var >= s->by_var_cap || !s->by_var[var])
			c->bound[kept++] = c->bound[i];
	}
	c->bounds = kept;
}

/* The problem has no solution within the bounds: asks whether it has one beyond them. */
static enum answer try_beyond(struct layer *l, const struct problem *q)
{
	if (ask_numbers(l, q, false) == ANSWER_UNSAT || bounds_hold(l))
		return ANSWER_UNSAT;
	return ANSWER_UNKNOWN;
}

static enum answer try(struct layer *l, const struct problem *q)
{
	struct numerals *s = l->state;
	enum answer a;

	translate_parent(s, q);
	a = ask_numbers(l, q, true);
	if (a == ANSWER_UNSAT && s->bounds)
		a = try_beyond(l, q);
	if (a == ANSWER_SAT && !write_texts(l, q))
		a = ANSWER_UNKNOWN;
	drop_variables(s, l->chain);
	return a;
}

/* Writes digits up to the end of the text, after the beginning of the parent's text: a guess for
 * conditions that a number is too large for its type, for which engines need a multiplication for
 * each character. */
static bool put_digits(
    struct numerals *s, const struct problem *q, const uint32_t *text, size_t chars, size_t start)
{
	struct assignment none = { 0 };

	assignment_copy(&s->now, q->parent ? q->parent : &none);
	for (size_t i = start; i + 1 < chars; i++)
		assignment_set(&s->now, text[i], (struct value){ '7', 0 });
	return expr_first_false(s->p, q->cond, q->n, &s->now) == q->n;
}

static bool try_digits(struct layer *l, const struct problem *q)
{
	struct numerals *s = l->state;
	bool done = false;
	size_t n, start = 0;
	const uint32_t *var = expr_vars(s->p, q->cond[q->n - 1], &n);
	uint32_t *text = n < LONG ? NULL : text_of(s->p, var, n);

	for (; text && start <= MOST_START && !done; start++)
		done = put_digits(s, q, text, n, start);
	for (size_t i = 0; done && i < n; i++)
		layer_bind(l->chain, text[i], assignment_get(&s->now, text[i]));
	free(text);
	return done;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct numerals *s = l->state;
	enum answer a;

	if (q->n && try_digits(l, q))
		return layer_own(l, ANSWER_SAT);
	if (!find(s, q) || s->skipped++ < s->skip)
		return layer_pass(l, q);
	s->skipped = 0;
	if ((a = try(l, q)) != ANSWER_UNKNOWN) {
		l->answered++;
		s->skip = 0;
		return a;
	}
	s->skip = s->skip < MOST_SKIPPED / 2 ? 2 * s->skip + 1 : MOST_SKIPPED;
	layer_unbind_all(l->chain);
	return layer_pass(l, q);
}

static void close_layer(struct layer *l)
{
	struct numerals *s = l->state;

	for (size_t i = 0; i < s->n; i++)
		free(s->all[i].text);
	rewrite_clear(&s->rw);
	assignment_clear(&s->probe), assignment_clear(&s->parent), assignment_clear(&s->now);
	free(s->at), free(s->all), free(s->by_var), free(s->used), free(s->cond), free(s->part);
	free(s);
}

const struct layer_class layer_numerals = { "numerals", open_layer, ask, close_layer };
