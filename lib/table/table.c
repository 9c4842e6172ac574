#include "lib/table/table.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct table {
	struct rec_reader *reader;
	const struct table_tag *tags;
	uint64_t *defined; /* by tag: number of ids so far */
	size_t n;
};

struct table *table_open(
    FILE *f, const char *name, const char *format, const struct table_tag *tags)
{
	struct table *t = zeroed(1, sizeof *t);
	t->tags = tags;
	while (tags[t->n].tag)
		t->n++;
	t->defined = zeroed(t->n + 1, sizeof *t->defined);
	t->reader = rec_open(f, name, format, NULL);
	return t;
}

void table_close(struct table *t)
{
	if (!t)
		return;
	rec_close(t->reader);
	free(t->defined);
	free(t);
}

struct rec_reader *table_reader(struct table *t)
{
	return t->reader;
}

static size_t find_tag(const struct table *t, const char *tag, size_t n)
{
	size_t i = 0;
	while (i < t->n && (strlen(t->tags[i].tag) != n || memcmp(t->tags[i].tag, tag, n)))
		i++;
	return i;
}

static bool word_is(const char *word, size_t n, const char *text)
{
	return strlen(text) == n && !memcmp(word, text, n);
}

static bool check_id(struct table *t, const struct rec *rec, size_t i, size_t tag)
{
	uint64_t id;
	if (!rec_u64(t->reader, rec, i, "id", 1, UINT64_MAX, &id))
		return false;
	if (id == t->defined[tag] + 1) {
		t->defined[tag]++;
		return true;
	}
	rec_fail(t->reader, "%s %llu where %llu is next: ids count from 1", rec->field[0],
	    (unsigned long long)id, (unsigned long long)t->defined[tag] + 1);
	return false;
}

/* own: tag of this record, which must not refer to itself. */
static bool check_reference(
    struct table *t, const struct rec *rec, size_t i, size_t own, const char *word, size_t n)
{
	bool optional = word[n - 1] == '?';
	size_t tag = find_tag(t, word + 1, n - 1 - optional);
	uint64_t id;
	if (!rec_u64(t->reader, rec, i, "id", optional ? 0 : 1, UINT64_MAX, &id))
		return false;
	if (id <= t->defined[tag] - (tag == own && t->defined[tag]))
		return true;
	rec_fail(t->reader, "%s %llu is used before its definition", t->tags[tag].tag,
	    (unsigned long long)id);
	return false;
}

static bool check_key(struct table *t, const struct rec *rec, size_t i)
{
	if (rec->len[i] == 16 && strspn(rec->field[i], "0123456789abcdef") == 16)
		return true;
	rec_fail(t->reader, "key is `%.40s`: expected 16 hexadecimal digits", rec->field[i]);
	return false;
}

static bool check_choice(
    struct table *t, const struct rec *rec, size_t i, const char *word, size_t n)
{
	const char *end = word + n;
	for (const char *p = word; p < end;) {
		const char *bar = memchr(p, '|', (size_t)(end - p));
		size_t length = (size_t)((bar ? bar : end) - p);
		if (word_is(p, length, rec->field[i]))
			return true;
		p += length + 1;
	}
	rec_fail(t->reader, "`%.40s` is not one of %.*s", rec->field[i], (int)n, word);
	return false;
}

static bool check_field(
    struct table *t, const struct rec *rec, size_t i, size_t tag, const char *word, size_t n)
{
	uint64_t u;
	int64_t s;
	if (i >= rec->n) {
		rec_fail(t->reader, "`%s` has no field %zu (%.*s)", rec->field[0], i, (int)n, word);
		return false;
	}
	if (word_is(word, n, "id"))
		return check_id(t, rec, i, tag);
	if (word[0] == '@')
		return check_reference(t, rec, i, tag, word, n);
	if (word_is(word, n, "key"))
		return check_key(t, rec, i);
	if (word_is(word, n, "number"))
		return rec_u64(t->reader, rec, i, "number", 0, UINT64_MAX, &u);
	if (word_is(word, n, "integer"))
		return rec_i64(t->reader, rec, i, "number", &s);
	if (word_is(word, n, "text"))
		return true;
	return check_choice(t, rec, i, word, n);
}

enum rec_status table_next(struct table *t, struct rec *rec, size_t *tag)
{
	enum rec_status status;
	size_t i = 1;
	do {
		if ((status = rec_next(t->reader, rec)) != REC_OK)
			return status;
		if (rec_first(t->reader))
			memset(t->defined, 0, t->n * sizeof *t->defined);
		*tag = find_tag(t, rec->field[0], rec->len[0]);
	} while (*tag == t->n);
	for (const char *word = t->tags[*tag].fields; *word; i++) {
		size_t n = strcspn(word, " ");
		if (!check_field(t, rec, i, *tag, word, n))
			return REC_ERROR;
		word += n + (word[n] == ' ');
	}
	return REC_OK;
}
