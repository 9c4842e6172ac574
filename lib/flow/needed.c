/* needed: the units of a program that runs from an entry may need. */
#include "lib/base/grow.h"
#include "lib/flow/flow.h"

#include <stdlib.h>
#include <string.h>

struct entries {
	const char **name; /* they belong to others */
	size_t n;
};

static void add(struct entries *e, const char *name)
{
	*PUSH(e->name, e->n) = name;
}

/* Adds functions that the harness may call before the entry; their names are cut from `setters`. */
static void add_setters(struct entries *e, char *setters)
{
	char *save = NULL;

	for (char *name = strtok_r(setters, "\n", &save); name; name = strtok_r(NULL, "\n", &save))
		if (*name != '=' && *name != '*') {
			name[strcspn(name, " ")] = 0;
			add(e, name);
		}
}

/* pointed: by number of a type of the unit, is there a type of pointers to it? */
static bool *pointed_to(const struct flow_unit *u)
{
	bool *pointed = zeroed(u->types + 1, sizeof *pointed);

	for (size_t i = 0; i < u->types; i++)
		if (u->type[i].kind == 'p' && u->type[i].of <= u->types)
			pointed[u->type[i].of] = true;
	return pointed;
}

/* Adds functions that the harness may pass as the target of a pointer. */
static void add_targets(struct entries *e, const struct flow *f, const char *entry)
{
	const struct flow_unit *u = NULL;
	bool *pointed;

	flow_find(f, entry, &u);
	if (!u)
		return;
	pointed = pointed_to(u);
	for (size_t i = 0; i < u->funcs; i++)
		if (u->func[i].type <= u->types && pointed[u->func[i].type])
			add(e, u->func[i].name);
	for (size_t i = 0; i < u->exts; i++)
		if (u->ext[i].type && u->ext[i].type <= u->types && pointed[u->ext[i].type])
			add(e, u->ext[i].name);
	free(pointed);
}

/* Units with a function that a run from the entry may reach. */
static void mark_reached(const struct flow *f, const char *entry, bool *needed)
{
	struct entries e = { 0 };
	char *setters = strcmp(entry, "main") ? flow_setters(f, entry) : NULL;

	add(&e, entry);
	if (setters) {
		add_setters(&e, setters);
		add_targets(&e, f, entry);
	}
	bool **mark = flow_reachable_from(f, e.name, e.n);
	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].funcs; k++)
			needed[i] |= mark[i][k];
	flow_marks_free(f, mark);
	free(e.name);
	free(setters);
}

static bool defines(const struct flow_unit *u, const char *variable)
{
	for (size_t i = 0; i < u->vars; i++) {
		const struct flow_var *v = &u->var[i];
		if (v->kind == 'g' && v->defined && !v->is_static && !strcmp(v->name, variable))
			return true;
	}
	return false;
}

/* Units that define variables of the needed ones, or run code at the start or end. */
static void mark_variables(const struct flow *f, bool *needed, bool *done)
{
	for (size_t i = 0; i < f->units; i++) {
		const struct flow_unit *u = &f->unit[i];
		for (size_t k = 0; k < u->funcs; k++)
			needed[i] |= u->func[k].constructor || u->func[k].destructor;
		if (!needed[i] || done[i])
			continue;
		done[i] = true;
		for (size_t k = 0; k < u->vars; k++)
			if (u->var[k].kind == 'g' && !u->var[k].defined && !u->var[k].is_static)
				for (size_t j = 0; j < f->units; j++)
					needed[j] |= defines(&f->unit[j], u->var[k].name);
	}
}

static bool has_main(const struct flow_unit *u)
{
	for (size_t i = 0; i < u->funcs; i++)
		if (!strcmp(u->func[i].name, "main"))
			return true;
	return false;
}

bool *flow_needed(const struct flow *f, const char *entry)
{
	bool *needed = zeroed(f->units + 1, sizeof *needed),
	     *done = zeroed(f->units + 1, sizeof *done), all = false, changed = true;

	mark_reached(f, entry, needed);
	while (changed) {
		changed = false;
		mark_variables(f, needed, done);
		for (size_t i = 0; i < f->units; i++)
			changed |= needed[i] && !done[i];
	}
	for (size_t i = 0; i < f->units; i++)
		all |= strcmp(entry, "main") && needed[i] && has_main(&f->unit[i]);
	for (size_t i = 0; all && i < f->units; i++)
		needed[i] = true;
	free(done);
	return needed;
}
