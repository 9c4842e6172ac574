/* A table of pages, written anew after the shape of FlowTest's subject pmap: a process is made and
 * freed; each page has a header with flags and a number of references, and no page's header has to
 * do with another's. */
#include <assert.h>

#ifndef PAGES
#define PAGES 16
#endif

enum { PRESENT = 1, WRITABLE = 2, SHARED = 4 };

static int free_pages;

static void map(unsigned char *flags, unsigned char *references)
{
	if (!(*flags & PRESENT))
		return;
	if (*flags & SHARED)
		*flags &= (unsigned char)~WRITABLE;
	if (*references < 255)
		(*references)++;
	else
		*flags &= (unsigned char)~PRESENT;
}

static void unmap(unsigned char *flags, unsigned char *references)
{
	if (!(*flags & PRESENT))
		return;
	assert(*references > 0);
	(*references)--;
	if (*references == 0) {
		*flags = 0;
		free_pages++;
	}
}

void process(unsigned char flags[PAGES], unsigned char references[PAGES])
{
	free_pages = 0;
	for (int i = 0; i < PAGES; i++)
		map(&flags[i], &references[i]);
	for (int i = 0; i < PAGES; i++)
		unmap(&flags[i], &references[i]);
}
