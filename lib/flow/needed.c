/* needed: the units of a program that runs from an entry may need. */
#include "lib/base/grow.h"
#include "lib/flow/flow.h"

#include <stdlib.h>
#include <string.h>

static void mark_reached(const struct flow *f, const char *entry, bool *needed)
{
	bool **mark = flow_reachable(f, entry);

	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].funcs; k++)
			needed[i] |= mark[i][k];
	flow_marks_free(f, mark);
}

/* Functions that the harness may call before the entry. */
static void mark_setters(const struct flow *f, const char *entry, bool *needed)
{
	char *all = flow_setters(f, entry), *save = NULL;

	for (char *name = strtok_r(all, "\n", &save); name; name = strtok_r(NULL, "\n", &save))
		if (*name != '=' && *name != '*') {
			name[strcspn(name, " ")] = 0;
			mark_reached(f, name, needed);
		}
	free(all);
}

static bool is_pointed_to(const struct flow_unit *u, uint32_t type)
{
	for (size_t i = 0; i < u->types; i++)
		if (u->type[i].kind == 'p' && u->type[i].of == type)
			return true;
	return false;
}

/* Functions that the harness may pass as the target of a pointer. */
static void mark_targets(const struct flow *f, const char *entry, bool *needed)
{
	const struct flow_unit *u = NULL;

	flow_find(f, entry, &u);
	for (size_t i = 0; u && i < u->funcs; i++)
		if (is_pointed_to(u, u->func[i].type))
			mark_reached(f, u->func[i].name, needed);
	for (size_t i = 0; u && i < u->exts; i++)
		if (u->ext[i].type && is_pointed_to(u, u->ext[i].type))
			mark_reached(f, u->ext[i].name, needed);
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
	bool *needed = calloc(f->units + 1, sizeof *needed),
	     *done = calloc(f->units + 1, sizeof *done), all = false, changed = true;

	if (!needed || !done)
		no_memory();
	mark_reached(f, entry, needed);
	if (strcmp(entry, "main")) {
		mark_setters(f, entry, needed);
		mark_targets(f, entry, needed);
	}
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
