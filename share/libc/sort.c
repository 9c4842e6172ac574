/* qsort and bsearch: glibc's qsort is a merge sort that is stable while memory allows; so is
 * this one, so that equal elements come out in the same order. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

typedef int (*compare)(const void *, const void *, void *);

struct sort {
	size_t size;
	compare compare;
	void *arg;
	char *spare;
};

/* Sorts n elements at p, as glibc does: halves first, the smaller half before. */
static void merge_sort(const struct sort *s, char *p, size_t n)
{
	size_t n1 = n / 2, n2 = n - n1;
	char *a = p, *b = p + n1 * s->size, *to = s->spare;

	if (n <= 1)
		return;
	merge_sort(s, a, n1);
	merge_sort(s, b, n2);
	while (n1 && n2) {
		if (s->compare(a, b, s->arg) <= 0) {
			memcpy(to, a, s->size);
			a += s->size;
			n1--;
		} else {
			memcpy(to, b, s->size);
			b += s->size;
			n2--;
		}
		to += s->size;
	}
	if (n1)
		memcpy(to, a, n1 * s->size);
	memcpy(p, s->spare, (n - n2) * s->size);
}

/* Reads each element, so that the run ends here if there are fewer. */
static void read_all(const volatile char *p, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++, p += size)
		(void)*p;
}

/* Without memory: equal elements remain in their order, too. */
static void insertion_sort(const struct sort *s, char *p, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (char *q = p + i * s->size; q > p && s->compare(q - s->size, q, s->arg) > 0;
		    q -= s->size)
			for (size_t k = 0; k < s->size; k++) {
				char c = q[k];
				q[k] = q[k - s->size];
				q[k - s->size] = c;
			}
}

void qsort_r(void *base, size_t n, size_t size, compare f, void *arg)
{
	struct sort s = { size, f, arg, NULL };

	if (n < 2 || !size)
		return;
	if (n > SIZE_MAX / size || !(s.spare = malloc(n * size))) {
		read_all(base, n, size);
		insertion_sort(&s, base, n);
		return;
	}
	merge_sort(&s, base, n);
	free(s.spare);
}
ALIAS(qsort_r)

static int plain(const void *a, const void *b, void *f)
{
	return (*(int (**)(const void *, const void *))f)(a, b);
}

MODEL void qsort(void *base, size_t n, size_t size, int (*f)(const void *, const void *))
{
	qsort_r(base, n, size, plain, &f);
}

MODEL void *bsearch(
    const void *key, const void *base, size_t n, size_t size, int (*f)(const void *, const void *))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *p = (const char *)base + middle * size;
		int c = f(key, p);

		if (c == 0)
			return (void *)p;
		if (c < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
