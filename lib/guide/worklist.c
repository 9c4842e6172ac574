/* worklist: the pending branches for one pair. A level is the number of goals that their paths have
 * passed; in a level, branches of a class are in a heap of their own. */
#include "lib/guide/guide.h"

#include "lib/base/grow.h"
#include "lib/base/map.h"

#include <math.h>
#include <stdlib.h>

struct queued_branch {
	double weight;
	pending branch;
	uint32_t age; /* there are fewer branches */
};
/* A heap of the branches of one class in one level. */
struct branch_queue {
	struct queued_branch *item;
	size_t n, room;
	uint64_t class;
	uint32_t puts;
};
struct level {
	struct branch_queue *heap;
	size_t heaps, n;
	struct map of; /* class + 1 -> 1 + index of its heap */
	uint32_t number;
	uint64_t taken;
};
struct worklist {
	struct level *level;
	size_t levels, n;
	struct map of, tried; /* level + 1 -> 1 + index; class + 1 -> branches taken */
	bool backtrack;
};

struct worklist *worklist_new(bool backtrack)
{
	struct worklist *w = zeroed(1, sizeof *w);
	w->backtrack = backtrack;
	return w;
}

void worklist_free(struct worklist *w)
{
	for (size_t i = 0; w && i < w->levels; i++) {
		for (size_t k = 0; k < w->level[i].heaps; k++)
			free(w->level[i].heap[k].item);
		free(w->level[i].heap);
		map_close(&w->level[i].of);
	}
	if (!w)
		return;
	free(w->level);
	map_close(&w->of);
	map_close(&w->tried);
	free(w);
}

size_t worklist_count(const struct worklist *w)
{
	return w->n;
}

/* ---- heaps: the largest weight first, of equal ones the oldest */

static bool comes_before(const struct queued_branch *a, const struct queued_branch *b)
{
	return a->weight > b->weight || (!(b->weight > a->weight) && a->age < b->age);
}

static void heap_put(struct branch_queue *h, pending branch, double weight)
{
	struct queued_branch it = { weight, branch, h->puts++ };
	size_t i = h->n++;
	GROW(h->item, h->room, h->n);
	for (; i && comes_before(&it, &h->item[(i - 1) / 2]); i = (i - 1) / 2)
		h->item[i] = h->item[(i - 1) / 2];
	h->item[i] = it;
}

static pending heap_take(struct branch_queue *h)
{
	pending first = h->item[0].branch;
	struct queued_branch it = h->item[--h->n];
	size_t i = 0;
	for (size_t k; (k = 2 * i + 1) < h->n; i = k) {
		k += k + 1 < h->n && comes_before(&h->item[k + 1], &h->item[k]);
		if (!comes_before(&h->item[k], &it))
			break;
		h->item[i] = h->item[k];
	}
	h->item[i] = it;
	return first;
}

/* ---- levels and classes */

static struct level *level_of(struct worklist *w, uint32_t number)
{
	bool fresh;
	uint32_t *at = map_at(&w->of, (uint64_t)number + 1, &fresh);
	if (!*at) {
		struct level *l = PUSH(w->level, w->levels);
		l->number = number;
		*at = (uint32_t)w->levels;
	}
	return &w->level[*at - 1];
}

void worklist_put(struct worklist *w, pending branch, uint32_t level, double weight, uint64_t class)
{
	struct level *l = level_of(w, level);
	bool fresh;
	uint32_t *at = map_at(&l->of, class + 1, &fresh);
	if (!*at) {
		struct branch_queue *h = PUSH(l->heap, l->heaps);
		h->class = class;
		*at = (uint32_t)l->heaps;
	}
	heap_put(&l->heap[*at - 1], branch, weight);
	l->n++;
	w->n++;
}

/* The highest level, or of two that come to the same by the branches taken, the higher one. */
static struct level *deepest(struct worklist *w)
{
	struct level *best = NULL;
	double most = 0;
	for (size_t i = 0; i < w->levels; i++) {
		struct level *l = &w->level[i];
		double depth = l->number - (w->backtrack ? log2((double)l->taken + 1) : 0);
		if (l->n && (!best || depth > most || (depth >= most && l->number > best->number)))
			best = l, most = depth;
	}
	return best;
}

static struct branch_queue *heaviest(const struct worklist *w, struct level *l)
{
	struct branch_queue *best = NULL;
	double most = 0;
	for (size_t i = 0; i < l->heaps; i++) {
		struct branch_queue *h = &l->heap[i];
		double tried = (double)map_get(&w->tried, h->class + 1) + 1, weight;
		if (!h->n)
			continue;
		weight = h->item[0].weight / (tried * tried);
		if (!best || weight > most)
			best = h, most = weight;
	}
	return best;
}

bool worklist_take(struct worklist *w, pending *branch, uint32_t *level)
{
	struct level *l = deepest(w);
	struct branch_queue *h = l ? heaviest(w, l) : NULL;
	bool fresh;
	if (!h)
		return false;
	l->taken++;
	l->n--;
	w->n--;
	++*map_at(&w->tried, h->class + 1, &fresh);
	*branch = heap_take(h);
	*level = l->number;
	return true;
}
