/* rec: what is read, what is refused with which message, what is written. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/rec/rec.h"
#include "tests/unit/tap.h"

static FILE *input(const char *text, size_t n)
{
	FILE *f = tmpfile();
	fwrite(text, 1, n, f);
	rewind(f);
	return f;
}

/* Reads all of it; the message when it is refused, else NULL. */
static char *read_all(const char *text, size_t n, const char *const *needs, size_t *records)
{
	FILE *f = input(text, n);
	struct rec_reader *r = rec_open(f, "in", "flow", needs);
	struct rec rec;
	enum rec_status status;
	char *message = NULL;
	*records = 0;
	while ((status = rec_next(r, &rec)) == REC_OK)
		++*records;
	if (status == REC_ERROR)
		message = strdup(rec_error(r));
	rec_close(r);
	fclose(f);
	return message;
}

#define HEAD "#flow 1 test\n"
#define WRITES "; `duct cfg-dump FILE.c` writes one"
#define NO_HEADER "in:1: no header: expected `#flow 1 WRITER`" WRITES

static const struct {
	const char *name, *text;
	size_t n;
	const char *message;
} bad[] = {
#define BAD(name, text, message) { name, text, sizeof(text) - 1, message }
	BAD("empty input", "", "in:1: empty input: expected a flow stream" WRITES),
	BAD("no header", "a\tb\nend\t1\n", NO_HEADER),
	BAD("another format", "#trace 1 x\nend\t0\n",
	    "in:1: not a flow stream: `#trace 1 x`" WRITES),
	BAD("a longer name", "#flower 1 x\nend\t0\n",
	    "in:1: not a flow stream: `#flower 1 x`" WRITES),
	BAD("another version", "#flow 2 x\nend\t0\n", "in:1: unknown version of flow: `2 x`"),
	BAD("no writer", "#flow 1 \nend\t0\n", "in:1: unknown version of flow: `1 `"),
	BAD("no end", HEAD "a\n", "in:2: no `end` line: the stream is cut short"),
	BAD("wrong count", HEAD "a\nend\t2\n", "in:3: end says 2 records, there are 1"),
	BAD("end without a count", HEAD "end\n", "in:2: `end` has 0 fields, 1 are expected"),
	BAD("rubbish count", HEAD "end\tx\n",
	    "in:2: number of records is `x`, which is not a number in range"),
	BAD("count too large", HEAD "end\t18446744073709551616\n",
	    "in:2: number of records is `18446744073709551616`, which is not a number in range"),
	BAD("cut in a line", HEAD "a\tb", "in:2: the last line is cut short"),
	BAD("cut in the header", "#flow 1 x", "in:1: the last line is cut short"),
	BAD("cut in the count", HEAD "a\nend\t1", "in:3: the last line is cut short"),
	BAD("NUL byte", HEAD "a\0b\nend\t1\n", "in:2: NUL byte"),
	BAD("unknown escape", HEAD "a\\q\nend\t1\n",
	    "in:2: unknown escape: only \\t \\n \\\\ \\xHH exist"),
	BAD("half an escape", HEAD "a\\x4\nend\t1\n",
	    "in:2: unknown escape: only \\t \\n \\\\ \\xHH exist"),
	BAD("backslash at the end", HEAD "a\\\nend\t1\n",
	    "in:2: unknown escape: only \\t \\n \\\\ \\xHH exist"),
	BAD("empty line", HEAD "\nend\t0\n", "in:2: a line without a tag"),
	BAD("no tag", HEAD "\ta\nend\t1\n", "in:2: a line without a tag"),
	BAD("unknown need", HEAD "#need rivets\nend\t0\n",
	    "in:2: the stream needs `rivets`, which is not understood here"),
	BAD("unknown directive", HEAD "#foo\nend\t0\n", "in:2: unknown line `#foo`"),
	BAD("malformed meta", HEAD "#meta a\nend\t0\n",
	    "in:2: malformed #meta: expected `#meta KEY VALUE`"),
	BAD("a stream inside", HEAD "a\n" HEAD "end\t0\n",
	    "in:3: a stream begins before the last one ended"),
	BAD("rubbish behind the end", HEAD "end\t0\nmore\n",
	    "in:3: no header: expected `#flow 1 WRITER`"),
	BAD("second stream cut", HEAD "end\t0\n" HEAD "a\n",
	    "in:4: no `end` line: the stream is cut short"),
	BAD("binary", "\177ELF\2\1\1\0\0\0", NO_HEADER),
};

static void test_bad(void)
{
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		size_t n;
		char *message = read_all(bad[i].text, bad[i].n, NULL, &n);
		okf(message && !strcmp(message, bad[i].message), "refused: %s (%s)", bad[i].name,
		    message ? message : "accepted");
		free(message);
	}
}

static void test_good(void)
{
	static const char *const needs[] = { "rivets", NULL };
	const char text[] = HEAD "#need rivets\n#meta key a value\n#meta key another\\x21\n"
	                         "a\\t\\n\\\\\\x00z\tb\t\t\nend\t1\n" HEAD "c\nd\nend\t2\n";
	FILE *f = input(text, sizeof text - 1);
	struct rec_reader *r = rec_open(f, "in", "flow", needs);
	struct rec rec;
	okf(rec_next(r, &rec) == REC_OK && rec.n == 4, "fields are counted, empty ones too");
	okf(rec.len[0] == 6 && !memcmp(rec.field[0], "a\t\n\\\0z", 6), "escapes, a NUL among them");
	okf(!strcmp(rec.field[1], "b") && rec.len[2] == 0 && rec.len[3] == 0,
	    "plain and empty fields");
	okf(rec.line == 5 && rec_first(r), "line and first of its stream");
	okf(rec_meta(r, "key") && !strcmp(rec_meta(r, "key"), "another!"),
	    "the last #meta of a key");
	okf(rec_next(r, &rec) == REC_OK && rec_first(r) && !rec_meta(r, "key"),
	    "a second stream starts anew");
	okf(rec_next(r, &rec) == REC_OK && !rec_first(r), "its second record is not the first");
	okf(rec_next(r, &rec) == REC_END && rec_next(r, &rec) == REC_END, "the end stays the end");
	rec_close(r);
	fclose(f);
}

static void test_numbers(void)
{
	const char text[] = HEAD "t\t18446744073709551615\t-9223372036854775808\t-\t+1\t007\n"
	                         "end\t1\n";
	FILE *f;
	struct rec_reader *r;
	struct rec rec;
	uint64_t u = 0;
	int64_t i = 0;
	f = input(text, sizeof text - 1);
	r = rec_open(f, "in", "flow", NULL);
	rec_next(r, &rec);
	okf(rec_u64(r, &rec, 1, "u", 0, UINT64_MAX, &u) && u == UINT64_MAX, "largest unsigned");
	okf(rec_i64(r, &rec, 2, "i", &i) && i == INT64_MIN, "smallest signed");
	okf(rec_u64(r, &rec, 5, "u", 0, 7, &u) && u == 7, "leading zeros");
	okf(!rec_u64(r, &rec, 4, "u", 0, 7, &u)
	        && !strcmp(rec_error(r), "in:2: u is `+1`, which is not a number in range"),
	    "no sign for unsigned");
	okf(rec_next(r, &rec) == REC_ERROR, "a reader that failed stays failed");
	rec_close(r);
	rewind(f);
	r = rec_open(f, "in", "flow", NULL);
	rec_next(r, &rec);
	okf(!rec_i64(r, &rec, 3, "i", &i), "a sign alone is no number");
	rec_close(r);
	rewind(f);
	r = rec_open(f, "in", "flow", NULL);
	rec_next(r, &rec);
	okf(!rec_u64(r, &rec, 9, "u", 0, 7, &u)
	        && !strcmp(rec_error(r), "in:2: `t` has no field 9 (u)"),
	    "no such field");
	rec_close(r);
	fclose(f);
}

static void test_long_line(void)
{
	enum { SIZE = 3000000 };
	char *text = malloc(SIZE + 64);
	size_t head = (size_t)sprintf(text, HEAD "long\t"), records;
	char *message;
	memset(text + head, 'x', SIZE);
	strcpy(text + head + SIZE, "\nend\t1\n");
	message = read_all(text, head + SIZE + 7, NULL, &records);
	okf(!message && records == 1, "a line of 3 MB");
	free(message);
	free(text);
}

static void test_round_trip(void)
{
	FILE *f = tmpfile();
	struct rec_writer w;
	struct rec_reader *r;
	struct rec rec;
	char all[256];
	bool same = true;
	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	rec_begin(&w, f, "flow", 1, "test");
	rec_put_meta(&w, "k", "a\tb\nc");
	rec_mem(&w, "tag", 3);
	rec_mem(&w, all, 256);
	rec_num(&w, UINT64_MAX);
	rec_int(&w, INT64_MIN);
	rec_hex(&w, 0xabcdef0123456789u);
	rec_eol(&w);
	rec_putf(&w, "sudx", "t", (uint64_t)1, (int64_t)-1, (uint64_t)255);
	okf(rec_end(&w) == 0 && w.count == 2, "written");
	rewind(f);
	r = rec_open(f, "in", "flow", NULL);
	same &= rec_next(r, &rec) == REC_OK && rec.n == 5 && rec.len[1] == 256
	    && !memcmp(rec.field[1], all, 256);
	same &= !strcmp(rec.field[2], "18446744073709551615")
	    && !strcmp(rec.field[3], "-9223372036854775808");
	same &= !strcmp(rec.field[4], "abcdef0123456789") && !strcmp(rec_meta(r, "k"), "a\tb\nc");
	same &= rec_next(r, &rec) == REC_OK && !strcmp(rec.field[2], "-1")
	    && !strcmp(rec.field[3], "ff");
	okf(same && rec_next(r, &rec) == REC_END, "what was written is what is read");
	rec_close(r);
	fclose(f);
}

/* A record is handed out as soon as its line is there, while the writer keeps the pipe open. */
static void test_pipe(void)
{
	int fd[2];
	FILE *f;
	struct rec_reader *r;
	struct rec rec;
	if (pipe(fd))
		return;
	f = fdopen(fd[0], "r");
	r = rec_open(f, "in", "flow", NULL);
	alarm(10);
	okf(write(fd[1], HEAD "one\n", sizeof HEAD "one\n" - 1) > 0 && rec_next(r, &rec) == REC_OK,
	    "a record from a pipe that stays open");
	okf(write(fd[1], "two\n", 4) == 4 && rec_next(r, &rec) == REC_OK
	        && !strcmp(rec.field[0], "two"),
	    "and the next");
	alarm(0);
	close(fd[1]);
	okf(rec_next(r, &rec) == REC_ERROR, "and its end without `end`");
	rec_close(r);
	fclose(f);
}

static void test_full_disk(void)
{
	FILE *f = fopen("/dev/full", "w");
	struct rec_writer w;
	if (!f) {
		okf(true, "full disk # SKIP no /dev/full");
		return;
	}
	rec_begin(&w, f, "flow", 1, "test");
	for (int i = 0; i < 100000; i++)
		rec_putf(&w, "su", "t", (uint64_t)i);
	okf(rec_end(&w) == -1, "a full disk is an error");
	fclose(f);
}

int main(void)
{
	test_good();
	test_bad();
	test_numbers();
	test_long_line();
	test_round_trip();
	test_pipe();
	test_full_disk();
	return finish();
}
