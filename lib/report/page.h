/* page: private to lib/report: parts of the HTML page. */
#ifndef DUCT_REPORT_PAGE_H
#define DUCT_REPORT_PAGE_H

#include "lib/report/names.h"

#include <stdio.h>

/* Distinct texts in order of their first use, so that the page stores each once. */
struct page_texts {
	char **text;
	size_t n;
	size_t *slot, slots;
};
size_t page_number(struct page_texts *t, const char *s);
void page_texts_free(struct page_texts *t);

struct page {
	FILE *f;
	const struct store_view *v;
	const struct report_flow *known; /* of report_html */
	struct test_names *names;
	struct page_texts strings, files;
	char **text;      /* page_test_texts */
	uint64_t *parent; /* store_view_parents, or NULL */
};

/* Writes a JSON string that is safe inside a script element. */
void page_string(FILE *f, const char *text);
/* page_graph.c: writes "graphs": the control flow of each function whose source compiles and is
 * unchanged since the session, as [function, lines of blocks, edges, definitions and uses,
 * selects]. */
void page_graphs(struct page *p);
/* page_tests.c: C texts of tests, by index of the test, as many as fit on a page; NULL for others
 * and for tests of a recorded suite. In a view of all sessions they are read from the store, if
 * given. Free with page_test_texts_free. */
char **page_test_texts(const struct store_view *v, struct store *store);
void page_test_texts_free(char **text, const struct store_view *v);

#endif
