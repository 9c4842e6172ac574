/* devices: memory at addresses that the source states, as the registers of a device have one:
 * `*(volatile uint32_t *)0x40011000`. It is mapped there, and what is in it are inputs, named after
 * the address: device_40011000. Steps HARNESS_EXTERN with the letter m. */
#include "lib/harness/inner.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROOM = 1 << 16, /* bytes behind an address that may belong to an array */
	LEAST = 128     /* fewer are one object */
};

struct device_place {
	const struct flow_unit *u;
	const struct flow_device *d;
	uint64_t size;
};

static int by_address(const void *x, const void *y)
{
	const struct device_place *a = x, *b = y;

	if (a->d->address != b->d->address)
		return a->d->address < b->d->address ? -1 : 1;
	return a->size > b->size ? -1 : a->size < b->size;
}

static bool comes_to(const struct flow_unit *u, const bool *reached, const char *func)
{
	for (size_t i = 0; i < u->funcs; i++)
		if (!strcmp(u->func[i].name, func))
			return !reached || reached[i];
	return true;
}

/* The places that the entry may reach, by address, without those within another one. */
static struct device_place *find_places(const struct build *b, size_t *n)
{
	bool **reached = flow_reachable(b->flow, b->o->entry);
	struct device_place *v = NULL;
	size_t kept = 0;

	*n = 0;
	for (size_t i = 0; i < b->flow->units; i++) {
		const struct flow_unit *u = &b->flow->unit[i];
		for (size_t k = 0; k < u->devices; k++) {
			const struct flow_device *d = &u->device[k];
			const struct flow_type *t = harness_type(u, d->type);
			if (t && t->size && comes_to(u, reached ? reached[i] : NULL, d->func))
				*PUSH(v, *n) = (struct device_place){ u, d, t->size };
		}
	}
	flow_marks_free(b->flow, reached);
	if (*n)
		qsort(v, *n, sizeof *v, by_address);
	for (size_t i = 0; i < *n; i++)
		if (!kept || v[i].d->address >= v[kept - 1].d->address + v[kept - 1].size)
			v[kept++] = v[i];
	*n = kept;
	return v;
}

/* Describes a place as one object. Structures of other units, which the entry's unit may not
 * declare, are bytes. */
static void object(struct build *b, const struct device_place *p, const char *name)
{
	const struct flow_type *t = harness_type(p->u, p->d->type);
	bool scalar = strchr("iubf", t->kind), bytes = p->u != b->u && !scalar;
	char *how = formatted("v%sm@%" PRIu64, p->d->open ? "o" : "", p->d->address),
	     *text = bytes ? formatted("unsigned char %%s[%" PRIu64 "]", p->size) : copied(t->text),
	     *shape = bytes ? formatted("%" PRIu64 "*1:c1", p->size) : NULL;

	harness_step(b, HARNESS_EXTERN, name, text, how, p->size);
	if (p->u == b->u) {
		harness_object(b, name, p->d->type, false);
	} else {
		if (!shape)
			shape = harness_shape(p->u, p->d->type);
		harness_step(b, HARNESS_INPUT, name, "", shape, 0);
	}
	free(shape);
	free(text);
	free(how);
}

/* As an array of unknown length. */
static void array(struct build *b, const struct device_place *p, const char *name)
{
	char *how = formatted("voam@%" PRIu64, p->d->address),
	     *shape = formatted("p8@%u", p->d->type);

	harness_step(b, HARNESS_EXTERN, name, harness_type(p->u, p->d->type)->text, how, p->size);
	harness_step(b, HARNESS_INPUT, name, "", shape, 0);
	free(shape);
	free(how);
}

uint64_t harness_device(const struct harness_step *s)
{
	const char *at = s->kind == HARNESS_EXTERN ? strstr(s->shape, "m@") : NULL;

	return at ? strtoull(at + 2, NULL, 10) : 0;
}

uint64_t harness_device_room(const struct harness_plan *p, const struct harness_step *s)
{
	uint64_t at = harness_device(s), room = ROOM;

	if (!strchr(s->shape, 'a'))
		return s->count;
	for (size_t i = 0; i < p->n; i++) {
		uint64_t other = harness_device(&p->step[i]);
		if (other > at && other - at < room)
			room = other - at;
	}
	return room;
}

void harness_devices(struct build *b)
{
	size_t n;
	struct device_place *v = find_places(b, &n);

	for (size_t i = 0; i < n; i++) {
		uint64_t room = i + 1 < n ? v[i + 1].d->address - v[i].d->address : ROOM;
		char *name = formatted("device_%" PRIx64, v[i].d->address);
		if (v[i].d->open && v[i].u == b->u && room >= v[i].size + LEAST)
			array(b, &v[i], name);
		else
			object(b, &v[i], name);
		free(name);
	}
	free(v);
}

void harness_device_variables(struct build *b, uint32_t type)
{
	const struct flow_type *t = harness_type(b->u, type);

	for (size_t i = 0, n = b->plan->n; i < n && t; i++) {
		const struct harness_step *s = &b->plan->step[i];
		if (!harness_device(s) || !strchr(s->shape, 'o') || strcmp(s->type, t->text))
			continue;
		char *name = formatted("%s%s", s->name, strchr(s->shape, 'a') ? "[0]" : "");
		harness_step(b, HARNESS_VARIABLE, name, t->text, "", 0);
		free(name);
	}
}

void harness_put_device(FILE *f, const struct harness_step *s)
{
	bool many = strchr(s->shape, 'a');
	char *type = harness_declare(s->type, many ? "*" : "(*)");

	fprintf(f, "#define %s (%s(volatile %s)0x%" PRIx64 ")\n", s->name, many ? "" : "*", type,
	    harness_device(s));
	free(type);
}
