/* shape: the layout of a type's scalars in the grammar of lib/protocol/abi.h. A marked shape also
 * has U1 for bytes without an lvalue of their own (unions, bit-fields), so that a test can set them
 * through the object that contains them; #N after an enumeration of type N; and `p8@N` for a
 * pointer to type N. */
#include "lib/harness/harness.h"
#include "lib/harness/shared.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"
#include "lib/protocol/abi.h"

#include <stdlib.h>
#include <string.h>

enum { NESTING = 100 }; /* limit for types nested by value, against malformed input */

const struct flow_type *harness_type(const struct flow_unit *u, uint32_t id)
{
	return id && id <= u->types ? &u->type[id - 1] : NULL;
}

bool harness_holds_pointer(const struct flow_unit *u, uint32_t id, int level)
{
	const struct flow_type *t = harness_type(u, id);

	if (!t || level > NESTING)
		return false;
	if (t->kind == 'p')
		return true;
	if (t->kind == 'a')
		return harness_holds_pointer(u, t->of, level + 1);
	for (size_t i = 0; i < t->members && (t->kind == 's' || t->kind == 'n'); i++)
		if (harness_holds_pointer(u, t->member[i].type, level + 1))
			return true;
	return false;
}

uint32_t harness_classes(const struct flow_unit *u, uint32_t id, int level)
{
	const struct flow_type *t = harness_type(u, id);
	uint32_t classes = 0;

	if (!t || level > NESTING)
		return UINT32_MAX;
	if (t->kind == 'a')
		return harness_classes(u, t->of, level + 1);
	if (!strchr("snv", t->kind))
		return duct_scalar_class(t->kind, t->size);
	for (size_t i = 0; i < t->members; i++)
		classes |= t->member[i].bits ? UINT32_MAX
		                             : harness_classes(u, t->member[i].type, level + 1);
	return classes ? classes : UINT32_MAX;
}

/* The first named member inside an unnamed union or struct. */
static const char *inner_name(const struct flow_unit *u, const struct flow_type *t, int level)
{
	for (size_t i = 0; t && i < t->members && level < NESTING; i++) {
		const struct flow_member *m = &t->member[i];
		const char *name =
		    *m->name ? m->name : inner_name(u, harness_type(u, m->type), level + 1);
		if (name)
			return name;
	}
	return NULL;
}

static uint64_t bits_begin(const struct flow_member *m)
{
	return m->offset + m->bit / 8;
}

static uint64_t bits_end(const struct flow_member *m)
{
	return m->offset + (m->bit + m->bits + 7) / 8;
}

struct shape_writer {
	FILE *f;
	const struct flow_unit *u;
	bool padding; /* bytes of no member are fields, too */
	bool grows;   /* a flexible array member is a field, too */
	bool any;     /* a field of this record was written */
};

static void value(const struct shape_writer *o, uint32_t id, int level);

static void field(struct shape_writer *o, uint64_t offset, const char *name)
{
	fprintf(o->f, "%s%llu.%s=", o->any ? ";" : "", (unsigned long long)offset, name);
	o->any = true;
}

/* Writes the group of bit-fields that share bytes, from member i on; returns the index after it. */
static size_t bit_group(struct shape_writer *o, const struct flow_type *t, size_t i, uint64_t base)
{
	uint64_t begin = bits_begin(&t->member[i]), end = bits_end(&t->member[i]);
	const char *name = t->member[i].name;

	for (i++; i < t->members && t->member[i].bits && bits_begin(&t->member[i]) <= end; i++) {
		if (!*name)
			name = t->member[i].name;
		if (bits_end(&t->member[i]) > end)
			end = bits_end(&t->member[i]);
	}
	if (*name) {
		field(o, base + begin, name);
		fprintf(o->f, "%llu*1:U1", (unsigned long long)(end - begin));
	}
	return i;
}

static bool leafless(const struct flow_unit *u, uint32_t id)
{
	const struct flow_type *t = harness_type(u, id);

	while (t && t->kind == 'a' && t->count)
		t = harness_type(u, t->of);
	return !t || !t->size || t->kind == 'a' || strchr("veo", t->kind);
}

static uint32_t type_id(const struct flow_unit *u, const struct flow_type *t)
{
	return (uint32_t)(t - u->type) + 1;
}

static struct shared_parts union_layout(const struct flow_unit *u, const struct flow_type *t)
{
	struct shared_parts all = { NULL }, layout;

	shared_collect(&all, u, type_id(u, t), "");
	layout = shared_layout(&all, u, 0, t->size);
	shared_free(&all);
	return layout;
}

/* Writes a union with a pointer as fields of the record around it. */
static void union_fields(struct shape_writer *o, const struct flow_type *t, uint64_t base)
{
	struct shared_parts layout = union_layout(o->u, t);

	for (size_t i = 0; i < layout.n; i++) {
		if (!o->padding && strchr(layout.v[i].name, '~'))
			continue;
		fputs(o->any ? ";" : "", o->f);
		harness_shape_part(o->f, o->u, &layout.v[i], base);
		o->any = true;
	}
	shared_free(&layout);
}

void harness_shape_part(
    FILE *f, const struct flow_unit *u, const struct shared_part *part, uint64_t base)
{
	fprintf(f, "%llu.%s=", (unsigned long long)(base + part->offset), part->name);
	if (part->type)
		harness_shape_value(f, u, part->type);
	else
		fprintf(f, "%llu*1:U1", (unsigned long long)part->size);
	if (part->mark)
		putc(part->mark, f);
}

/* The first byte at `from` or behind it that belongs to no member; *end: where the next member
 * begins. A bit-field without a name is none. */
static uint64_t next_gap(
    const struct flow_unit *u, const struct flow_type *t, uint64_t from, uint64_t *end)
{
	*end = t->size;
	for (size_t i = 0; i < t->members; i++) {
		const struct flow_member *m = &t->member[i];
		const struct flow_type *mt = harness_type(u, m->type);
		uint64_t begin = m->bits ? bits_begin(m) : m->offset,
		         behind = m->bits ? bits_end(m) : begin + (mt ? mt->size : 0);
		if (behind <= from || (m->bits && !*m->name))
			continue;
		if (begin <= from)
			return next_gap(u, t, behind, end);
		*end = begin < *end ? begin : *end;
	}
	return from;
}

/* Writes the bytes between members, and behind the last one up to `limit`, as fields. */
static void padding(
    struct shape_writer *o, const struct flow_type *t, uint64_t base, uint64_t limit)
{
	for (uint64_t at = 0, end; (at = next_gap(o->u, t, at, &end)) < limit; at = end) {
		char *name = formatted("padding~%llu", (unsigned long long)at);
		end = end < limit ? end : limit;
		field(o, base + at, name);
		fprintf(o->f, "%llu*1:U1", (unsigned long long)(end - at));
		free(name);
	}
}

/* The structure's flexible array member, also `T name[0]`; NULL: it has none. */
static const struct flow_member *flexible(const struct flow_unit *u, const struct flow_type *t)
{
	const struct flow_member *m = t->members ? &t->member[t->members - 1] : NULL;
	const struct flow_type *mt = m && *m->name && !m->bits ? harness_type(u, m->type) : NULL;

	return mt && mt->kind == 'a' && !mt->count && !leafless(u, mt->of) ? m : NULL;
}

static void tail(struct shape_writer *o, const struct flow_member *m)
{
	uint32_t of = harness_type(o->u, m->type)->of;

	field(o, m->offset, m->name);
	fprintf(o->f, "*%llu:", (unsigned long long)harness_type(o->u, of)->size);
	value(o, of, 1);
}

static void members(struct shape_writer *o, const struct flow_type *t, uint64_t base, int level)
{
	const struct flow_member *m;

	for (size_t i = 0; i < t->members && level < NESTING;) {
		m = &t->member[i];
		const struct flow_type *mt = harness_type(o->u, m->type);
		if (m->bits) {
			i = bit_group(o, t, i, base);
			continue;
		}
		i++;
		if (leafless(o->u, m->type))
			continue;
		if (!*m->name && mt->kind == 's') {
			members(o, mt, base + m->offset, level + 1);
			continue;
		}
		if (!*m->name && mt->kind == 'n' && harness_holds_pointer(o->u, m->type, 0)) {
			union_fields(o, mt, base + m->offset);
			continue;
		}
		const char *name = *m->name ? m->name : inner_name(o->u, mt, 0);
		if (!name || (!*m->name && harness_holds_pointer(o->u, m->type, 0)))
			continue; /* its pointer needs a name one level deeper */
		field(o, base + m->offset, name);
		value(o, m->type, level + 1);
	}
	if (o->padding && t->kind == 's') {
		m = o->grows && !level ? flexible(o->u, t) : NULL;
		padding(o, t, base, m && m->offset < t->size ? m->offset : t->size);
		if (m)
			tail(o, m);
	}
}

static void value(const struct shape_writer *in, uint32_t id, int level)
{
	FILE *f = in->f;
	const struct flow_unit *u = in->u;
	const struct flow_type *t = harness_type(u, id);
	struct shape_writer o = { f, u, in->padding, in->grows, false };

	if (!t || level > NESTING)
		return;
	switch (t->kind) {
	case 'a': {
		const struct flow_type *e = harness_type(u, t->of);
		fprintf(f, "%llu*%llu:", (unsigned long long)t->count,
		    (unsigned long long)(e ? e->size : 1));
		value(in, t->of, level + 1);
	} break;
	case 's':
		putc('{', f);
		members(&o, t, 0, level);
		putc('}', f);
		break;
	case 'n':
		if (!harness_holds_pointer(u, id, 0)) {
			fprintf(f, "%llu*1:U1", (unsigned long long)t->size);
			break;
		}
		putc('{', f);
		union_fields(&o, t, 0);
		putc('}', f);
		break;
	case 'p': fprintf(f, "p8@%u", t->of); break;
	default:
		fprintf(f, "%c%llu", t->kind, (unsigned long long)t->size);
		if (t->enumerators)
			fprintf(f, "#%u", id);
	}
}

void harness_shape_value(FILE *f, const struct flow_unit *u, uint32_t type)
{
	value(&(struct shape_writer){ .f = f, .u = u }, type, 0);
}

bool harness_shape_fixes(const struct flow_unit *u, uint32_t id, int level)
{
	const struct flow_type *t = harness_type(u, id);

	if (!t || level > NESTING || strchr("veo", t->kind))
		return true;
	if (t->kind == 'a')
		return t->count && harness_shape_fixes(u, t->of, level + 1);
	if (t->kind == 'n' && harness_holds_pointer(u, id, 0)) {
		struct shared_parts layout = union_layout(u, t);
		shared_free(&layout);
		return layout.narrow;
	}
	for (size_t i = 0; t->kind == 's' && i < t->members; i++)
		if (!t->member[i].bits && harness_shape_fixes(u, t->member[i].type, level + 1))
			return true;
	return false;
}

static char *marked(
    const struct flow_unit *u, uint32_t type, uint64_t count, bool padding, bool grows)
{
	const struct flow_type *t = harness_type(u, type);
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	if (count)
		fprintf(f, "%llu*%llu:", (unsigned long long)count,
		    (unsigned long long)(t && t->size ? t->size : 1));
	if (leafless(u, type))
		fputs(count ? "U1" : "u1", f); /* void: bytes without an lvalue */
	else
		value(&(struct shape_writer){ f, u, padding, grows, false }, type, 0);
	fclose(f);
	return text;
}

char *harness_shape_marked(const struct flow_unit *u, uint32_t type, uint64_t count)
{
	return marked(u, type, count, false, false);
}

char *harness_shape_padded(const struct flow_unit *u, uint32_t type)
{
	return marked(u, type, 0, true, false);
}

char *harness_shape_whole(const struct flow_unit *u, uint32_t type)
{
	return marked(u, type, 0, true, true);
}

void harness_shape_plain(char *shape)
{
	char *to = shape;

	for (char *s = shape; (s = strstr(s, "*1:U1"));)
		s[3] = 'u';
	for (const char *s = shape; *s;)
		if (*s == '#')
			s += 1 + strspn(s + 1, "0123456789");
		else
			*to++ = *s++;
	*to = 0;
}

char *harness_shape(const struct flow_unit *u, uint32_t type)
{
	char *text = harness_shape_marked(u, type, 0);

	if (text)
		harness_shape_plain(text);
	return text;
}
