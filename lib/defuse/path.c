/* path: a shortest definition-clear path from a definition to a use. */
#include "lib/defuse/defuse.h"
#include "lib/base/grow.h"
#include "lib/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State for the last unit that was asked for: its block graph and the search. Blocks are id - 1. */
struct defuse_paths {
	const struct defuse *d;
	uint32_t unit;
	struct graph graph;
	uint32_t *first, *end; /* by block: instruction ids, first <= id < end */
	uint32_t *parent, *seen, *queue, search;
	/* By block: the search in which the definition is killed there; the first instruction that
	 * does. */
	uint32_t *killed, *first_kill;
	/* The definition's place of the previous pair, and the writes that kill it. Most pairs have
	 * the place of the previous one. */
	struct defuse_place place;
	struct defuse_kill *kill;
	size_t kills;
};

struct defuse_paths *defuse_paths_new(const struct defuse *d)
{
	struct defuse_paths *p = zeroed(1, sizeof *p);

	*p = (struct defuse_paths){ .d = d, .unit = UINT32_MAX };
	return p;
}

static void clear(struct defuse_paths *p)
{
	void *all[] = { p->first, p->end, p->parent, p->seen, p->queue, p->killed, p->first_kill };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	if (p->unit != UINT32_MAX)
		graph_free(&p->graph);
	*p = (struct defuse_paths){
		.d = p->d, .unit = UINT32_MAX, .place = p->place, .kill = p->kill, .kills = p->kills
	};
}

void defuse_paths_free(struct defuse_paths *p)
{
	if (!p)
		return;
	clear(p);
	free(p->kill);
	free(p);
}

static void load(struct defuse_paths *p, uint32_t unit)
{
	const struct flow_unit *u = &p->d->flow->unit[unit];
	struct graph_edge *edge;
	size_t n = u->blocks + 1;

	if (p->unit == unit)
		return;
	clear(p);
	edge = zeroed(u->edges + 1, sizeof *edge);
	for (size_t i = 0; i < u->edges; i++)
		edge[i] = (struct graph_edge){ u->edge[i].from - 1, u->edge[i].to - 1 };
	graph_make(&p->graph, u->blocks, edge, u->edges);
	free(edge);
	p->unit = unit;
	p->first = zeroed(n, sizeof *p->first);
	p->end = zeroed(n, sizeof *p->end);
	p->parent = zeroed(n, sizeof *p->parent);
	p->seen = zeroed(n, sizeof *p->seen);
	p->killed = zeroed(n, sizeof *p->killed);
	p->first_kill = zeroed(n, sizeof *p->kill);
	p->queue = zeroed(n + 1, sizeof *p->queue);
	for (uint32_t i = 0; i < u->insts; i++) {
		uint32_t b = u->inst[i].block;
		if (!b)
			continue;
		if (!p->end[b - 1])
			p->first[b - 1] = i + 1;
		p->end[b - 1] = i + 2;
	}
}

/* Is the pair's definition certainly killed by an instruction from `from` to before `end`? */
static bool overwrites(const struct defuse_paths *p, uint32_t from, uint32_t end)
{
	for (size_t i = 0; i < p->kills; i++) {
		const struct defuse_access *a = &p->d->access[p->kill[i].access];
		if (p->kill[i].must && a->unit == p->unit && a->inst >= from && a->inst < end)
			return true;
	}
	return false;
}

/* Begins a search: notes in which blocks the definition is certainly killed. */
static void mark_kills(struct defuse_paths *p)
{
	p->search++;
	for (size_t i = 0; i < p->kills; i++) {
		const struct defuse_access *a = &p->d->access[p->kill[i].access];
		uint32_t b = a->block - 1;
		if (!p->kill[i].must || a->unit != p->unit || !a->inst || !a->block)
			continue;
		if (p->killed[b] != p->search || a->inst < p->first_kill[b])
			p->first_kill[b] = a->inst;
		p->killed[b] = p->search;
	}
}

/* The same of a block from its beginning. */
static bool block_overwrites(const struct defuse_paths *p, uint32_t block, uint32_t end)
{
	return p->killed[block] == p->search && p->first_kill[block] < end;
}

/* Breadth-first search. False: no path. *before: the predecessor of the use's block, with parents
 * back to the definition's block; GRAPH_NONE: the path stays in one block. */
static bool search(struct defuse_paths *p, const struct defuse_access *def,
    const struct defuse_access *use, uint32_t *before)
{
	uint32_t head = 0, tail = 0, last = use->block - 1, at = def->block - 1;
	uint32_t from = def->inst ? def->inst + 1 : p->first[at];

	if (at == last && use->inst >= from && !overwrites(p, from, use->inst)) {
		*before = GRAPH_NONE;
		return true;
	}
	if (overwrites(p, from, p->end[at]))
		return false;
	mark_kills(p);
	p->seen[at] = p->search;
	p->parent[at] = GRAPH_NONE;
	for (p->queue[tail++] = at; head < tail;) {
		at = p->queue[head++];
		for (uint32_t i = p->graph.first[at]; i < p->graph.first[at + 1]; i++) {
			uint32_t next = p->graph.succ[i];
			if (next == last && !block_overwrites(p, next, use->inst)) {
				*before = at;
				return true;
			}
			if (p->seen[next] == p->search || block_overwrites(p, next, p->end[next]))
				continue;
			p->seen[next] = p->search;
			p->parent[next] = at;
			p->queue[tail++] = next;
		}
	}
	return false;
}

/* Writes lines as they come; consecutive lines become FROM-TO. */
struct lines {
	FILE *f;
	uint32_t file, from, to;
	const char *space;
};

static void end_range(struct lines *l)
{
	if (l->from)
		fprintf(l->f, l->to > l->from ? "%s%u-%u" : "%s%u", l->space, l->from, l->to);
	l->space = l->from ? " " : l->space;
}

static void add_lines(struct lines *l, const struct flow_unit *u, uint32_t from, uint32_t end)
{
	for (uint32_t i = from; i < end; i++) {
		struct flow_pos pos = u->inst[i - 1].pos;
		if (!pos.line || pos.file != l->file || pos.line == l->to)
			continue;
		if (l->to && pos.line == l->to + 1) {
			l->to++;
			continue;
		}
		end_range(l);
		l->from = l->to = pos.line;
	}
}

static char *describe(struct defuse_paths *p, const struct defuse_access *def,
    const struct defuse_access *use, uint32_t before)
{
	const struct flow_unit *u = &p->d->flow->unit[p->unit];
	uint32_t n = 0, from = def->inst ? def->inst : p->first[def->block - 1];
	char *text = NULL;
	size_t size;
	struct lines l = { text_stream(&text, &size), def->pos.file, def->pos.line, def->pos.line,
		"" };

	p->queue[n++] = use->block - 1;
	for (uint32_t b = before; b != GRAPH_NONE; b = p->parent[b])
		p->queue[n++] = b;
	while (n--) {
		uint32_t b = p->queue[n];
		add_lines(&l, u, from ? from : p->first[b], n ? p->end[b] : use->inst + 1);
		from = 0;
	}
	end_range(&l);
	fclose(l.f);
	return text;
}

static bool same_place(const struct defuse_place *p, const struct defuse_place *q)
{
	return p->object == q->object && p->stride == q->stride && p->offset == q->offset
	    && p->size == q->size;
}

static void find_kills(struct defuse_paths *p, uint32_t pair)
{
	const struct defuse_place *place = &p->d->pair[pair].place;

	if (p->kill && same_place(&p->place, place))
		return;
	free(p->kill);
	p->kill = defuse_kills(p->d, pair, &p->kills);
	p->place = *place;
}

char *defuse_path(struct defuse_paths *p, uint32_t pair)
{
	const struct defuse_access *def = &p->d->access[p->d->pair[pair].def],
	                           *use = &p->d->access[p->d->pair[pair].use];
	uint32_t before;

	if (def->unit != use->unit || def->func != use->func || !def->block || !use->block)
		return NULL;
	load(p, def->unit);
	find_kills(p, pair);
	return search(p, def, use, &before) ? describe(p, def, use, before) : NULL;
}
