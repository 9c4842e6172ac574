/* Objects by base address: a treap whose priorities are hashes of the addresses, so that
 * its shape depends on nothing but its content. Removed entries are used again. */
#include "lib/runtime/rt.h"

/* What a search looks at lies side by side: base is the object's first member. */
struct entry {
	struct entry *left, *right;
	struct duct_object object;
} __attribute__((aligned(32)));

static struct entry *root, *unused;

static uint64_t priority(const struct entry *e)
{
	uint64_t h = e->object.base * 0x9e3779b97f4a7c15u;

	return h ^ h >> 32;
}

struct duct_object *duct_treap_floor(uintptr_t a)
{
	struct entry *best = NULL;

	for (struct entry *e = root; e;) {
		if (e->object.base <= a) {
			best = e;
			e = e->right;
		} else {
			e = e->left;
		}
	}
	return best ? &best->object : NULL;
}

/* Splits t into bases below a and the others. */
static void split(struct entry *t, uintptr_t a, struct entry **below, struct entry **rest)
{
	while (t) {
		if (t->object.base < a) {
			*below = t;
			below = &t->right;
			t = t->right;
		} else {
			*rest = t;
			rest = &t->left;
			t = t->left;
		}
	}
	*below = *rest = NULL;
}

#define BATCH 16

/* In batches, because the arena knows no alignment. */
static void reserve(void)
{
	uintptr_t at = (uintptr_t)duct_arena((BATCH + 1) * sizeof(struct entry));
	struct entry *e = (struct entry *)((at + _Alignof(struct entry) - 1) & -_Alignof(struct entry));

	for (int i = 0; i < BATCH; i++, e++) {
		e->right = unused;
		unused = e;
	}
}

static struct entry *fresh(void)
{
	struct entry *e;

	if (!unused)
		reserve();
	e = unused;
	unused = e->right;
	*e = (struct entry){ 0 };
	return e;
}

struct duct_object *duct_treap_insert(uintptr_t a)
{
	struct entry **link = &root, *e = fresh();

	e->object.base = a;
	while (*link && priority(*link) >= priority(e)) {
		if ((*link)->object.base == a) { /* takes its place */
			e->left = (*link)->left;
			e->right = (*link)->right;
			(*link)->right = unused;
			unused = *link;
			*link = e;
			return &e->object;
		}
		link = a < (*link)->object.base ? &(*link)->left : &(*link)->right;
	}
	split(*link, a, &e->left, &e->right);
	*link = e;
	return &e->object;
}

static struct entry *join(struct entry *low, struct entry *high)
{
	struct entry *top = NULL, **link = &top;

	while (low && high) {
		if (priority(low) >= priority(high)) {
			*link = low;
			link = &low->right;
			low = low->right;
		} else {
			*link = high;
			link = &high->left;
			high = high->left;
		}
	}
	*link = low ? low : high;
	return top;
}

struct duct_object *duct_treap_remove(uintptr_t a)
{
	struct entry **link = &root, *e;

	while ((e = *link) && e->object.base != a)
		link = a < e->object.base ? &e->left : &e->right;
	if (!e)
		return NULL;
	*link = join(e->left, e->right);
	e->right = unused;
	unused = e;
	return &e->object;
}
