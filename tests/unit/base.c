/* lib/base: binary search, beside a search that looks at each item. */
#include "lib/base/search.h"
#include "tests/unit/tap.h"

enum { MOST = 40 };

struct item {
	char text[3];
	unsigned key;
};

static int order(const void *key, const void *item)
{
	unsigned k = *(const unsigned *)key, i = ((const struct item *)item)->key;

	return (k > i) - (k < i);
}

static size_t one_by_one(unsigned key, const struct item *item, size_t n)
{
	size_t i = 0;

	while (i < n && item[i].key < key)
		i++;
	return i;
}

int main(void)
{
	struct item item[MOST] = { 0 };
	bool same = true, absent = false, several = false, greater = false;

	for (int round = 0; round < 2000; round++) {
		size_t n = below(MOST + 1);
		for (size_t i = 0; i < n; i++)
			item[i].key = (i ? item[i - 1].key : 1) + below(3);
		for (unsigned key = 0; key < 2 * MOST + 4; key++) {
			size_t at = lower_bound(&key, item, n, sizeof *item, order),
			       expected = one_by_one(key, item, n);
			same &= at == expected;
			absent |= at < n && item[at].key != key;
			several |= at + 1 < n && item[at].key == key && item[at + 1].key == key;
			greater |= n && at == n;
		}
	}
	ok(same, "lower_bound finds the first item that does not come before the key");
	ok(absent && several && greater,
	    "also for keys that are absent, that several items have, and that are greater than all");
	ok(lower_bound(&(unsigned){ 1 }, NULL, 0, sizeof *item, order) == 0, "none in no items");
	return finish();
}
