/* derived: structures that stand at the beginning of larger ones (`struct node` within `struct
 * text`, `struct number`): a pointer to one leads to an object that the program may take for any of
 * the larger ones. It is laid out as a union of all:
 *
 *   union { unsigned char bytes_[40]; struct text text; struct number number; struct node node; }
 *
 * Behind the end of the part that they share, lib/harness/shared.h gives the bytes to their
 * members. There may be any number instead of a pointer, so that no value is left out. */
#include "lib/harness/inner.h"
#include "lib/harness/shared.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4096 }; /* bytes of a larger structure */

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

char *harness_derived_shape(struct build *b, uint32_t type, uint64_t size)
{
	const struct flow_type *own = harness_type(b->u, type);
	struct shared_parts all = { NULL }, layout;
	char *text = NULL, *name = member_name(own);
	size_t length;
	FILE *f = text_stream(&text, &length);

	for (size_t i = 0; i < b->u->derivations; i++) {
		const struct flow_type *t = larger(b, i, type);
		char *member = t ? member_name(t) : NULL;
		if (member)
			shared_collect(&all, b->u, b->u->derived[i].to, member);
		free(member);
	}
	layout = shared_layout(&all, b->u, own->size, size);
	fprintf(f, "{0.%s=", name);
	harness_shape_value(f, b->u, type);
	for (size_t i = 0; i < layout.n; i++) {
		putc(';', f);
		harness_shape_part(f, b->u, &layout.v[i], 0);
	}
	putc('}', f);
	fclose(f);
	if (layout.narrow)
		harness_limit(b, "members", name, 0);
	shared_free(&layout);
	shared_free(&all);
	free(name);
	return text;
}
