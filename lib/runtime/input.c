/* Inputs: variables of the run by name, their values from the channel's input area, and
 * their layout in memory by shape (grammar in abi.h). */
#include "lib/runtime/rt.h"

struct given_inputs {
	const struct channel_input *first, *end, *next;
};

static struct given_inputs given;
static const struct channel_input **index_of; /* by name, made when the order differs */
static uint32_t index_mask;

void duct_inputs_start(struct channel *ch)
{
	const char *base = (const char *)ch + ch->input.offset;

	given.first = given.next = (const void *)base;
	given.end = (const void *)(base + ch->input.used);
	index_of = NULL;
}

static const char *name_of(const struct channel_input *in)
{
	return (const char *)(in + 1);
}

static const struct channel_input *after(const struct channel_input *in)
{
	size_t n = (sizeof *in + in->name_len + (in->size & ~CHANNEL_VARIES) + 7) & ~(size_t)7;

	return (const void *)((const char *)in + n);
}

static bool named(const struct channel_input *in, const char *name, size_t n)
{
	const char *s = name_of(in);

	if (in->name_len != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (s[i] != name[i])
			return false;
	return true;
}

static void make_index(void)
{
	uint32_t count = 0, mask = 15;

	for (const struct channel_input *in = given.first; in < given.end; in = after(in))
		count++;
	while (mask / 2 < count)
		mask = mask * 2 + 1;
	index_of = duct_arena((mask + 1) * sizeof *index_of);
	index_mask = mask;
	for (const struct channel_input *in = given.first; in < given.end; in = after(in)) {
		uint32_t i = (uint32_t)duct_hash(name_of(in), in->name_len);

		while (index_of[i &= mask])
			i++;
		index_of[i] = in;
	}
}

/* The value given for a name, or NULL. Inputs mostly come in the order in which the run meets
 * them. */
static const struct channel_input *find(const char *name, size_t n)
{
	uint32_t i;

	if (given.next < given.end && named(given.next, name, n)) {
		const struct channel_input *in = given.next;

		given.next = after(in);
		return in;
	}
	if (given.first >= given.end)
		return NULL;
	if (!index_of)
		make_index();
	for (i = (uint32_t)duct_hash(name, n); index_of[i &= index_mask]; i++)
		if (named(index_of[i], name, n)) {
			given.next = after(index_of[i]);
			return index_of[i];
		}
	return NULL;
}

/* A value of `width` bits from little-endian bytes. If the record has too few, they are extended by
 * the sign of a signed input, or by 0. */
static duct_wide value_of(const struct channel_input *in, enum input_kind kind, uint32_t width)
{
	const uint8_t *p = (const uint8_t *)name_of(in) + in->name_len;
	uint32_t given_size = in->size & ~CHANNEL_VARIES, size = given_size > 16 ? 16 : given_size;
	duct_wide v = 0;

	for (uint32_t i = size; i-- > 0;)
		v = v << 8 | p[i];
	if (kind == INPUT_INT && size && size * 8 < width)
		v = duct_sign_extend(v, size * 8, width);
	return v & duct_mask(width);
}

/* An input that is only to vary has no value. */
static bool has_value(const struct channel_input *in)
{
	return in && in->size & ~CHANNEL_VARIES;
}

bool duct_input_given(const char *name, uint64_t *value)
{
	const struct channel_input *in = find(name, duct_length(name));

	if (has_value(in))
		*value = (uint64_t)value_of(in, INPUT_UINT, 64);
	return has_value(in);
}

enum symbolic { PLAIN, ASKED, ALWAYS }; /* concrete; symbolic if in the run's block; symbolic */

static struct duct_term input_var(const char *name, enum input_kind kind, uint32_t width,
    size_t offset, enum symbolic how, duct_wide otherwise)
{
	struct channel_area *a = &duct_channel->var;
	size_t n = duct_length(name);
	const struct channel_input *in = find(name, n);
	uint32_t index = (uint32_t)(a->used / sizeof(struct channel_var));
	struct channel_var *var;
	duct_wide v = has_value(in) ? value_of(in, kind, width) : otherwise;
	bool varies = how == ALWAYS
	    || (how == ASKED
	        && (!(duct_channel->flags & CHANNEL_PART) || (in && in->size & CHANNEL_VARIES)));

	if (a->used + sizeof *var > a->capacity)
		duct_end(FAULT_LIMIT, "too many inputs");
	var = (struct channel_var *)duct_area(a) + index;
	*var = (struct channel_var){ .kind = (uint8_t)kind,
		.given = has_value(in),
		.width = (uint16_t)width,
		.offset = (uint32_t)offset };
	var->name = duct_blob(name, n + 1);
	for (uint32_t i = 0; i < (width + 7) / 8; i++)
		var->value[i] = (uint8_t)(v >> i * 8);
	duct_area_grow(a, sizeof *var);
	duct_live = 1;
	return (struct duct_term){ v, varies ? duct_node_get(OP_INPUT, width, index, 0, 0, v) : 0,
		width };
}

struct duct_term duct_input_var(
    const char *name, enum input_kind kind, uint32_t width, size_t offset)
{
	return input_var(name, kind, width, offset, ASKED, 0);
}

struct duct_term duct_input_kept(
    const char *name, enum input_kind kind, uint32_t width, size_t offset, duct_wide otherwise)
{
	return input_var(name, kind, width, offset, ASKED, otherwise & duct_mask(width));
}

struct duct_term duct_input_choice(const char *name, uint32_t width, uint64_t otherwise)
{
	return input_var(name, INPUT_CHOICE, width, 0, ASKED, otherwise);
}

struct duct_term duct_input_plain(
    const char *name, enum input_kind kind, uint32_t width, size_t offset)
{
	return input_var(name, kind, width, offset, PLAIN, 0);
}

uint32_t duct_input_note(const char *name, enum input_kind kind, uint32_t width)
{
	uint32_t index = duct_inputs_met();
	struct channel_var *v;

	input_var(name, kind, width, 0, PLAIN, 0);
	v = (struct channel_var *)duct_area(&duct_channel->var) + index;
	for (uint32_t i = 0; i < sizeof v->value; i++)
		v->value[i] = 0;
	return index;
}

void duct_input_place(uint32_t index, size_t offset)
{
	if (index < duct_inputs_met())
		((struct channel_var *)duct_area(&duct_channel->var))[index].offset =
		    (uint32_t)offset;
}

void duct_input_told(const char *name, uint8_t value)
{
	uint32_t flags = duct_channel->flags;

	duct_channel->flags |= CHANNEL_PART;
	input_var(name, INPUT_CHAR, 8, 0, PLAIN, value);
	((struct channel_var *)duct_area(&duct_channel->var))[duct_inputs_met() - 1].value[0] =
	    value;
	duct_channel->flags = flags;
}

struct duct_term duct_input_fresh(const char *name, uint32_t width, uint64_t otherwise)
{
	return input_var(name, INPUT_UINT, width, 0, ALWAYS, otherwise);
}

struct duct_term duct_input_fresh_byte(const char *name, uint8_t otherwise)
{
	return input_var(name, INPUT_CHAR, 8, 0, ASKED, otherwise);
}

uint32_t duct_inputs_met(void)
{
	return (uint32_t)(duct_channel->var.used / sizeof(struct channel_var));
}

void duct_input_assume(struct duct_term in, const char *why)
{
	if (in.n)
		duct_event(EV_ASSUME, 0, NULL, 0, in.n, (uint64_t)in.v, 0);
	if (!in.v)
		duct_end(FAULT_REJECTED, why);
	if (in.n)
		duct_fix(in.n);
}

/* ---- names met before */

struct root {
	uint64_t hash;
	uint32_t count;
};

static uint32_t times_met(uint64_t hash)
{
	static struct root first[64], *slot = first;
	static uint32_t mask = 63, used;
	uint32_t i = (uint32_t)hash;

	for (; slot[i &= mask].count; i++)
		if (slot[i].hash == hash)
			return ++slot[i].count;
	slot[i] = (struct root){ hash, 1 };
	if (++used > mask / 2) {
		uint32_t bigger = mask * 4 + 3;
		struct root *to = duct_arena((bigger + 1) * sizeof *to);

		for (uint32_t k = 0; k <= mask; k++)
			if (slot[k].count) {
				for (i = (uint32_t)slot[k].hash; to[i &= bigger].count; i++)
					;
				to[i] = slot[k];
			}
		slot = to;
		mask = bigger;
	}
	return 1;
}

void duct_input_root(char *to, const char *name)
{
	size_t n = duct_length(name);
	uint32_t count = times_met(duct_hash(name, n));

	for (size_t i = 0; i < n; i++)
		to[i] = name[i];
	if (count > 1) {
		to[n++] = '#';
		n += duct_digits(to + n, count);
	}
	to[n] = 0;
}

void duct_input_pass(const char *name)
{
	times_met(duct_hash(name, duct_length(name)));
}

/* ---- inputs that the call under test changes */

struct watched_inputs {
	struct watched_inputs *next;
	uintptr_t base;
	uint32_t first, end;
};
static struct watched_inputs *watched, **watched_end = &watched;

void duct_input_watch(uintptr_t base, uint32_t first, uint32_t end)
{
	struct watched_inputs *w = duct_arena(sizeof *w);

	*w = (struct watched_inputs){ NULL, base, first, end };
	*watched_end = w;
	watched_end = &w->next;
}

struct pointing {
	struct pointing *next;
	const char *name;
	uintptr_t place;
	uint64_t value;
};
static struct pointing *pointings, **pointings_end = &pointings;

void duct_input_points(const char *pointer, uintptr_t place, uint64_t value, bool replaces)
{
	struct pointing *p = duct_arena(sizeof *p);
	size_t n = duct_length(pointer);
	char *name = duct_arena(n + 2);

	for (size_t i = 0; i < n; i++)
		name[i] = pointer[i];
	name[n] = '?';
	name[n + 1] = 0;
	for (struct pointing *q = replaces ? pointings : NULL; q; q = q->next)
		if (q->place == place)
			q->place = 0;
	*p = (struct pointing){ NULL, name, place, value };
	*pointings_end = p;
	pointings_end = &p->next;
}

bool duct_input_pointed(void)
{
	return pointings != NULL;
}

/* Memory filled by the system, as by stat(): another run may find other bytes. */
static struct filled {
	struct filled *next;
	uintptr_t at;
	size_t size;
} *answers;

void duct_rt_answered(const void *p, size_t bytes)
{
	struct filled *a = duct_channel ? duct_arena(sizeof *a) : NULL;

	if (!a)
		return;
	*a = (struct filled){ answers, (uintptr_t)p, bytes };
	answers = a;
}

static bool is_answer(uintptr_t p)
{
	const struct filled *a = answers;

	while (a && p - a->at >= a->size)
		a = a->next;
	return a;
}

void duct_input_wrote(const struct channel_var *v, const uint8_t *bytes)
{
	struct channel_area *a = &duct_channel->wrote;
	struct channel_var *to = (struct channel_var *)((char *)duct_area(a) + a->used);

	if (is_answer((uintptr_t)bytes))
		return;
	if (a->used + sizeof *to > a->capacity)
		return; /* at most as many as inputs */
	*to = *v;
	for (uint32_t i = 0; i < (v->width + 7u) / 8; i++)
		to->value[i] = bytes[i];
	duct_area_grow(a, sizeof *to);
}

/* The object, unless it was freed or lay in a frame that has ended. */
static const struct duct_object *lasting(uintptr_t a)
{
	const struct duct_object *o = duct_object_at(a);

	if (!o || o->base > a
	    || (o->kind != DUCT_OBJECT_HEAP && o->kind != DUCT_OBJECT_GLOBAL
	        && !(o->kind == DUCT_OBJECT_INPUT && o->input)))
		return NULL;
	return o;
}

/* Records changed pointers: 0 for NULL, k + 2 for the object of the run's k-th pointer, 1 for other
 * targets. */
static void tell_pointers(void)
{
	for (const struct pointing *p = pointings; p; p = p->next) {
		const struct duct_object *o = lasting(p->place);
		uint64_t now;
		uint16_t to;

		if (!o || p->place + sizeof now > o->base + o->size)
			continue;
		now = *(const uint64_t *)p->place;
		if (now == p->value)
			continue;
		to = now ? (uint16_t)duct_grow_number(now) : 0;
		struct channel_var v = { .kind = INPUT_CHOICE,
			.width = 16,
			.name = duct_blob(p->name, duct_length(p->name) + 1) };
		duct_input_wrote(&v, (const uint8_t *)&to);
	}
}

/* A pointer may lead far behind an object of which a run has met only the first bytes. */
#define FAR_BEHIND ((uintptr_t)1 << 24)

bool duct_is_address(uintptr_t a)
{
	const struct duct_object *to;

	if (a < 4096 || a >> 47) /* no process has such an address */
		return false;
	to = duct_object_at(a);
	return (to && to->base <= a && a - to->base <= to->size) || duct_is_code(a)
	    || (a >= duct_grows_from && a < duct_grows_to + FAR_BEHIND);
}

/* Are these bytes of the object, or the word around them, an address? */
static bool is_of_address(const struct duct_object *o, const uint8_t *at, uint32_t bytes)
{
	uintptr_t word = (uintptr_t)at & ~(uintptr_t)7;

	return bytes <= sizeof word && word >= o->base && word + sizeof word <= o->base + o->size
	    && duct_is_address(*(const uintptr_t *)word);
}

/* A byte that is part of an address now: as a pointer to an unknown object. */
static void tell_address(const struct channel_var *of)
{
	const char *name = (const char *)duct_area(&duct_channel->blob) + of->name;
	static const uint16_t other = 1;
	struct channel_var v = {
		.kind = INPUT_CHOICE, .width = 16, .name = duct_blob_text(name, "?", NULL)
	};

	duct_input_wrote(&v, (const uint8_t *)&other);
}

static bool is_not_compared(duct_node n)
{
	return duct_tainted(n)
	    || (pointings && duct_differs_elsewhere(n)
	        && !duct_is_address((uintptr_t)duct_value(n)));
}

void duct_rt_returned(void)
{
	const struct channel_var *var = duct_channel ? duct_area(&duct_channel->var) : NULL;

	if (var && duct_told_time) {
		duct_channel->has_result = 0;
		return;
	}
	for (const struct watched_inputs *w = var ? watched : NULL; w; w = w->next) {
		const struct duct_object *o = lasting(w->base);

		if (!o)
			continue;
		for (uint32_t i = w->first; i < w->end; i++) {
			const uint8_t *now = (const uint8_t *)w->base + var[i].offset;
			uint32_t bytes = (var[i].width + 7u) / 8, k = 0;

			if (var[i].kind == INPUT_CHOICE || var[i].kind == INPUT_OBJECT)
				continue;
			if ((uintptr_t)now + bytes > o->base + o->size)
				break;
			while (k < bytes && now[k] == var[i].value[k])
				k++;
			if (k < bytes && is_not_compared(duct_rt_node_at(now, bytes))) {
				duct_told_time = true;
				continue;
			}
			if (var[i].width == 8 && is_of_address(o, now, 1))
				tell_address(&var[i]);
			else if (k < bytes && (var[i].width > 1 || *now < 2)
			    && !is_of_address(o, now, bytes))
				duct_input_wrote(&var[i], now);
		}
	}
	if (var) {
		tell_pointers();
		duct_watch_tell();
	}
}
