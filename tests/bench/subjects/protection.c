/* A table that protects memory, written anew after the shape of FlowTest's subject mondrian: a
 * segment with rights is inserted into a sorted table of segments; what it overlaps is split. What
 * rights are does not decide where they go. */
#include <assert.h>

#define MOST 6

struct segment {
	unsigned base, end, rights;
};

static struct segment table[MOST];
static int n;

static void open_gap(int at)
{
	for (int i = n; i > at; i--)
		table[i] = table[i - 1];
	n++;
}

static void close_gap(int at)
{
	n--;
	for (int i = at; i < n; i++)
		table[i] = table[i + 1];
}

static int insert(unsigned base, unsigned end, unsigned rights)
{
	int at = 0;

	if (base >= end || n + 2 > MOST)
		return 0;
	while (at < n && table[at].end <= base)
		at++;
	if (at < n && table[at].base < base) {
		open_gap(at);
		table[at].end = base;
		table[at + 1].base = base;
		at++;
	}
	while (at < n && table[at].end <= end)
		close_gap(at);
	if (at < n && table[at].base < end)
		table[at].base = end;
	open_gap(at);
	table[at] = (struct segment){ base, end, rights };
	return 1;
}

static int granted(unsigned rights)
{
	int n_rights = 0;

	if (rights & 1)
		n_rights++;
	if (rights & 2)
		n_rights++;
	if (rights & 4)
		n_rights++;
	return n_rights;
}

int protect(const unsigned char where[4], const unsigned char rights[2])
{
	int all = 0;

	n = 0;
	insert(where[0], where[1], rights[0]);
	insert(where[2], where[3], rights[1]);
	for (int i = 0; i + 1 < n; i++)
		assert(table[i].end <= table[i + 1].base);
	for (int i = 0; i < 2; i++)
		all += granted(rights[i]);
	return all;
}
