/* input: reads and writes input records (man5 inputs). */
#include <stdlib.h>
#include <string.h>

#include "lib/trace/hex.h"
#include "lib/base/grow.h"

void input_clear(struct input *in)
{
	size_t i;

	for (i = 0; i < in->n; i++)
		free(in->v[i].name);
	free(in->v);
	memset(in, 0, sizeof *in);
}

/* The capacity follows from n: 4, then powers of two. */
static void room(struct input *in)
{
	if (!in->n || (in->n >= 4 && !(in->n & (in->n - 1))))
		in->v = resized(in->v, in->n ? 2 * in->n : 4, sizeof *in->v);
}

void input_add(struct input *in, const char *name, uint8_t kind, uint16_t width, struct value v)
{
	room(in);
	in->v[in->n++] = (struct input_value){ copied(name), kind, width, 0, v, false };
}

static bool is_name(struct rec_reader *r, const struct rec *rec, size_t i)
{
	if (rec->len[i] && rec->len[i] <= 60000 && strlen(rec->field[i]) == rec->len[i])
		return true;
	rec_fail(r, "names have 1 to 60000 bytes, none of them NUL");
	return false;
}

/* The entry of a name that `vary` told before its value; NULL: there is none. */
static struct input_value *awaited(const struct input *in, const char *name)
{
	for (size_t i = 0; in->part && i < in->n; i++)
		if (!in->v[i].width && !strcmp(in->v[i].name, name))
			return &in->v[i];
	return NULL;
}

/* v NAME KIND WIDTH VALUE */
static bool read_value(struct rec_reader *r, const struct rec *rec, struct input *in)
{
	struct input_value *there;
	struct value v;
	uint64_t width;
	uint8_t kind;

	if (!rec_want(r, rec, 5, 5) || !rec_u64(r, rec, 3, "width", 1, 128, &width)
	    || !hex_get(r, rec, 4, "value", (unsigned)width, &v))
		return false;
	kind = rec->len[2] == 1 ? (uint8_t)rec->field[2][0] : 0;
	if (!trace_kind_known(kind)) {
		rec_fail(r, "unknown kind `%.20s`: one of i u c b f n", rec->field[2]);
		return false;
	}
	if (!is_name(r, rec, 1))
		return false;
	if ((there = awaited(in, rec->field[1]))) {
		there->kind = kind;
		there->width = (uint16_t)width;
		there->value = v;
	} else {
		input_add(in, rec->field[1], kind, (uint16_t)width, v);
	}
	return true;
}

/* expect CONDITIONS HASH */
static bool read_expect(struct rec_reader *r, const struct rec *rec, struct input *in)
{
	struct value hash;

	if (!rec_want(r, rec, 3, 3)
	    || !rec_u64(r, rec, 1, "number of conditions", 1, UINT64_MAX, &in->expect)
	    || !hex_get(r, rec, 2, "hash", 64, &hash))
		return false;
	in->expect_hash = hash.lo;
	return true;
}

/* vary NAME...: only these are symbolic */
static bool read_vary(struct rec_reader *r, const struct rec *rec, struct input *in)
{
	size_t i, k;

	in->part = true;
	for (i = 1; i < rec->n; i++) {
		if (!is_name(r, rec, i))
			return false;
		for (k = 0; k < in->n && strcmp(in->v[k].name, rec->field[i]); k++)
			;
		if (k == in->n)
			input_add(in, rec->field[i], INPUT_INT, 0, (struct value){ 0, 0 });
		in->v[k].varies = true;
	}
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Rejects duplicate names: it would be unclear which value ran. */
static bool unique_names(struct rec_reader *r, const struct input *in)
{
	char **name = reserved(in->n + 1, sizeof *name);
	size_t i;
	bool ok = true;

	for (i = 0; i < in->n; i++)
		name[i] = in->v[i].name;
	qsort(name, in->n, sizeof *name, by_name);
	for (i = 1; ok && i < in->n; i++)
		if (!strcmp(name[i - 1], name[i])) {
			rec_fail(r, "two values for `%.60s`", name[i]);
			ok = false;
		}
	free(name);
	return ok;
}

/* Reads records up to `run`; skips unknown tags. */
static enum rec_status read_body(struct rec_reader *r, struct input *in)
{
	enum rec_status status;
	struct rec rec;

	for (;;) {
		if ((status = rec_next(r, &rec)) == REC_ERROR)
			return status;
		if (status == REC_END || rec_first(r))
			return rec_fail(r, "the last input has no `run`");
		if (!strcmp(rec.field[0], "input"))
			return rec_fail(r, "the input before it has no `run`");
		if (!strcmp(rec.field[0], "run"))
			return rec_want(r, &rec, 1, 1) && unique_names(r, in) ? REC_OK : REC_ERROR;
		if (!strcmp(rec.field[0], "v") ? !read_value(r, &rec, in)
		        : !strcmp(rec.field[0], "vary")
		        ? !read_vary(r, &rec, in)
		        : !strcmp(rec.field[0], "expect") && !read_expect(r, &rec, in))
			return REC_ERROR;
	}
}

static bool known(const char *tag)
{
	return !strcmp(tag, "v") || !strcmp(tag, "vary") || !strcmp(tag, "expect")
	    || !strcmp(tag, "run");
}

/* `in` is overwritten. The caller clears it after REC_OK only. */
enum rec_status input_read(struct rec_reader *r, struct input *in)
{
	enum rec_status status;
	struct rec rec;

	memset(in, 0, sizeof *in);
	while ((status = rec_next(r, &rec)) == REC_OK && strcmp(rec.field[0], "input"))
		if (known(rec.field[0]))
			return rec_fail(r, "`%s` stands before any `input`", rec.field[0]);
	if (status != REC_OK)
		return status;
	if (!rec_want(r, &rec, 2, 2) || !rec_u64(r, &rec, 1, "id", 1, UINT64_MAX, &in->id))
		return REC_ERROR;
	if ((status = read_body(r, in)) != REC_OK)
		input_clear(in);
	return status;
}

void input_write(struct rec_writer *w, const struct input *in)
{
	size_t i;

	rec_str(w, "input");
	rec_num(w, in->id);
	rec_eol(w);
	for (i = 0; i < in->n; i++) {
		const struct input_value *v = &in->v[i];

		if (!v->width)
			continue;
		rec_str(w, "v");
		rec_str(w, v->name);
		rec_mem(w, (const char *)&v->kind, 1);
		rec_num(w, v->width);
		hex_put(w, v->value);
		rec_eol(w);
	}
	if (in->part) {
		rec_str(w, "vary");
		for (i = 0; i < in->n; i++)
			if (in->v[i].varies)
				rec_str(w, in->v[i].name);
		rec_eol(w);
	}
	if (in->expect) {
		rec_str(w, "expect");
		rec_num(w, in->expect);
		rec_hex(w, in->expect_hash);
		rec_eol(w);
	}
	rec_str(w, "run");
	rec_eol(w);
}
