/* startup: what a program gets from outside, in encodings that only propose runs of main (see
 * ask.c): its arguments, environment variables and standard input, as objects and inputs that
 * library functions read as they do in runs. Few and short ones, so that counterexamples have all
 * that their runs need. Nothing is proved with such an encoding. */
#include "lib/prove/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENTS 4 /* at most, argv[0] included */
#define BYTES 16    /* of each, and of a variable, with the 0 behind them */
#define LINE 24     /* bytes that a call reads from standard input, at most */
#define DIGITS 5    /* of a number that is read from a text */
#define NUMBERS 8   /* that a call of scanf reads */

/* ---- objects */

static uint32_t add_object(struct encoding *m, unsigned cells, unsigned bytes, bool pointers)
{
	struct object o = { .alias = 0, .frame = NONE, .size = cells * bytes, .kind = '-' };
	for (unsigned k = 0; k < cells; k++)
		*PUSH(o.cell, o.cells) = (struct cell){ k * bytes, bytes,
			ts_slot(&m->ts, SLOT_CELL, bytes * 8), pointers };
	*PUSH(m->object, m->objects) = o;
	return m->objects - 1;
}

static bool is_call(const struct flow_unit *u, const struct flow_inst *i, const char *name)
{
	return i->op == FLOW_CALL && i->operands && u->operand[i->first].kind == '@'
	    && !strcmp(u->operand[i->first].name, name);
}

static struct startup_variable *variable(const struct encoding *m, const char *name)
{
	for (size_t i = 0; i < m->startup->variables; i++)
		if (!strcmp(m->startup->variable[i].name, name))
			return &m->startup->variable[i];
	return NULL;
}

static void add_variables(struct encoding *m, const struct flow_unit *u)
{
	struct startup *s = m->startup;
	for (size_t k = 0; k < u->insts; k++) {
		const struct flow_inst *i = &u->inst[k];
		const char *name = i->operands > 1 && is_call(u, i, "getenv")
		    ? prove_constant_text(u, &u->operand[i->first + 1])
		    : NULL;
		if (!name || variable(m, name))
			continue;
		uint32_t object = add_object(m, BYTES, 1, false);
		*PUSH(s->variable, s->variables) = (struct startup_variable){ copied(name), object,
			ts_slot(&m->ts, SLOT_CELL, 1) };
	}
}

/* The slot of the parameter argv, if it is never changed. */
static uint32_t find_constant(const struct encoding *m)
{
	const struct frame *f = &m->frame[0];
	const struct flow_unit *u = prove_unit(m, 0);
	const struct flow_func *func = &u->func[f->func - 1];
	uint32_t var = func->params > 1 ? func->param[1] : 0, object, writes = 0;
	for (size_t i = 0; var && i < u->accesses; i++)
		writes += u->access[i].is_def && u->access[i].var == var;
	if (!var || writes > 1 || m->index[f->unit].taken[var - 1])
		return NONE;
	object = f->object[var - m->index[f->unit].vars[f->func - 1].first];
	return object != NONE && m->object[object].cells == 1 ? m->object[object].cell[0].slot
	                                                      : NONE;
}

void prove_startup_cut(struct walk *w)
{
	const struct startup *s = w->m->startup;
	if (s->constant != NONE)
		w->now.v[s->constant] = prove_const(w->m, 64, prove_address(s->vector));
}

bool prove_startup_fits(const struct startup *s, uint32_t object, unsigned bytes)
{
	return object < s->first || object >= s->end || (object == s->vector) == (bytes == 8);
}

void prove_startup_new(struct encoding *m)
{
	struct startup *s = m->startup = zeroed(1, sizeof *s);
	s->first = m->objects;
	s->vector = add_object(m, ARGUMENTS + 1, 8, true);
	s->text = m->objects;
	for (unsigned k = 0; k < ARGUMENTS; k++)
		add_object(m, BYTES, 1, false);
	for (size_t i = 0; i < m->flow->units; i++)
		add_variables(m, &m->flow->unit[i]);
	s->end = m->objects;
	s->constant = find_constant(m);
	s->at_end = ts_slot(&m->ts, SLOT_CELL, 1);
}

void prove_startup_free(struct startup *s)
{
	for (size_t i = 0; s && i < s->variables; i++)
		free(s->variable[i].name);
	if (s)
		free(s->variable);
	free(s);
}

static void begin_text(struct walk *w, uint32_t object, const char *name)
{
	struct encoding *m = w->m;
	for (unsigned k = 0; k < BYTES; k++) {
		expr byte = k + 1 < BYTES ? prove_fresh(m, 8) : prove_const(m, 8, 0);
		w->now.v[m->object[object].cell[k].slot] = byte;
		if (name && k + 1 < BYTES)
			*PUSH(m->input, m->inputs) =
			    (struct prove_input){ .name = formatted("%s[%u]", name, k),
				    .kind = 'c',
				    .width = 8,
				    .value = byte };
	}
}

static void begin_variable(struct walk *w, const struct startup_variable *v)
{
	struct encoding *m = w->m;
	expr missing = prove_fresh(m, 1);
	char *name = formatted("env.%s", v->name);
	*PUSH(m->input, m->inputs) = (struct prove_input){
		.name = formatted("%s?", name), .kind = 'n', .width = 16, .value = missing
	};
	w->now.v[v->set] = expr_not(m->pool, missing);
	begin_text(w, v->object, name);
	free(name);
}

static expr address_of(struct encoding *m, uint32_t object)
{
	return prove_const(m, 64, prove_address(object));
}

static expr less(struct encoding *m, expr a, expr b)
{
	return expr_make(m->pool, OP_ULT, 1, a, b, 0);
}

void prove_startup_begin(struct walk *w)
{
	struct encoding *m = w->m;
	const struct startup *s = m->startup;
	const struct frame *f = &m->frame[0];
	expr count = prove_const(m, 32, 1);
	if (f->args > 0)
		count = prove_extract(m, 0, 32, w->now.v[f->arg[0]]);
	if (f->args > 1)
		w->now.v[f->arg[1]] = address_of(m, s->vector);
	w->now.guard = prove_and(m, w->now.guard,
	    prove_and(m, less(m, prove_const(m, 32, 0), count),
	        less(m, count, prove_const(m, 32, ARGUMENTS + 1))));
	for (unsigned k = 0; k <= ARGUMENTS; k++) {
		expr null = prove_const(m, 64, 0);
		w->now.v[m->object[s->vector].cell[k].slot] = k == ARGUMENTS
		    ? null
		    : prove_ite(m, less(m, prove_const(m, 32, k), count),
		          address_of(m, s->text + k), null);
	}
	for (unsigned k = 0; k < ARGUMENTS; k++) {
		char *name = formatted("argv[%u]", k);
		begin_text(w, s->text + k, k && f->args > 1 ? name : NULL);
		free(name);
	}
	for (size_t i = 0; i < s->variables; i++)
		begin_variable(w, &s->variable[i]);
	w->now.v[s->at_end] = prove_bool(m, false);
}

expr prove_startup_end(struct walk *w, expr where)
{
	struct encoding *m = w->m;
	expr *at_end = &w->now.v[m->startup->at_end], end = prove_or(m, *at_end, prove_fresh(m, 1));
	*at_end = prove_ite(m, where, end, *at_end);
	return end;
}

/* ---- calls that read texts */

struct library_call {
	struct walk *w;
	struct encoding *m;
	const struct flow_inst *i;
	const struct flow_unit *u;
};

static const struct flow_operand *operand(const struct library_call *r, uint32_t k)
{
	return k + 1 < r->i->operands ? &r->u->operand[r->i->first + k + 1] : NULL;
}

static expr value_of(const struct library_call *r, uint32_t k)
{
	unsigned width;
	return prove_argument(r->w, r->i, k, &width);
}

static void resolve(const struct library_call *r, uint32_t k, uint64_t at)
{
	expr place =
	    expr_make(r->m->pool, OP_ADD, 64, value_of(r, k), prove_const(r->m, 64, at), 0);
	prove_resolve(r->w, operand(r, k), place);
}

static expr byte_at(const struct library_call *r, uint32_t k, uint64_t at)
{
	resolve(r, k, at);
	return prove_read(r->w, 1);
}

static void put_byte(const struct library_call *r, uint32_t k, uint64_t at, expr byte)
{
	resolve(r, k, at);
	prove_write(r->w, 1, byte);
}

static expr number(const struct library_call *r, unsigned width, uint64_t n)
{
	return prove_const(r->m, width, n);
}

static expr is_byte(const struct library_call *r, expr byte, uint8_t c)
{
	return prove_equal(r->m, byte, number(r, 8, c));
}

static expr in_lower_case(const struct library_call *r, expr byte)
{
	expr from = expr_make(r->m->pool, OP_SUB, 8, byte, number(r, 8, 'A'), 0);
	return prove_ite(r->m, less(r->m, from, number(r, 8, 26)),
	    expr_make(r->m->pool, OP_ADD, 8, byte, number(r, 8, 32), 0), byte);
}

/* How many bytes of two texts can decide how they compare: a literal has its length. */
static unsigned most_bytes(const struct library_call *r)
{
	unsigned most = BYTES;
	for (uint32_t k = 0; k < 2; k++) {
		const char *text = prove_constant_text(r->u, operand(r, k));
		if (text && strlen(text) < most)
			most = (unsigned)strlen(text) + 1;
	}
	return most;
}

/* The sign of the first difference of two texts. limit: the argument with the number of bytes; 0 */
static expr compare(const struct library_call *r, bool fold, uint32_t limit)
{
	struct encoding *m = r->m;
	expr result = prove_fresh(m, 32), most = limit ? value_of(r, limit) : 0;
	for (unsigned k = most_bytes(r); k-- > 0;) {
		expr x = byte_at(r, 0, k), y = byte_at(r, 1, k), sign;
		x = fold ? in_lower_case(r, x) : x;
		y = fold ? in_lower_case(r, y) : y;
		sign = prove_ite(m, less(m, x, y), number(r, 32, UINT64_MAX), number(r, 32, 1));
		result = prove_ite(m, is_byte(r, x, 0), number(r, 32, 0), result);
		result = prove_ite(m, prove_equal(m, x, y), result, sign);
		if (most)
			result = prove_ite(
			    m, prove_equal(m, most, number(r, 64, k)), number(r, 32, 0), result);
	}
	return result;
}

static expr length(const struct library_call *r)
{
	expr result = prove_fresh(r->m, 64);
	for (unsigned k = BYTES; k-- > 0;)
		result = prove_ite(r->m, is_byte(r, byte_at(r, 0, k), 0), number(r, 64, k), result);
	return result;
}

/* The place of a character in a text. */
static expr found(const struct library_call *r)
{
	struct encoding *m = r->m;
	expr c = prove_extract(m, 0, 8, value_of(r, 1)), from = value_of(r, 0),
	     result = number(r, 64, 0);
	for (unsigned k = BYTES; k-- > 0;) {
		expr byte = byte_at(r, 0, k);
		result = prove_ite(m, is_byte(r, byte, 0), number(r, 64, 0), result);
		result = prove_ite(m, prove_equal(m, byte, c),
		    expr_make(m->pool, OP_ADD, 64, from, number(r, 64, k), 0), result);
	}
	return result;
}

/* The number that a text of a sign and decimal digits is; *end: how many bytes it has. A text with
 * more digits is not proposed. */
static expr decimal(const struct library_call *r, unsigned width, expr *end)
{
	struct encoding *m = r->m;
	expr v = number(r, width, 0), on = prove_bool(m, true),
	     minus = is_byte(r, byte_at(r, 0, 0), '-');
	*end = number(r, 64, 0);
	for (unsigned k = 0; k <= DIGITS; k++) {
		expr byte = byte_at(r, 0, k), sign = k ? prove_bool(m, false) : minus,
		     digit = expr_make(m->pool, OP_SUB, 8, byte, number(r, 8, '0'), 0), next;
		on = prove_and(m, on, prove_or(m, sign, less(m, digit, number(r, 8, 10))));
		next = expr_make(m->pool, OP_MUL, width, v, number(r, width, 10), 0);
		next = expr_make(m->pool, OP_ADD, width, next,
		    expr_make(m->pool, OP_ZEXT, width, digit, 0, 0), 0);
		v = prove_ite(m, prove_and(m, on, expr_not(m->pool, sign)), next, v);
		*end = prove_ite(m, on, number(r, 64, k + 1), *end);
	}
	r->w->now.guard = prove_and(m, r->w->now.guard, expr_not(m->pool, on));
	return prove_ite(m, minus, expr_make(m->pool, OP_NEG, width, v, 0, 0), v);
}

/* strtol and the like: base 10, or 0 for texts that do not begin with 0. */
static expr converted(const struct library_call *r, unsigned width)
{
	struct encoding *m = r->m;
	struct value base, to;
	expr end, v;
	if (!expr_is_const(m->pool, prove_extract(m, 0, 32, value_of(r, 2)), &base)
	    || (base.lo != 0 && base.lo != 10))
		return 0;
	v = decimal(r, width, &end);
	if (!base.lo)
		r->w->now.guard = prove_and(
		    m, r->w->now.guard, expr_not(m->pool, is_byte(r, byte_at(r, 0, 0), '0')));
	if (!expr_is_const(m->pool, value_of(r, 1), &to) || to.lo) {
		resolve(r, 1, 0);
		prove_write(r->w, 8, expr_make(m->pool, OP_ADD, 64, value_of(r, 0), end, 0));
	}
	return v;
}

static expr set_variable(const struct library_call *r)
{
	const char *name = prove_constant_text(r->u, operand(r, 0));
	const struct startup_variable *v = name ? variable(r->m, name) : NULL;
	return v
	    ? prove_ite(r->m, r->w->now.v[v->set], address_of(r->m, v->object), number(r, 64, 0))
	    : 0;
}

/* ---- calls that read standard input */

static void take(const struct library_call *r, expr where, char kind, expr value)
{
	struct encoding *m = r->m;
	*PUSH(m->nondet, m->nondets) =
	    (struct nondet){ prove_and(m, r->w->now.guard, where), value, kind, 32 };
}

/* Reads at most `most` bytes to where argument `to` points; lines: as fgets does. The number of
 * bytes that were read. */
static expr read_bytes(const struct library_call *r, uint32_t to, uint64_t most, bool lines)
{
	struct encoding *m = r->m;
	expr on = prove_bool(m, true), n = number(r, 64, 0);
	uint64_t room = most < LINE ? most : LINE;
	for (uint64_t k = 0; k < room; k++) {
		expr byte = prove_fresh(m, 8), end = prove_startup_end(r->w, on), got;
		take(r, on, NONDET_BYTE,
		    prove_ite(m, end, number(r, 32, UINT64_MAX),
		        expr_make(m->pool, OP_ZEXT, 32, byte, 0, 0)));
		got = prove_and(m, on, expr_not(m->pool, end));
		n = prove_ite(m, got, number(r, 64, k + 1), n);
		put_byte(r, to, k, prove_ite(m, got, byte, number(r, 8, 0)));
		on = lines ? prove_and(m, got, expr_not(m->pool, is_byte(r, byte, '\n'))) : got;
	}
	if (room < most)
		r->w->now.guard = prove_and(m, r->w->now.guard, expr_not(m->pool, on));
	return n;
}

static expr read_line(const struct library_call *r)
{
	struct encoding *m = r->m;
	struct value size;
	expr n;
	if (!prove_is_stdin(r->w, operand(r, 2)) || !expr_is_const(m->pool, value_of(r, 1), &size)
	    || size.lo < 2 || size.lo > INT32_MAX)
		return 0;
	n = read_bytes(r, 0, size.lo - 1, true);
	if (size.lo - 1 <= LINE) { /* a 0 behind the bytes */
		expr last = byte_at(r, 0, size.lo - 1);
		put_byte(r, 0, size.lo - 1,
		    prove_ite(
		        m, prove_equal(m, n, number(r, 64, size.lo - 1)), number(r, 8, 0), last));
	} else {
		put_byte(r, 0, LINE, number(r, 8, 0));
	}
	return prove_ite(m, prove_equal(m, n, number(r, 64, 0)), number(r, 64, 0), value_of(r, 0));
}

/* gets: the newline is not kept. */
static expr read_whole_line(const struct library_call *r)
{
	struct encoding *m = r->m;
	expr n = read_bytes(r, 0, LINE + 1, true);
	for (unsigned k = 0; k < LINE; k++) {
		expr byte = byte_at(r, 0, k);
		put_byte(r, 0, k, prove_ite(m, is_byte(r, byte, '\n'), number(r, 8, 0), byte));
	}
	return prove_ite(m, prove_equal(m, n, number(r, 64, 0)), number(r, 64, 0), value_of(r, 0));
}

static expr read_block(const struct library_call *r)
{
	struct value size, count;
	if (!prove_is_stdin(r->w, operand(r, 3))
	    || !expr_is_const(r->m->pool, value_of(r, 1), &size) || size.lo != 1
	    || !expr_is_const(r->m->pool, value_of(r, 2), &count))
		return 0;
	return read_bytes(r, 0, count.lo, false);
}

static expr read_descriptor(const struct library_call *r)
{
	struct value descriptor, count;
	if (!expr_is_const(r->m->pool, prove_extract(r->m, 0, 32, value_of(r, 0)), &descriptor)
	    || descriptor.lo || !expr_is_const(r->m->pool, value_of(r, 2), &count))
		return 0;
	return read_bytes(r, 1, count.lo, false);
}

/* The bytes of the next decimal number that a format asks for, *at behind it; 0: its end, or
 * something else. */
static unsigned next_number(const char **at)
{
	const char *s = *at + strspn(*at, " \t\n");
	unsigned bytes = 4;
	if (*s++ != '%')
		return 0;
	if (*s == 'l')
		bytes = 8;
	s += strspn(s, "l");
	*at = s + 1;
	return *s == 'd' || *s == 'u' || *s == 'i' ? bytes : 0;
}

/* scanf with decimal numbers alone: there are all, or standard input is at its end. */
static expr read_numbers(const struct library_call *r)
{
	struct encoding *m = r->m;
	char format[64];
	const char *text = prove_text(r->w, operand(r, 0), format, sizeof format), *at = text;
	unsigned n = 0, bytes;
	expr end;
	while (text && next_number(&at))
		n++;
	if (!n || n > NUMBERS || at[strspn(at, " \n")] || n + 2 != r->i->operands)
		return 0;
	end = prove_startup_end(r->w, prove_bool(m, true));
	at = text;
	for (uint32_t k = 1; (bytes = next_number(&at)); k++) {
		expr v = prove_fresh(m, 20), wide = expr_make(m->pool, OP_SEXT, 32, v, 0, 0);
		if (text[strcspn(text, "u")])
			wide = expr_make(m->pool, OP_ZEXT, 32, v, 0, 0);
		take(r, end, NONDET_BYTE, number(r, 32, UINT64_MAX));
		take(r, expr_not(m->pool, end), NONDET_NUMBER, wide);
		for (unsigned b = 0; b < bytes; b++) {
			expr byte = b < 4 ? prove_extract(m, b * 8, 8, wide)
			                  : prove_ite(m, prove_extract(m, 31, 1, wide),
			                        number(r, 8, 255), number(r, 8, 0));
			put_byte(r, k, b, prove_ite(m, end, byte_at(r, k, b), byte));
		}
	}
	return prove_ite(m, end, number(r, 32, UINT64_MAX), number(r, 32, n));
}

/* ---- */

static expr compare_texts(const struct library_call *r)
{
	return compare(r, false, 0);
}

static expr compare_parts(const struct library_call *r)
{
	return compare(r, false, 2);
}

static expr compare_folded(const struct library_call *r)
{
	return compare(r, true, 0);
}

static expr as_int(const struct library_call *r)
{
	expr end;
	return decimal(r, 32, &end);
}

static expr as_long(const struct library_call *r)
{
	expr end;
	return decimal(r, 64, &end);
}

static expr to_long(const struct library_call *r)
{
	return converted(r, 64);
}

expr prove_startup_call(struct walk *w, const char *name, const struct flow_inst *i, unsigned width)
{
	static const struct {
		const char *name;
		unsigned width, arguments;
		expr (*read)(const struct library_call *r);
	} calls[] = {
		{ "strcmp", 32, 2, compare_texts },
		{ "strncmp", 32, 3, compare_parts },
		{ "strcasecmp", 32, 2, compare_folded },
		{ "strlen", 64, 1, length },
		{ "strchr", 64, 2, found },
		{ "atoi", 32, 1, as_int },
		{ "atol", 64, 1, as_long },
		{ "strtol", 64, 3, to_long },
		{ "strtoul", 64, 3, to_long },
		{ "getenv", 64, 1, set_variable },
		{ "fgets", 64, 3, read_line },
		{ "gets", 64, 1, read_whole_line },
		{ "fread", 64, 4, read_block },
		{ "read", 64, 3, read_descriptor },
		{ "scanf", 32, 2, read_numbers },
	};
	struct library_call r = { w, w->m, i, prove_unit(w->m, w->frame) };
	if (!strncmp(name, "__isoc99_", 9) || !strncmp(name, "__isoc23_", 9))
		name += 9;
	for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
		if (!strcmp(calls[k].name, name) && width == calls[k].width
		    && i->operands > calls[k].arguments)
			return calls[k].read(&r);
	return 0;
}

/* ---- is it worth it? */

bool prove_has_startup(const struct flow *fl)
{
	static const char *const reads[] = { "getenv", "fgets", "gets", "fread", "read", "scanf",
		"__isoc99_scanf", "__isoc23_scanf" };
	for (size_t i = 0; i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];
		for (size_t k = 0; k < u->funcs; k++)
			if (!strcmp(u->func[k].name, "main") && u->func[k].params > 1)
				return true;
		for (size_t k = 0; k < u->insts; k++)
			for (size_t n = 0; n < sizeof reads / sizeof *reads; n++)
				if (is_call(u, &u->inst[k], reads[n]))
					return true;
	}
	return false;
}
