/* page: private to lib/report: parts of the page of HTML while it is written. */
#ifndef DUCT_REPORT_PAGE_H
#define DUCT_REPORT_PAGE_H

#include "lib/report/names.h"

#include <stdio.h>

/* Distinct texts in the order in which they were met: the page tells each once. */
struct page_texts { char **text; size_t n; size_t *slot, slots; };
size_t page_number(struct page_texts *t, const char *s);
void page_texts_free(struct page_texts *t);

struct page {
	FILE *f;
	const struct store_view *v;
	struct test_names *names;
	struct page_texts strings, files;
	char **text;                 /* page_test_texts */
};

/* A string of JSON that may stand within a script. */
void page_string(FILE *f, const char *text);
/* page_graph.c: "graphs": of each function whose sources can be compiled and are still those of the session its
 * control flow, as [function, lines of blocks, edges, definitions and uses, selects]: see there. */
void page_graphs(struct page *p);
/* page_tests.c: C texts of tests, NULL for those that have none, as a suite's; as many as fit a page. Those of a view of
 * all sessions come from the store, if one is given. By index of the test; the caller's, with page_test_texts_free. */
char **page_test_texts(const struct store_view *v, struct store *store);
void page_test_texts_free(char **text, const struct store_view *v);

#endif
