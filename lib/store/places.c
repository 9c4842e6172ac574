/* places: where faults are possible, and the runs that showed them. */
#include "lib/protocol/checks.h"
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

static bool looked_at(const struct flow_unit *u, const struct flow_check *c, const bool *mark)
{
	const struct flow_func *f = &u->func[c->func - 1];

	return mark[c->func - 1] && !f->is_harness && !f->in_system;
}

void store_find_places(struct store *s, bool *const *mark)
{
	for (uint32_t i = 0; i < s->flow->units; i++) {
		const struct flow_unit *u = &s->flow->unit[i];
		for (size_t k = 0; k < u->checks; k++) {
			if (!looked_at(u, &u->check[k], mark[i]))
				continue;
			*PUSH(s->place, s->places) =
			    (struct check_place){ .unit = i, .check = &u->check[k], .dirty = true };
		}
	}
}

/* Places are in the order of units, instructions and kinds. */
struct key {
	uint32_t unit, inst;
	unsigned kind;
};

static int compare(const void *key, const void *place)
{
	const struct key *k = key;
	const struct check_place *p = place;

	if (k->unit != p->unit)
		return k->unit < p->unit ? -1 : 1;
	if (k->inst != p->check->inst)
		return k->inst < p->check->inst ? -1 : 1;
	return (int)k->kind - p->check->kind;
}

static struct check_place *find(const struct store *s, uint32_t unit, uint32_t inst, unsigned kind)
{
	struct key key = { unit, inst, kind };

	return s->places ? bsearch(&key, s->place, s->places, sizeof *s->place, compare) : NULL;
}

const char *store_block_place(
    const struct store *s, uint32_t unit, uint32_t block, uint32_t *line, const char **function)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	const struct flow_func *f = &u->func[u->block_func[block - 1] - 1];
	const struct flow_pos *p =
	    u->block_pos[block - 1].line ? &u->block_pos[block - 1] : &f->pos;

	if (f->is_harness && s->entry_block) {
		u = &s->flow->unit[s->entry_unit];
		f = &u->func[u->block_func[s->entry_block - 1] - 1];
		p = &f->pos;
	}
	if (function)
		*function = f->name;
	*line = p->line;
	return p->file ? u->file[p->file - 1] : u->name;
}

const char *store_place_of(struct store *s, const struct trace *t, uint32_t unit, uint32_t block,
    uint32_t *line, const char **function)
{
	uint32_t k = store_unit(s, t, unit);

	*line = 0;
	if (function)
		*function = NULL;
	if (!k || !block || block > s->flow->unit[k - 1].blocks)
		return NULL;
	return store_block_place(s, k - 1, block, line, function);
}

struct check_place *store_fault(struct store *s, const struct trace *t, size_t event)
{
	const struct channel_event *e = &t->event[event];
	uint32_t unit = e->kind == EV_CHECK && !e->x ? store_unit(s, t, e->unit) : 0;

	return unit ? find(s, unit - 1, e->id, (unsigned)e->y) : NULL;
}

/* The place of a null address: the noted instruction if it is in the block of the fault, else the
 * only access of the block. */
static struct check_place *null_address(const struct store *s, const struct trace *t, uint32_t unit)
{
	struct check_place *only = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->places; i++) {
		struct check_place *p = &s->place[i];
		if (p->unit != unit || p->check->block != t->fault_block
		    || p->check->kind != CHECK_NULL)
			continue;
		if (p->check->inst == t->fault_inst)
			return p;
		only = p;
		n++;
	}
	return n == 1 ? only : NULL;
}

struct check_place *store_fault_end(struct store *s, const struct trace *t)
{
	uint32_t unit =
	    t->end == END_NULL || t->end == END_BOUNDS ? store_unit(s, t, t->fault_unit) : 0;

	if (!unit)
		return NULL;
	return t->end == END_NULL ? null_address(s, t, unit - 1)
	                          : find(s, unit - 1, t->fault_inst, CHECK_BOUNDS);
}

const struct flow_pos *store_need_pos(struct store *s, const struct trace *t)
{
	uint32_t unit = store_unit(s, t, t->fault_unit);
	struct key key = { unit - 1, t->fault_inst, 0 };
	size_t i = unit && t->fault_inst
	    ? lower_bound(&key, s->place, s->places, sizeof *s->place, compare)
	    : s->places;
	const struct check_place *p = i < s->places ? &s->place[i] : NULL;

	return p && p->unit == unit - 1 && p->check->inst == t->fault_inst
	        && p->check->block == t->fault_block
	    ? &p->check->pos
	    : NULL;
}

/* Marks the check at which a run ended because of a need: it fails for callers that do not meet the
 * need, so it is not safe. */
void store_need_place(struct store *s, const struct trace *t)
{
	bool of_place = t->needs && strcmp(t->need[0].kind, "earlier");
	uint32_t unit = of_place ? store_unit(s, t, t->fault_unit) : 0;
	enum check_kind kind =
	    t->needs && !strcmp(t->need[0].kind, "before") ? CHECK_BOUNDS : CHECK_NULL;
	struct check_place *at = unit ? find(s, unit - 1, t->fault_inst, kind) : NULL;

	for (size_t i = 0; i < s->places && unit; i++) {
		struct check_place *p = &s->place[i];
		p->needed |= at ? p == at
		                : p->unit == unit - 1 && p->check->block == t->fault_block
		        && p->check->kind == kind;
	}
}

const char *store_place_file(const struct store *s, const struct check_place *p)
{
	const struct flow_unit *u = &s->flow->unit[p->unit];

	return p->check->pos.file ? u->file[p->check->pos.file - 1] : u->name;
}

const char *store_place_function(const struct store *s, const struct check_place *p)
{
	return s->flow->unit[p->unit].func[p->check->func - 1].name;
}

bool store_went_on(const struct trace *t, size_t event)
{
	return trace_is_aside(&t->event[event]) || !trace_end_failure(t->end);
}

/* Does the limit say that the run depends on the machine? Files of the run's own folder do not
 * count. */
static bool differs_elsewhere(const struct trace_limit *l)
{
	static const char *const same[] = { "stat(", "lstat(", "fstat(", "stat64(", "lstat64(",
		"fstat64(", "chdir(", "fchdir(" };

	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (!strncmp(l->name, same[i], strlen(same[i])))
			return false;
	return !strcmp(l->kind, "concrete");
}

struct text_list {
	FILE *f;
	char *text;
	size_t size;
};

/* Begins the next piece of a list. */
static FILE *piece(struct text_list *l)
{
	if (l->f)
		fputs("; ", l->f);
	else
		l->f = text_stream(&l->text, &l->size);
	return l->f;
}

static bool has_line(const struct flow_unit *u, uint32_t block, const struct flow_limit *at)
{
	for (size_t i = 0; i < u->lines; i++)
		if (u->line[i].block == block && u->line[i].file == at->pos.file
		    && u->line[i].line == at->pos.line)
			return true;
	return false;
}

/* Did the run reach the place in this unit? */
static bool came_to(
    struct store *s, const struct trace *t, uint32_t unit, const struct flow_limit *at)
{
	const struct flow_unit *u = &s->flow->unit[unit];

	for (size_t i = 0; i < t->blocks; i++) {
		uint32_t block = t->block[i].block;
		if (store_unit(s, t, t->block[i].unit) == unit + 1 && block && block <= u->blocks
		    && u->block_func[block - 1] == at->func && has_line(u, block, at))
			return true;
	}
	return false;
}

/* Adds places where calls with answered results are arguments of one call, whose order, and so
 * which answer each gets, is up to the compiler, and comparisons with addresses of freed blocks. */
static void add_orders(struct store *s, const struct trace *t, struct text_list *l)
{
	for (uint32_t unit = 0; unit < s->flow->units; unit++) {
		const struct flow_unit *u = &s->flow->unit[unit];
		for (size_t i = 0; i < u->limits; i++) {
			const struct flow_limit *at = &u->limit[i];
			const char *words = !strcmp(at->kind, "arguments")
			    ? "the arguments at %s:%u are evaluated in any order"
			    : !strcmp(at->kind, "moved")
			    ? "an address is compared with that of freed memory at %s:%u"
			    : NULL;
			if (words && came_to(s, t, unit, at) && piece(l))
				fprintf(l->f, words,
				    at->pos.file ? u->file[at->pos.file - 1] : u->name,
				    at->pos.line);
		}
	}
}

char *store_undefined(struct store *s, const struct trace *t)
{
	struct text_list l = { 0 };

	for (size_t i = 0; i < t->limits; i++) {
		if (differs_elsewhere(&t->limit[i]) && piece(&l))
			fprintf(l.f, "the machine answers %s", t->limit[i].name);
		if (!strcmp(t->limit[i].kind, "uninit") && piece(&l))
			fprintf(l.f, "%s is used uninitialised", t->limit[i].name);
		if (!strcmp(t->limit[i].kind, "address") && piece(&l))
			fprintf(l.f, "pointers to different objects are compared at %s",
			    t->limit[i].name);
	}
	for (size_t i = 0; i < t->events; i++) {
		const struct check_place *p = store_went_on(t, i) ? store_fault(s, t, i) : NULL;
		if (p && !p->check->criterion && p->check->kind != CHECK_LEAK && piece(&l))
			fprintf(l.f, "%s at %s:%u:%u", check_name(p->check->kind),
			    store_place_file(s, p), p->check->pos.line, p->check->pos.col);
	}
	add_orders(s, t, &l);
	if (l.f)
		fclose(l.f);
	return l.text;
}

void store_prove_places(struct store *s)
{
	for (size_t i = 0; i < s->places; i++) {
		s->place[i].safe = !s->place[i].runs && !s->place[i].needed
		    && !(s->place[i].check->criterion ? s->doubts != 0
		                                      : s->doubts >> s->place[i].check->kind & 1)
		    && !store_place_open(s, &s->place[i]);
		s->place[i].dirty = true;
	}
}

void store_see_places(struct store *s, const struct trace *t)
{
	for (size_t i = 0; i < t->events; i++) {
		struct check_place *p = store_fault(s, t, i);
		if (p && p->check->criterion)
			p->needed = true;
	}
}

size_t store_open_places(const struct store *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->places; i++)
		n += s->place[i].check->criterion && !s->place[i].runs && !s->place[i].proved;
	return n;
}

/* The kind of a fault; for an objective, criterion and description, separated by a blank. */
static const char *kind_text(const struct check_place *p, char **made)
{
	*made = NULL;
	if (!p->check->criterion)
		return check_name(p->check->kind);
	*made = formatted("%s %s", p->check->criterion, p->check->text);
	return *made;
}

int store_write_places(struct store *s)
{
	for (size_t i = 0; i < s->places; i++) {
		struct check_place *p = &s->place[i];
		char *made = NULL;
		const char *verdict = p->runs ? "found"
		    : !p->safe                ? "unknown"
		    : s->figures.share        ? "share"
		                              : "safe";
		int rc = !p->dirty
		    ? 0
		    : store_do(s,
		          "INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		          "intttnntuu", s->session, (int)i + 1, kind_text(p, &made),
		          store_place_function(s, p), store_place_file(s, p),
		          (int)p->check->pos.line, (int)p->check->pos.col, verdict, p->test,
		          p->runs);
		free(made);
		if (rc)
			return -1;
	}
	return 0;
}
