/* shared: scalars of structures that share bytes. */
#include "lib/harness/inner.h"
#include "lib/harness/shared.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum {
	NESTING = 20,
	ELEMENTS = 64 /* of an array with pointers */
};

static void put(struct shared_parts *p, uint64_t offset, uint64_t size, uint32_t type, bool pointer,
    const char *name)
{
	*PUSH(p->v, p->n) = (struct shared_part){ offset, size, type, copied(name), pointer, 0 };
}

static void collect(struct shared_parts *p, const struct flow_unit *u, uint32_t type,
    uint64_t offset, const char *name, int level);

static void elements(struct shared_parts *p, const struct flow_unit *u, const struct flow_type *t,
    uint64_t offset, const char *name, int level)
{
	const struct flow_type *of = harness_type(u, t->of);

	p->narrow |= t->count > ELEMENTS;
	for (uint64_t i = 0; of && i < t->count && i < ELEMENTS; i++) {
		char *element = formatted("%s[%llu]", name, (unsigned long long)i);
		collect(p, u, t->of, offset + i * of->size, element, level + 1);
		free(element);
	}
}

static char *member_of(const char *name, const char *member)
{
	return *name && *member ? formatted("%s.%s", name, member) : copied(*name ? name : member);
}

static void members(struct shared_parts *p, const struct flow_unit *u, const struct flow_type *t,
    uint64_t offset, const char *name, int level)
{
	for (size_t i = 0; i < t->members; i++) {
		const struct flow_member *m = &t->member[i];
		char *full = member_of(name, m->name);

		if (m->bits && *m->name) {
			uint64_t first = m->offset + m->bit / 8,
			         end = m->offset + (m->bit + m->bits + 7) / 8;
			put(p, offset + first, end - first, 0, false, full);
		} else if (!m->bits) {
			collect(p, u, m->type, offset + m->offset, full, level + 1);
		}
		free(full);
	}
}

static void collect(struct shared_parts *p, const struct flow_unit *u, uint32_t type,
    uint64_t offset, const char *name, int level)
{
	const struct flow_type *t = harness_type(u, type);

	if (!t || !t->size || level > NESTING || strchr("veo", t->kind))
		p->narrow |= !t || t->size || level > NESTING;
	else if (t->kind == 's')
		members(p, u, t, offset, name, level);
	else if (t->kind == 'a' && harness_holds_pointer(u, type, 0))
		elements(p, u, t, offset, name, level);
	else if (t->kind == 'n')
		members(p, u, t, offset, name, level); /* the first pointer or number wins */
	else
		put(p, offset, t->size, type, t->kind == 'p', name);
}

void shared_collect(
    struct shared_parts *p, const struct flow_unit *u, uint32_t type, const char *name)
{
	collect(p, u, type, 0, name, 0);
}

void shared_free(struct shared_parts *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].name);
	free(p->v);
}

/* ---- layout */

struct parts_layout {
	const struct flow_unit *u;
	uint64_t from, size;
	bool *taken; /* a byte */
	struct shared_parts chosen;
};

static bool is_inside(const struct parts_layout *l, const struct shared_part *part)
{
	return part->offset >= l->from && part->offset <= l->size
	    && part->size <= l->size - part->offset;
}

static bool take(struct parts_layout *l, uint64_t offset, uint64_t size)
{
	for (uint64_t k = 0; k < size; k++)
		if (l->taken[offset + k])
			return false;
	memset(l->taken + offset, true, size);
	return true;
}

static void choose(struct parts_layout *l, const struct shared_part *part, char mark)
{
	put(&l->chosen, part->offset, part->size, part->type, part->pointer, part->name);
	l->chosen.v[l->chosen.n - 1].mark = mark;
}

/* Is a pointer to the same type at its place already? */
static bool is_same_pointer_at(const struct parts_layout *l, const struct shared_part *part)
{
	uint32_t of = harness_type(l->u, part->type)->of;

	for (size_t i = 0; i < l->chosen.n; i++)
		if (l->chosen.v[i].offset == part->offset
		    && harness_type(l->u, l->chosen.v[i].type)->of == of)
			return true;
	return false;
}

static bool is_pointer_at(const struct parts_layout *l, uint64_t offset)
{
	for (size_t i = 0; i < l->chosen.n; i++)
		if (l->chosen.v[i].offset == offset)
			return true;
	return false;
}

static void pointers(struct parts_layout *l, const struct shared_parts *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct shared_part *part = &all->v[i];
		if (!part->pointer || !is_inside(l, part))
			continue;
		if (take(l, part->offset, part->size)) {
			choose(l, part, '|');
		} else if (!is_pointer_at(l, part->offset)) {
			l->chosen.narrow = true; /* it begins within another one */
		} else if (!is_same_pointer_at(l, part)) {
			choose(l, part, '/');
		}
	}
}

/* Cannot every byte of the part have every value: those of truth values of one bit, of long double?
 */
static bool is_narrow(const struct parts_layout *l, const struct shared_part *part)
{
	const struct flow_type *t = harness_type(l->u, part->type);

	while (t && t->kind == 'a')
		t = harness_type(l->u, t->of);
	return t && (strchr("bs", t->kind) || t->size > 8);
}

static void numbers(struct parts_layout *l, const struct shared_parts *all, bool narrow)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct shared_part *part = &all->v[i];
		if (part->pointer || is_narrow(l, part) != narrow || !is_inside(l, part)
		    || !take(l, part->offset, part->size))
			continue;
		choose(l, part, 0);
		l->chosen.narrow |= narrow;
	}
}

static bool is_of_part(const struct shared_parts *all, uint64_t k)
{
	for (size_t i = 0; i < all->n; i++)
		if (k >= all->v[i].offset && k - all->v[i].offset < all->v[i].size)
			return true;
	return false;
}

static void left_over(struct parts_layout *l, const struct shared_parts *all)
{
	for (uint64_t k = l->from, begin; k < l->size; k++) {
		if (l->taken[k])
			continue;
		bool used = is_of_part(all, begin = k);
		while (k + 1 < l->size && !l->taken[k + 1] && is_of_part(all, k + 1) == used)
			k++;
		char *name =
		    formatted(used ? "bytes_%llu" : "padding~%llu", (unsigned long long)begin);
		put(&l->chosen, begin, k + 1 - begin, 0, false, name);
		free(name);
	}
}

struct shared_parts shared_layout(
    const struct shared_parts *all, const struct flow_unit *u, uint64_t from, uint64_t size)
{
	struct parts_layout l = {
		.u = u, .from = from, .size = size, .taken = zeroed(size, sizeof *l.taken)
	};

	l.chosen.narrow = all->narrow;
	pointers(&l, all);
	numbers(&l, all, false);
	numbers(&l, all, true);
	left_over(&l, all);
	free(l.taken);
	return l.chosen;
}
