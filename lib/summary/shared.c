/* shared: variables of the program that pointers of callers may lead to, where that makes a
 * difference. */
#include "lib/base/grow.h"
#include "lib/summary/summary.h"

#include <stdlib.h>
#include <string.h>

static bool is_bit(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

/* The variable of the object, if code outside of the program may know its address; NULL: none. */
static const struct flow_var *known_variable(const struct flow *fl, const struct alias_object *o)
{
	const struct flow_var *v =
	    o->kind == ALIAS_VARIABLE ? &fl->unit[o->unit].var[o->id - 1] : NULL;

	return v && o->escaped && o->owner == ALIAS_NONE && strchr("gs", v->kind) && *v->name
	        && !v->is_thread && v->defined != 2 && !v->is_const
	    ? v
	    : NULL;
}

/* Does the function write one of them by its name and access what pointers of callers lead to, or
 * the other way round? */
static bool meets(const struct summary_function *s, uint32_t object)
{
	uint8_t named = (is_bit(s->read, object) ? SUMMARY_READ : 0)
	    | (is_bit(s->written, object) ? SUMMARY_WRITTEN : 0);

	return named && s->escaped && (named | s->escaped) & SUMMARY_WRITTEN;
}

/* Can a harness behind the unit name it? */
static bool is_seen(const struct flow_unit *u, const struct flow_unit *of, const struct flow_var *v)
{
	if (v->kind != 'g' || u == of)
		return v->kind == 'g';
	for (size_t i = 0; i < u->vars && !v->is_static; i++)
		if (u->var[i].kind == 'g' && !u->var[i].is_static
		    && !strcmp(u->var[i].name, v->name))
			return true;
	return false;
}

char *summary_shared(const struct flow *fl, const char *entry)
{
	struct alias_options o = { .entry = entry, .may_alias = true, .any_caller = true };
	const struct flow_unit *u = NULL;
	const struct flow_func *f = flow_find(fl, entry, &u);
	struct alias *a = f ? alias_new(fl, &o) : NULL;
	struct summary *s = f ? summary_new(fl, a) : NULL;
	uint32_t number =
	    s ? alias_function(a, (uint32_t)(u - fl->unit), (uint32_t)(f - u->func) + 1) : 0;
	bool others = false;
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	for (uint32_t i = 0; s && i < s->objects; i++) {
		const struct alias_object *object = alias_object(a, i);
		const struct flow_var *v = known_variable(fl, object);
		if (!v || !meets(&s->function[number], i))
			continue;
		if (is_seen(u, &fl->unit[object->unit], v))
			fprintf(out, "=%s\n", v->name);
		else
			others = true;
	}
	if (others)
		fputs("*\n", out);
	fclose(out);
	summary_free(s);
	alias_free(a);
	return text;
}
