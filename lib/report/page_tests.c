/* page_tests: the C texts of tests, for the page. */
#include "lib/report/page.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1500000, LONGEST = 20000 }; /* maximum bytes of all texts, and of one */

static char *text_of(const struct session_tests *s, const struct view_test *t)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	tests_function(f, s, t);
	fclose(f);
	if (!size || size > LONGEST) {
		free(text);
		return NULL;
	}
	return text;
}

static const struct view_test *numbered(const struct store_view *v, uint64_t number)
{
	for (size_t i = 0; i < v->tests; i++)
		if (v->test[i].number == number)
			return &v->test[i];
	return NULL;
}

/* Parses the name of a test in a view of all sessions: "ENTRY, session N: test M". */
static bool origin(const struct view_test *t, int64_t *session, uint64_t *number)
{
	const char *at = t->name ? strstr(t->name, ", session ") : NULL;
	long long of;
	unsigned long long m;

	for (const char *next; at && (next = strstr(at + 1, ", session ")); at = next)
		;
	if (!at || sscanf(at, ", session %lld: test %llu", &of, &m) != 2)
		return false;
	*session = of;
	*number = m;
	return true;
}

/* Writes the tests of one session; of: that session's view, if `v` is of all sessions. */
static size_t fill(
    char **text, const struct store_view *v, const struct store_view *of, size_t size)
{
	struct session_tests s;
	char *error;

	if (tests_open(&s, of, NULL, &error)) {
		free(error);
		return size;
	}
	s.names = test_names(of);
	for (size_t i = 0; i < v->tests && size < MOST; i++) {
		const struct view_test *t = &v->test[i];
		int64_t session = of->session;
		uint64_t number;
		if (v != of)
			t = origin(t, &session, &number) && session == of->session
			    ? numbered(of, number)
			    : NULL;
		if (t && (text[i] = text_of(&s, t)))
			size += strlen(text[i]);
	}
	tests_close(&s);
	return size;
}

char **page_test_texts(const struct store_view *v, struct store *store)
{
	char **text = zeroed(v->tests + 1, sizeof *text);
	size_t size = 0, sessions = 0;
	int64_t *session = v->all && store ? store_questions(store, &sessions) : NULL;

	if (!v->all)
		fill(text, v, v, 0);
	for (size_t i = 0; session && i < sessions && size < MOST; i++) {
		struct store_view *of = store_view(store, session[i]);
		if (of)
			size = fill(text, v, of, size);
		store_view_free(of);
	}
	free(session);
	return text;
}

void page_test_texts_free(char **text, const struct store_view *v)
{
	for (size_t i = 0; i < v->tests; i++)
		free(text[i]);
	free(text);
}
