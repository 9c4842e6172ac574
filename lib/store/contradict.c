/* contradict: handles runs that cover what a proof, exhaustion or an earlier session showed to be
 * infeasible. The run has happened, so the verdict was wrong. */
#include "lib/base/grow.h"
#include "lib/protocol/checks.h"
#include "lib/store/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports a wrong verdict on `what` at this place, with the first piece of its evidence. */
static void add(
    struct store *s, const char *file, uint32_t line, const char *what, const char *evidence)
{
	char *text;

	if (store_gives_state(s))
		return;
	s->contradictions++;
	text = formatted(STORE_ERROR
	    "a verdict was wrong, others may be, please report it: a run covers %s, which was"
	    " infeasible (%.*s)",
	    what, (int)strcspn(evidence, ";"), evidence);
	store_lose_line(s, file, line, text);
	free(text);
}

static void add_branch(struct store *s, size_t i, const char *evidence)
{
	const struct store_objective *o = &s->objective[i];
	char *what = formatted("`%s` %s", o->text ? o->text : "", store_side_name(o->side));

	add(s, o->file, o->line, what, evidence);
	free(what);
}

static void add_pair(struct store *s, size_t i, const char *evidence)
{
	const struct defuse *d = s->defuse;
	const struct defuse_pair *p = &d->pair[i];
	const struct defuse_access *def = &d->access[p->def], *use = &d->access[p->use];
	const struct flow_unit *u = &d->flow->unit[use->unit];
	char *what =
	    formatted("the pair of `%s` that is defined in line %u", p->name, def->pos.line);

	add(s, use->pos.file ? u->file[use->pos.file - 1] : u->name, use->pos.line, what, evidence);
	free(what);
}

void store_contradict(struct store *s, enum store_aim aim, size_t i, const char *evidence)
{
	evidence = evidence ? evidence : "no evidence";
	if (aim == STORE_BRANCHES)
		add_branch(s, i, evidence);
	else
		add_pair(s, i, evidence);
}

void store_contradict_place(struct store *s, const struct check_place *p)
{
	add(s, store_place_file(s, p), p->check->pos.line, check_name(p->check->kind), "a proof");
}

void store_contradict_target(struct store *s, const struct target *t)
{
	const struct flow_unit *u = &s->flow->unit[t->unit];

	add(s, t->pos.file ? u->file[t->pos.file - 1] : u->name, t->pos.line, t->name, "a proof");
}

void store_contradict_evaluation(struct store *s, size_t objective)
{
	const struct store_objective *o = &s->objective[objective];
	char *what = formatted("an evaluation of the decision of `%s`", o->text ? o->text : "");

	add(s, o->file, o->line, what, "a proof");
	free(what);
}
