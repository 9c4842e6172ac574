/* Inputs in memory: walks a shape (grammar in abi.h), names its leaves by C lvalues, and
 * writes their values. */
#include "lib/runtime/writers.h"

struct cursor {
	char *name; /* grows and shrinks with the walk */
	size_t length, room;
	uintptr_t begin, end;  /* of the memory to fill */
	const uint8_t *old;    /* not filled: what is not as it was is told */
	uint32_t depth;        /* of pointers here: 0 when they are parameters */
	uintptr_t only;        /* 0 or: the scalar that this byte lies in, alone */
	uintptr_t from, to;    /* with it: about to be written */
	bool keeps;            /* what no value is given for keeps the one that it has */
	bool given;            /* it writes into an object of the caller's */
	bool stub;             /* a stub writes: it leaves pointers to objects as they are, and what
	                          nothing has read yet, which has any value anyway */
	bool va_list;          /* a caller's va_list */
	bool padding;          /* bytes that are no part of a value */
	struct duct_term same; /* a stub leaves all that had a definition as it was */
	uint32_t kept;         /* how many values it left as they were */
};

/* Values that the stub left as they were: if it left all of them, it need not have written any. */
static struct unwritten {
	uintptr_t a;
	uint32_t bytes;
} kept[DUCT_MOST_STUBBED];

static void put(struct cursor *w, const char *s, size_t n)
{
	if (w->length + n + 24 > w->room) {
		char *bigger = duct_arena(w->room = (w->length + n + 24) * 2);

		for (size_t i = 0; i < w->length; i++)
			bigger[i] = w->name[i];
		w->name = bigger;
	}
	for (size_t i = 0; i < n; i++)
		w->name[w->length++] = s[i];
	w->name[w->length] = 0;
}

static void put_index(struct cursor *w, int64_t i)
{
	char digits[24] = { '[', '-' };
	size_t n = i < 0 ? 2 : 1;

	n += duct_digits(digits + n, i < 0 ? -(uint64_t)i : (uint64_t)i);

	digits[n++] = ']';
	put(w, digits, n);
}

static uint64_t number(const char **s)
{
	uint64_t v = 0;

	while (**s >= '0' && **s <= '9')
		v = v * 10 + (uint64_t)(*(*s)++ - '0');
	return v;
}

uint32_t duct_shape_classes(const char *shape)
{
	uint32_t classes = 0;

	for (const char *s = shape; *s; s++)
		if (s == shape || s[-1] == '=' || s[-1] == ':') {
			const char *digits = s + 1;

			classes |= duct_scalar_class(*s, number(&digits));
		}
	return classes ? classes : UINT32_MAX;
}

bool duct_shape_begins_with(const char *shape, const char *member)
{
	while (*shape == '{' && *member == '{') {
		size_t n = 0;

		while (*shape && *shape != '=')
			shape++;
		if (!*shape)
			return false;
		for (shape++; member[n] && member[n] == shape[n];)
			n++;
		if (!member[n])
			return true;
	}
	return false;
}

bool duct_shape_tail(const char *shape, uint64_t *offset, uint64_t *stride)
{
	const char *last = shape + 1; /* the last field of the outermost record */
	int depth = 0;

	for (const char *s = shape; *s; s++) {
		depth += (*s == '{') - (*s == '}');
		if (*s == ';' && depth == 1)
			last = s + 1;
	}
	if (*shape != '{')
		return false;
	*offset = number(&last);
	while (*last && *last != '=')
		last++;
	if (*last != '=' || last[1] != '*')
		return false;
	last += 2;
	*stride = number(&last);
	return *offset && *stride;
}

static void write_bytes(uintptr_t a, uint32_t bytes, duct_wide v)
{
	for (uint32_t i = 0; i < bytes; i++)
		*(uint8_t *)(a + i) = (uint8_t)(v >> i * 8);
}

static duct_wide read_bytes(uintptr_t a, uint32_t bytes)
{
	duct_wide v = 0;

	while (bytes-- > 0)
		v = v << 8 | *(const uint8_t *)(a + bytes);
	return v;
}

static bool is_address(const uint8_t *now)
{
	uintptr_t a = 0;

	for (uint32_t i = sizeof a; i-- > 0;)
		a = a << 8 | now[i];
	return duct_is_address(a);
}

static void compare(struct cursor *w, uintptr_t a, char kind, uint32_t width)
{
	const uint8_t *now = (const uint8_t *)a, *old = w->old + (a - w->begin);
	uint32_t bytes = (width + 7) / 8, i = 0;
	struct channel_var v = { .kind = (uint8_t)kind,
		.given = 1,
		.width = (uint16_t)width,
		.offset = (uint32_t)(a - w->begin) };

	while (i < bytes && now[i] == old[i])
		i++;
	if (i == bytes || (width == 1 && *now > 1) || (width == 64 && is_address(now)))
		return;
	for (i = 0; i < bytes; i++) /* padding that was copied */
		if (duct_entry(a + i) == DUCT_ENTRY_UNINIT)
			return;
	v.name = duct_blob(w->name, w->length + 1);
	duct_input_wrote(&v, now);
}

/* The bytes are known from here on; those of a grown object are compared after the call, each
 * scalar by itself. */
static void arrived(struct cursor *w, uintptr_t a, uint32_t bytes, uint32_t before)
{
	for (uint32_t i = 0; i < bytes; i++)
		duct_entry_set(a + i, DUCT_ENTRY_NONE);
	if (before < duct_inputs_met() && !w->padding)
		duct_input_watch(w->begin, before, duct_inputs_met());
}

static bool is_wanted(const struct cursor *w, uintptr_t a, uint32_t bytes)
{
	return !w->only || (w->only >= a && w->only < a + bytes);
}

/* Does the pointer lead to an object or a function? A decision of the path. */
static bool leads_somewhere(uintptr_t a)
{
	uintptr_t to = *(const uintptr_t *)a;
	struct duct_term t;
	bool known = duct_peek_term(a, 8, &t), leads = duct_object_at(to) || duct_is_code(to);

	if (known && t.n && (leads || !to))
		duct_model_condition(NULL, 0, duct_t_binary(OP_EQ, t, duct_constant(64, 0)));
	return known && leads;
}

/* One limit for all that an argument leads to, in all calls. */
static void limit_pointers(const char *name)
{
	size_t n = 0;
	char *argument;

	while (name[n] && name[n] != '[' && name[n] != '#')
		n++;
	argument = duct_arena(n + 1);
	for (size_t i = 0; i < n; i++)
		argument[i] = name[i];
	argument[n] = 0;
	duct_limit("pointers", argument, 0);
}

static bool has_any_value(uintptr_t a, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		if (duct_entry(a + i) != DUCT_ENTRY_LATER)
			return false;
	return true;
}

static struct duct_term term_at(uintptr_t a)
{
	struct duct_term t;

	return duct_peek_term(a, 8, &t) ? t : duct_constant(64, *(const uintptr_t *)a);
}

static void store_pointer(uintptr_t a, struct duct_term t, char mark)
{
	write_bytes(a, 8, t.v);
	duct_store_term(a, 8, t.n);
	if (mark && t.n)
		duct_at(t.n)->reserved |= DUCT_UNION;
}

/* mark: '|' a number may be there instead; '/' a pointer of another type is there unless this one
 * leads somewhere; 0. */
static void pointer(struct cursor *w, uintptr_t a, uint32_t type, char mark)
{
	bool leads = w->keeps ? *(const uintptr_t *)a != 0 : w->depth == 0 && mark != '|';
	bool written = w->to && a >= w->from && a + 8 <= w->to;
	uint32_t before = duct_inputs_met();
	struct duct_term t, other;

	if (w->stub && (mark == '/' || leads_somewhere(a))) {
		limit_pointers(w->name);
		return;
	}
	if (mark == '/') {
		if (written)
			return;
		other = term_at(a);
		t = duct_grow_pointer(w->name, type, w->depth, false, false);
		t = duct_t_ite(duct_t_binary(OP_EQ, t, duct_constant(64, 0)), other, t);
		if (t.v != other.v)
			duct_input_points(w->name, a, (uint64_t)t.v, true);
		store_pointer(a, t, mark);
		return;
	}
	t = written ? duct_constant(64, 0)
	            : duct_grow_pointer(w->name, type, w->depth, leads, mark == '|');
	if (w->only)
		arrived(w, a, 8, duct_inputs_met());
	if (w->stub)
		duct_input_place(before, a - w->begin);
	else
		duct_input_points(w->name, a, (uint64_t)t.v, false);
	if (written)
		return;
	if (w->stub && duct_last_on())
		duct_last_stubbed(a, 8);
	store_pointer(a, t, mark);
}

/* Is it a byte of a pointer to an object? A stub that writes through `void *` would make up an
 * address there. */
static bool is_part_of_pointer(const struct cursor *w, uintptr_t a)
{
	uintptr_t word = a & ~(uintptr_t)7, to;

	if (word < w->begin || word + 8 > w->end)
		return false;
	to = *(const uintptr_t *)word;
	return (duct_object_at(to) || duct_is_code(to)) && leads_somewhere(word);
}

static bool is_va_list(const char *shape)
{
	static const char begin[] = "{0.gp_offset=u4;4.fp_offset=u4;8.overflow_arg_area=";
	size_t n = 0;

	while (begin[n] && begin[n] == shape[n])
		n++;
	return !begin[n];
}

/* The offsets into the registers that a va_list of x86-64 has saved are those of whole registers;
 * at others compilers differ. */
static void assume_register(const char *name, struct duct_term t)
{
	size_t n = duct_length(name);
	bool general = n > 10 && duct_same_text(name + n - 10, ".gp_offset");

	if (!general && !(n > 10 && duct_same_text(name + n - 10, ".fp_offset")))
		return;
	duct_input_assume(
	    duct_t_binary(OP_EQ, duct_t_binary(OP_AND, t, duct_constant(t.w, general ? 7 : 15)),
	        duct_constant(t.w, 0)),
	    "no register's place");
}

static void leaf(struct cursor *w, uintptr_t a, char kind, uint32_t bytes, uint32_t type, char mark)
{
	uint32_t width = kind == 'b' ? 1 : kind == 'f' && bytes == 16 ? 80 : bytes * 8, before;
	bool written = w->to && a >= w->from && a + bytes <= w->to, keeps;
	struct duct_term t, old;

	if (!bytes || bytes > 16 || a + bytes > w->end || !is_wanted(w, a, bytes)
	    || (w->stub && has_any_value(a, bytes) && (kind == 'p' || !duct_last_on())))
		return;
	if (w->stub)
		duct_grow_read(a, bytes);
	if (kind == 'p') {
		if (type && !w->old)
			pointer(w, a, type, mark);
		return;
	}
	if (w->stub && bytes == 1 && is_part_of_pointer(w, a)) {
		limit_pointers(w->name);
		return;
	}
	if (w->old) {
		compare(w, a, kind, width);
		return;
	}
	before = duct_inputs_met();
	keeps = w->keeps || (w->stub && duct_last_on() && (w->given || duct_last_written(a)));
	if (keeps)
		t = duct_input_kept(
		    w->name, (enum input_kind)kind, width, a - w->begin, read_bytes(a, bytes));
	else
		t = (written ? duct_input_plain : duct_input_var)(
		    w->name, (enum input_kind)kind, width, a - w->begin);
	duct_grow_range(w->name, t, kind == 'i' || kind == 'c');
	if (w->va_list)
		assume_register(w->name, t);
	if (width == 80)
		duct_float_input(t);
	if (w->only)
		arrived(w, a, bytes, before);
	t = duct_t_extend(OP_ZEXT, bytes * 8, t);
	if (w->stub && keeps && duct_peek_term(a, bytes, &old))
		w->same = duct_t_binary(OP_AND, w->same, duct_t_binary(OP_EQ, t, old));
	if (w->stub && duct_last_on() && keeps && read_bytes(a, bytes) == t.v)
		kept[w->kept++] = (struct unwritten){ a, bytes };
	else if (w->stub && duct_last_on())
		duct_last_stubbed(a, bytes);
	write_bytes(a, bytes, t.v);
	duct_store_term(a, bytes, t.n);
	duct_flow_input(a, bytes, duct_inputs_met() - 1);
	if (width == 80)
		duct_rt_unset_memory((void *)(a + 10), bytes - 10, "padding of long double", "");
}

/* Skips a shape without doing anything: for arrays of no elements. */
static const char *skip(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		if (*s == '{')
			depth++;
		else if (*s == '}' && --depth <= 0)
			return depth ? s : s + 1;
		else if (*s == ';' && depth == 0)
			break;
	}
	return s;
}

static const char *shape(struct cursor *w, uintptr_t a, const char *s);

static const char *array(struct cursor *w, uintptr_t a, const char *s)
{
	uint64_t count = number(&s), stride;
	size_t length = w->length;
	const char *element, *next;

	bool fill = *s == '*' && !count;

	if (*s++ != '*')
		return s - 1;
	stride = number(&s);
	if (fill && stride)
		count = (w->end - a) / stride;
	element = *s == ':' ? s + 1 : s;
	if (w->only && (w->only < a || w->only - a >= count * stride))
		return skip(element);
	next = count ? NULL : skip(element);
	for (uint64_t i = w->only ? (w->only - a) / stride : 0, end = w->only ? i + 1 : count;
	    i < end; i++) {
		put_index(w, i);
		next = shape(w, a + i * stride, element);
		w->name[w->length = length] = 0;
	}
	return next;
}

static const char *record(struct cursor *w, uintptr_t a, const char *s)
{
	size_t length = w->length;

	while (*s && *s != '}') {
		uint64_t offset = number(&s);
		const char *field = s;

		bool outer = w->padding;

		while (*s && *s != '=')
			w->padding |= *s++ == '~';
		put(w, field, (size_t)(s - field));
		if (!*s)
			break;
		s = shape(w, a + offset, s + 1);
		w->padding = outer;
		w->name[w->length = length] = 0;
		if (*s == ';')
			s++;
	}
	return *s ? s + 1 : s;
}

static const char *shape(struct cursor *w, uintptr_t a, const char *s)
{
	char kind = *s;

	if ((kind >= '0' && kind <= '9') || kind == '*')
		return array(w, a, s);
	if (kind == '{')
		return record(w, a, s + 1);
	if (!kind)
		return s;
	s++;
	uint32_t bytes = (uint32_t)number(&s), type = 0;
	if (*s == '@') {
		s++;
		type = (uint32_t)number(&s);
	}
	char mark = *s == '|' || *s == '/' ? *s : 0;
	leaf(w, a, kind, bytes, type, mark);
	return s + (mark != 0);
}

static void plain(struct cursor *w, uintptr_t a, size_t size)
{
	size_t length = w->length;

	if (size == 1 || size == 2 || size == 4 || size == 8) {
		leaf(w, a, 'u', (uint32_t)size, 0, 0);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		put_index(w, i);
		leaf(w, a + i, 'u', 1, 0, 0);
		w->name[w->length = length] = 0;
	}
}

bool duct_input_keeps;

static void make_input(void *p, size_t size, const char *name, const char *text, bool stub)
{
	char first[256], *root = first;
	struct cursor w = { .begin = (uintptr_t)p,
		.end = (uintptr_t)p + size,
		.keeps = duct_input_keeps,
		.stub = stub,
		.same = duct_constant(1, 1) };
	struct duct_object *o;
	uint32_t before;
	size_t n;

	duct_input_keeps = false;
	if (!duct_channel)
		return;
	if (!name || !*name)
		name = "input";
	duct_touched = (uintptr_t)name;
	n = duct_length(name);
	if (n > sizeof first - 64)
		root = duct_arena(n + 64);
	duct_input_root(root, name);
	duct_touched = (uintptr_t)p;
	w.name = root;
	w.length = duct_length(root);
	w.room = root == first ? sizeof first : n + 64;
	o = duct_object_at((uintptr_t)p);
	w.given = o && o->input;
	if (size > 1 && (!o || (uintptr_t)p - o->base >= o->size))
		duct_object_add((uintptr_t)p, size, DUCT_OBJECT_INPUT, false);
	if (!stub)
		duct_shadow_clear((uintptr_t)p, size);
	before = duct_inputs_met();
	if (text && *text)
		shape(&w, (uintptr_t)p, text);
	else
		plain(&w, (uintptr_t)p, size);
	if (w.same.n)
		duct_model_condition(NULL, 0, w.same);
	for (uint32_t i = 0; i < w.kept && !w.same.v; i++)
		duct_last_stubbed(kept[i].a, kept[i].bytes);
	duct_input_watch((uintptr_t)p, before, duct_inputs_met());
}

void duct_rt_input(void *p, size_t size, const char *name, const char *text)
{
	if (!duct_device_at((uintptr_t)p))
		make_input(p, size, name, text, false);
}

void duct_shape_stubbed(void *p, size_t size, const char *name, const char *text)
{
	make_input(p, size, name, text, true);
}

void duct_shape_leaf(
    const struct duct_object_input *g, int64_t i, uintptr_t a, uintptr_t from, uintptr_t to)
{
	static char *text;
	static size_t room;
	size_t n = duct_length(g->name);
	struct cursor w = { .begin = g->base - g->below,
		.end = g->base + g->room,
		.depth = g->depth + 1,
		.only = a,
		.from = from,
		.to = to };

	if (n + 64 > room)
		text = duct_arena(room = 2 * n + 256);
	w.name = text;
	w.room = room;
	text = NULL; /* names grow; walks nest no deeper than one */
	room = 0;
	put(&w, g->name, n);
	put_index(&w, i);
	w.va_list = is_va_list(g->type->shape);
	shape(&w, g->base + (uintptr_t)i * g->each, g->type->shape);
	text = w.name;
	room = w.room;
}

/* ---- what is no input and is looked at after the call */

struct seen_object {
	struct seen_object *next;
	uintptr_t base;
	size_t size;
	const char *name, *shape;
	uint8_t *old;
};
static struct seen_object *seen, **seen_end = &seen;

void duct_rt_watch(const void *p, size_t size, const char *name, const char *text)
{
	struct seen_object *s;

	if (!duct_channel)
		return;
	s = duct_arena(sizeof *s);
	*s = (struct seen_object){ NULL, (uintptr_t)p, size, name, text, duct_arena(size) };
	for (size_t i = 0; i < size; i++)
		s->old[i] = ((const uint8_t *)p)[i];
	*seen_end = s;
	seen_end = &s->next;
}

void duct_watch_tell(void)
{
	for (const struct seen_object *s = seen; s; s = s->next) {
		size_t n = duct_length(s->name);
		struct cursor w = { .name = duct_arena(n + 64),
			.length = n,
			.room = n + 64,
			.begin = s->base,
			.end = s->base + s->size,
			.old = s->old };

		for (size_t i = 0; i <= n; i++)
			w.name[i] = s->name[i];
		shape(&w, s->base, s->shape);
	}
}

uint32_t duct_rt_choice(const char *name, uint32_t limit)
{
	char first[256], *root = first;
	uint32_t width = 1;
	struct duct_term t;

	duct_ret_from = NULL;
	if (!duct_channel || limit < 2)
		return 0;
	if (duct_length(name) > sizeof first - 32)
		root = duct_arena(duct_length(name) + 32);
	duct_input_root(root, name);
	while (width < 32 && (limit - 1) >> width)
		width++;
	t = duct_input_var(root, INPUT_CHOICE, width, 0);
	if (limit & (limit - 1))
		duct_input_assume(
		    duct_t_binary(OP_ULT, t, duct_constant(width, limit)), "choice out of range");
	t = duct_t_extend(OP_ZEXT, 32, t);
	duct_ret[0] = t.n;
	duct_ret_from = (void *)duct_rt_choice;
	duct_flow_ret = duct_flow_of(duct_inputs_met() - 1);
	return (uint32_t)t.v;
}
