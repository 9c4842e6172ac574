/* The value of a number in a text, as strtol finds it: blanks, a sign, a prefix, digits. */
#include "lib/runtime/last.h"

#define LONGEST 24 /* characters of a number that its type can have: a sign, 0 and 22 digits */

typedef struct duct_term term;

struct symbolic_text {
	term at[DUCT_MOST_TEXT];
	uint32_t n;
	bool ends; /* its end follows, whatever the inputs are */
};

struct parsed_number {
	const struct symbolic_text *text;
	uint32_t base;
	bool prefix;      /* it has 0x */
	term lead, sign;  /* all before were blanks; the one before was a sign */
	term digit, zero; /* the one before was a digit; the first one, 0 */
	term skip;        /* the one before was the x */
	term value, most; /* the magnitude, and the largest that it can have so far */
	term negative, over, length;
};

static term bit(bool v)
{
	return duct_constant(1, v);
}

static term both(term a, term b)
{
	return duct_t_binary(OP_AND, a, b);
}

static term either(term a, term b)
{
	return duct_t_binary(OP_OR, a, b);
}

static term is(term c, char k)
{
	return duct_t_binary(OP_EQ, c, duct_constant(8, (unsigned char)k));
}

static term between(term c, char low, char high)
{
	return duct_t_binary(OP_ULE, duct_t_binary(OP_SUB, c, duct_constant(8, (uint8_t)low)),
	    duct_constant(8, (uint8_t)(high - low)));
}

static term lower(term c)
{
	return duct_t_binary(OP_OR, c, duct_constant(8, 32));
}

static term is_blank(term c)
{
	return either(is(c, ' '), between(c, '\t', '\r'));
}

static term is_sign(term c)
{
	return either(is(c, '-'), is(c, '+'));
}

static term is_digit(term c, uint32_t base)
{
	if (base <= 10)
		return between(c, '0', (char)('0' + base - 1));
	return either(between(c, '0', '9'), between(lower(c), 'a', (char)('a' + base - 11)));
}

/* Of a digit. 0 and the letters before a have low bits 0. */
static term digit_value(term c, uint32_t base, uint32_t width)
{
	term d = duct_t_extract(4, 0, c), letter;

	if (base > 10) {
		letter = duct_t_binary(OP_ADD, duct_t_extend(OP_ZEXT, 6, duct_t_extract(5, 0, c)),
		    duct_constant(6, 9));
		d = duct_t_ite(between(c, '0', '9'), duct_t_extend(OP_ZEXT, 6, d), letter);
	}
	return d.w < width ? duct_t_extend(OP_ZEXT, width, d) : duct_t_extract(width, 0, d);
}

/* Reads the first `most` characters. False: none of them is symbolic, or one cannot be read. */
static bool read_text(struct symbolic_text *t, const char *s, uint32_t most)
{
	struct duct_text from;
	bool symbolic = false;
	term c;

	t->n = 0;
	t->ends = false;
	if (!duct_text_open(&from, s, 0))
		return false;
	while (t->n < most && !t->ends && duct_text_next(&from, &c)) {
		t->ends = !c.n && !c.v;
		symbolic |= c.n != 0;
		if (!t->ends)
			t->at[t->n++] = c;
	}
	return symbolic;
}

/* Does the number end within the text, at a byte that is not part of it? A decision of the path. */
static bool ends(const struct symbolic_text *t, uint32_t base)
{
	term end = bit(t->ends);

	for (uint32_t i = 0; i < t->n && !t->ends; i++) {
		term c = t->at[i], in = either(is_blank(c), is_sign(c));

		in = either(in, is_digit(c, base ? base : 16));
		if (base == 0 || base == 16)
			in = either(in, is(lower(c), 'x'));
		end = either(end, duct_t_not(in));
	}
	duct_model_condition(NULL, 0, end);
	return end.v != 0;
}

/* The text as far as the number goes. That it is longer than LONGEST is a decision of the path:
 * each further digit costs a multiplication. */
static bool read_number(struct symbolic_text *t, const char *s, uint32_t base)
{
	return read_text(t, s, LONGEST)
	    && (ends(t, base) || (read_text(t, s, DUCT_MOST_TEXT) && ends(t, base)));
}

/* Finds the conditions that the number is octal (it begins with the digit 0), and that it is
 * hexadecimal (0x and a digit). */
static void find_prefix(const struct symbolic_text *t, term *octal, term *hex)
{
	term lead = bit(true), sign = bit(false);

	*octal = *hex = bit(false);
	for (uint32_t i = 0; i < t->n; i++) {
		term c = t->at[i], zero = both(either(lead, sign), is(c, '0'));

		*octal = either(*octal, zero);
		if (i + 2 < t->n)
			*hex = either(*hex,
			    both(zero,
			        both(is(lower(t->at[i + 1]), 'x'), is_digit(t->at[i + 2], 16))));
		sign = both(lead, is_sign(c));
		lead = both(lead, is_blank(c));
	}
}

/* The base is a decision of the path. */
static void decide_base(struct parsed_number *n, uint32_t base)
{
	term octal, hex;

	n->base = base;
	if (base != 0 && base != 16)
		return;
	find_prefix(n->text, &octal, &hex);
	duct_model_condition(NULL, 0, hex);
	n->prefix = hex.v != 0;
	n->base = 16;
	if (base || n->prefix)
		return;
	duct_model_condition(NULL, 0, octal);
	n->base = octal.v ? 8 : 10;
}

static uint32_t bits_of(duct_wide v)
{
	uint32_t n = 1;

	while (v >> n)
		n++;
	return n;
}

/* Appends a digit to the number where `digit` holds. A value that would exceed the largest one
 * stays as it is, and so it does at all digits that follow. */
static void add_digit(struct parsed_number *n, term c, term digit, uint64_t largest)
{
	duct_wide most = n->most.v * n->base + n->base - 1;
	uint32_t w = bits_of(most > largest ? largest : most);
	term value = duct_t_extend(OP_ZEXT, w, n->value), d = digit_value(c, n->base, w), more;
	term limit = duct_constant(w, largest / n->base),
	     rest = duct_constant(w, largest % n->base);

	if (most > largest) {
		more = either(duct_t_binary(OP_ULT, limit, value),
		    both(duct_t_binary(OP_EQ, value, limit), duct_t_binary(OP_ULT, rest, d)));
		n->over = either(n->over, both(digit, more));
		digit = both(digit, duct_t_not(n->over));
		most = largest;
	}
	more = duct_t_binary(OP_ADD, duct_t_binary(OP_MUL, value, duct_constant(w, n->base)), d);
	n->value = duct_t_ite(digit, more, value);
	n->most = duct_constant(128, most);
}

static void add(struct parsed_number *n, uint32_t i, uint64_t largest)
{
	term c = n->text->at[i], start = either(n->lead, n->sign);
	term digit = both(either(start, either(n->digit, n->skip)), is_digit(c, n->base));

	add_digit(n, c, digit, largest);
	n->length = duct_t_ite(digit, duct_constant(8, i + 1), n->length);
	n->skip = n->prefix ? both(n->zero, is(lower(c), 'x')) : bit(false);
	n->zero = both(start, is(c, '0'));
	n->digit = digit;
	n->negative = either(n->negative, both(n->lead, is(c, '-')));
	n->sign = both(n->lead, is_sign(c));
	n->lead = both(n->lead, is_blank(c));
}

/* largest: the magnitude that may be reached; a positive one is less where is_signed. */
static void tell(struct duct_number *to, struct parsed_number *n, bool is_signed, uint64_t largest)
{
	term v = duct_t_extend(OP_ZEXT, 64, n->value), top = duct_constant(64, largest);

	if (is_signed && n->most.v >= largest)
		n->over =
		    either(n->over, both(duct_t_not(n->negative), duct_t_binary(OP_EQ, v, top)));
	duct_text_store(&to->value, 8, duct_t_ite(n->negative, duct_t_neg(v), v));
	if (n->length.n)
		duct_last_unaliased_reads();
	duct_text_store(&to->length, 8, duct_t_extend(OP_ZEXT, 64, n->length));
	duct_text_store(&to->over, 1, n->over);
	duct_text_store(&to->negative, 1, n->negative);
}

/* Where the text begins is a decision of the path, one place of its object after the other, as the
 * number that is read there is one expression only where that is known. */
static bool decide_place(const char *s, duct_node n)
{
	const struct duct_object *o = (uintptr_t)s < 4096 ? NULL : duct_object_again((uintptr_t)s);
	struct duct_term t = n ? duct_settle(duct_block_unit, duct_block, duct_term(n)) : bit(0);

	if (!t.n)
		return true;
	if (!o || (uintptr_t)s < o->base)
		return false;
	for (uintptr_t at = o->base; at - o->base < DUCT_MOST_TEXT; at++) {
		duct_model_condition(NULL, 0, duct_t_binary(OP_EQ, t, duct_constant(t.w, at)));
		if (at == (uintptr_t)s)
			return true;
	}
	return false;
}

int duct_rt_number(struct duct_number *to, const char *s, int base, int is_signed)
{
	uint64_t largest = is_signed ? (uint64_t)1 << 63 : UINT64_MAX;
	struct symbolic_text text;
	struct parsed_number n = { .text = &text,
		.lead = bit(true),
		.sign = bit(false),
		.digit = bit(false),
		.zero = bit(false),
		.skip = bit(false),
		.negative = bit(false),
		.over = bit(false),
		.value = bit(0),
		.most = duct_constant(128, 0),
		.length = duct_constant(8, 0) };
	bool passed = duct_args_for == (void *)duct_rt_number;

	duct_args_for = NULL;
	if (!duct_channel || (passed && duct_args[2]) || !decide_place(s, passed ? duct_args[1] : 0)
	    || !read_number(&text, s, (uint32_t)base))
		return 0;
	decide_base(&n, (uint32_t)base);
	for (uint32_t i = 0; i < text.n; i++)
		add(&n, i, largest);
	tell(to, &n, is_signed, largest);
	return 1;
}
