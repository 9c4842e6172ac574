/* derived: structures that stand at the beginning of larger ones (`struct node` within `struct
 * text`, `struct number`): a pointer to one leads to an object that the program may take for any of
 * the larger ones. It is laid out as a union of all:
 *
 *   union { unsigned char bytes_[40]; struct text text; struct number number; struct node node; }
 *
 * Behind the end of the part that they share, a byte belongs to the first pointer that one of them
 * has there, else to the first number, else to bytes_. There may be any number instead of a
 * pointer, so that no value is left out. */
#include "lib/harness/inner.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
	NESTING = 20,
	LARGEST = 4096, /* bytes of a larger structure */
	ELEMENTS = 64   /* of an array with pointers */
};

/* A scalar, or an array or union without pointers, of one of the structures. */
struct derived_part {
	uint64_t offset, size;
	uint32_t type; /* 0: bit-fields */
	char *name;
	bool pointer;
};

struct derived_parts {
	struct derived_part *v;
	size_t n;
	uint64_t from; /* those before have been examined */
};

/* The name that the member of the union gets: the type's last word; NULL: it has no name. The
 * caller frees it. */
static char *member_name(const struct flow_type *t)
{
	const char *end = strstr(t->text, " %s"), *begin = end;

	while (begin && begin > t->text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
		begin--;
	return end && !end[3] && begin < end && !isdigit((unsigned char)*begin)
	    ? copied_part(begin, (size_t)(end - begin))
	    : NULL;
}

static void put(struct derived_parts *p, uint64_t offset, uint64_t size, uint32_t type,
    bool pointer, const char *name)
{
	if (offset >= p->from)
		*PUSH(p->v, p->n) =
		    (struct derived_part){ offset, size, type, copied(name), pointer };
}

static void collect(struct derived_parts *p, const struct flow_unit *u, uint32_t type,
    uint64_t offset, const char *name, int level);

static void elements(struct derived_parts *p, const struct flow_unit *u, const struct flow_type *t,
    uint64_t offset, const char *name, int level)
{
	const struct flow_type *of = harness_type(u, t->of);

	for (uint64_t i = 0; of && i < t->count && i < ELEMENTS; i++) {
		char *element = formatted("%s[%llu]", name, (unsigned long long)i);
		collect(p, u, t->of, offset + i * of->size, element, level + 1);
		free(element);
	}
}

static void members(struct derived_parts *p, const struct flow_unit *u, const struct flow_type *t,
    uint64_t offset, const char *name, int level)
{
	for (size_t i = 0; i < t->members; i++) {
		const struct flow_member *m = &t->member[i];
		char *full = *m->name ? formatted("%s.%s", name, m->name) : copied(name);

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

static void collect(struct derived_parts *p, const struct flow_unit *u, uint32_t type,
    uint64_t offset, const char *name, int level)
{
	const struct flow_type *t = harness_type(u, type);

	if (!t || !t->size || level > NESTING || strchr("veo", t->kind))
		return;
	if (t->kind == 's')
		members(p, u, t, offset, name, level);
	else if (t->kind == 'a' && harness_holds_pointer(u, type, 0))
		elements(p, u, t, offset, name, level);
	else if (t->kind == 'n')
		members(p, u, t, offset, name, level); /* the first pointer or number wins */
	else
		put(p, offset, t->size, type, t->kind == 'p', name);
}

/* The larger structure, if a test can declare it and an object can have this type. */
static const struct flow_type *larger(const struct build *b, size_t i, uint32_t type)
{
	const struct flow_derived *d = &b->u->derived[i];
	const struct flow_type *t = d->from == type ? harness_type(b->u, d->to) : NULL;
	char *name = t && t->size <= LARGEST && !harness_opaque(t) ? member_name(t) : NULL;

	free(name);
	return name ? t : NULL;
}

uint64_t harness_derived_size(const struct build *b, uint32_t type)
{
	const struct flow_type *own = harness_type(b->u, type);
	char *name = own && own->kind == 's' && own->size ? member_name(own) : NULL;
	uint64_t most = 0;

	for (size_t i = 0; name && i < b->u->derivations; i++) {
		const struct flow_type *t = larger(b, i, type);
		uint64_t align = sizeof(void *);
		uint64_t size = t ? (t->size + align - 1) / align * align : 0;
		most = size > most ? size : most;
	}
	free(name);
	return most;
}

uint32_t harness_derived_part(const struct build *b, uint32_t type, const char *name, size_t n)
{
	for (size_t i = 0; i <= b->u->derivations && harness_derived_size(b, type); i++) {
		bool own = i == b->u->derivations;
		const struct flow_type *t = own ? harness_type(b->u, type) : larger(b, i, type);
		char *member = t ? member_name(t) : NULL;
		bool is = member && strlen(member) == n && !strncmp(member, name, n);
		free(member);
		if (is)
			return own ? type : b->u->derived[i].to;
	}
	return 0;
}

char *harness_derived_text(const struct build *b, uint32_t type, uint64_t size)
{
	char *text = formatted("union { unsigned char bytes_[%llu]; ", (unsigned long long)size);

	for (size_t i = 0; i <= b->u->derivations; i++) {
		const struct flow_type *t =
		    i < b->u->derivations ? larger(b, i, type) : harness_type(b->u, type);
		char *name = t ? member_name(t) : NULL, *old = text;
		if (!name)
			continue;
		text = formatted(
		    "%s%.*s %s; ", old, (int)(strstr(t->text, " %s") - t->text), t->text, name);
		free(old);
		free(name);
	}
	char *whole = formatted("%s} %%s", text);
	free(text);
	return whole;
}

/* Adds the parts, of which bytes are still free, to the shape. */
static void take(FILE *f, const struct build *b, const struct derived_parts *p, bool pointers,
    bool *taken, uint64_t size)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct derived_part *part = &p->v[i];
		bool is_free = part->pointer == pointers && part->offset + part->size <= size;
		for (uint64_t k = 0; is_free && k < part->size; k++)
			is_free = !taken[part->offset + k];
		if (!is_free)
			continue;
		memset(taken + part->offset, true, part->size);
		fprintf(f, ";%llu.%s=", (unsigned long long)part->offset, part->name);
		if (part->type)
			harness_shape_value(f, b->u, part->type);
		else
			fprintf(f, "%llu*1:U1", (unsigned long long)part->size);
		if (part->pointer)
			putc('|', f);
	}
}

/* A function or stream that the pointer leads to, in place of which there is no number. */
static bool is_fixed_pointer(const struct build *b, const struct flow_type *t)
{
	const struct flow_type *to = t && t->kind == 'p' ? harness_type(b->u, t->of) : NULL;

	return to && (to->kind == 'e' || harness_is_stream(to));
}

/* In place of these, elements of an array of the smaller structure may have bytes that they cannot
 * have: truth values of one bit, bytes between numbers, addresses of functions. */
static bool fixes(const struct build *b, const struct derived_parts *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct flow_type *t = harness_type(b->u, p->v[i].type);
		if (is_fixed_pointer(b, t))
			return true;
		while (t && t->kind == 'a')
			t = harness_type(b->u, t->of);
		if (t && (strchr("bs", t->kind) || t->size > 8))
			return true;
	}
	return false;
}

char *harness_derived_shape(struct build *b, uint32_t type, uint64_t size)
{
	const struct flow_type *own = harness_type(b->u, type);
	struct derived_parts p = { .from = own->size };
	bool *taken = zeroed(size, sizeof *taken);
	char *text = NULL, *name = member_name(own);
	size_t length;
	FILE *f = text_stream(&text, &length);

	for (size_t i = 0; i < b->u->derivations; i++) {
		const struct flow_type *t = larger(b, i, type);
		char *member = t ? member_name(t) : NULL;
		if (member)
			collect(&p, b->u, b->u->derived[i].to, 0, member, 0);
		free(member);
	}
	fprintf(f, "{0.%s=", name);
	harness_shape_value(f, b->u, type);
	take(f, b, &p, true, taken, size);
	take(f, b, &p, false, taken, size);
	for (uint64_t k = own->size; k < size; k++)
		if (!taken[k])
			fprintf(f, ";%llu.bytes_[%llu]=u1", (unsigned long long)k,
			    (unsigned long long)k);
	putc('}', f);
	fclose(f);
	if (fixes(b, &p))
		harness_limit(b, "members", name, 0);
	for (size_t i = 0; i < p.n; i++)
		free(p.v[i].name);
	free(p.v);
	free(taken);
	free(name);
	return text;
}
