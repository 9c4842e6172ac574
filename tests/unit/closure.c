/* closure: every field of every record that an entry reaches changes its hash, no field of the
 * others does: else an old verdict would be the answer to a new question. */
#include "lib/flow/flow.h"
#include "tests/unit/tap.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char elsewhere[] =
    "struct no { int no_a; char no_b; };\n"
    "static int no_table[3] = { 7, 8, 9 };\n"
    "int no_entry(struct no *n, int i) { if (i < 3 && n->no_a > no_table[i]) n->no_b = 'x'; return i ? n->no_a : 5; }\n";
static const char program[] =
    "struct list { struct list *next; unsigned low : 3, high : 5; double weight; };\n"
    "typedef int step(struct list *, int);\n"
    "static int first(struct list *l, int n) { return l->high + n; }\n"
    "static int second(struct list *l, int n) { return l->low < n ? n : -n; }\n"
    "static step *const steps[] = { first, second };\n"
    "static const int start[] = { 3, 1, 4 };\n"
    "int shared = 5;\n"
    "void *malloc(unsigned long n) { static char pool[99]; return pool + n % 50; }\n"
    "__attribute__((weak)) double factor = 2.5;\n"
    "static double scale(double d) { return d * factor; }\n"
    "double scaled(double d) __attribute__((weak, alias(\"scale\")));\n"
    "struct list make(int n)\n"
    "{ struct list l = { 0, 1, 2, 0.5 }; static int calls = 9; calls += n; l.high = calls; return l; }\n"
    "int entry(int n, char *s)\n"
    "{\n"
    "	struct list l = make(n);\n"
    "	__int128 wide = (__int128)1 << 100;\n"
    "	switch (n) { case 1: case 7: n += start[n & 1]; break; default: n ^= (int)(wide >> 90); }\n"
    "	for (int i = 0; s[i] && i < 4; i++)\n"
    "		n += steps[i & 1](&l, i) + (s[i] == \"text\"[i]);\n"
    "	__asm__(\"nop\" : \"+r\"(n));\n"
    "	l.weight = scaled(n);\n"
    "	return __sync_fetch_and_add(&shared, n) > (int)l.weight;\n"
    "}\n";

/* A letter a field: n number, s text, h hexadecimal digits, o operand, - left as it is; the last
 * one goes for all that follow. What an `exact` record tells need not be in the `inst` before it.
 */
static const struct {
	const char *tag, *fields;
} forms[] = {
	{ "func", "-sn--nnns--" },
	{ "var", "---n-nn-s" },
	{ "block", "---nn" },
	{ "branch", "--n---nnnns" },
	{ "case", "-n-nn" },
	{ "edge", "nnnn" },
	{ "inst", "--sn-nno" },
	{ "def", "-nns-nnnnsnn" },
	{ "use", "-nns-nnnnsnn" },
	{ "check", "n----nn" },
	{ "exact", "-s" },
	{ "home", "-n" },
	{ "within", "--nn" },
	{ "init", "-h" },
	{ "data", "-nh" },
	{ "reloc", "-no" },
	{ "member", "-snnnn" },
	{ "alias", "-o-" },
};

static char *model_of(const char *before, const char *source)
{
	char command[600], *text = NULL;
	size_t size = 0;
	FILE *f = fopen("closure.c", "w");

	fprintf(f, "%s%s", before, source);
	fclose(f);
	snprintf(command, sizeof command,
	    "'%s/instrument' --check all -c -o closure.o closure.c 2>&1 && '%s/cfg-dump' closure.o",
	    getenv("LIBEXEC"), getenv("LIBEXEC"));
	f = popen(command, "r");
	if (getdelim(&text, &size, 0, f) < 0)
		text = NULL;
	return pclose(f) ? (printf("# %s\n", text), NULL) : text;
}

static void put(void *hash, const void *data, size_t n)
{
	const unsigned char *p = data;
	uint64_t *h = hash;

	*h = (*h ^ n) * 0x100000001b3u;
	for (size_t i = 0; i < n; i++)
		*h = (*h ^ p[i]) * 0x100000001b3u;
	*h ^= *h >> 31;
}

/* 0: no such model. */
static uint64_t hash_of(const char *model)
{
	uint64_t h = 1;
	char *error;
	FILE *f = fmemopen((char *)model, strlen(model), "r");
	struct flow *fl = flow_read(f, "model", &error);

	fclose(f);
	free(error);
	if (fl)
		flow_closure(fl, "entry", put, &h);
	else
		h = 0;
	flow_free(fl);
	return h;
}

/* Writes the field, changed, to `to`; false when there is nothing to change. */
static bool change(char form, const char *field, size_t n, char *to)
{
	if (form == '-' || n > 400 || (n == 1 && *field == '-'))
		return false;
	memcpy(to, field, n);
	to[n] = 0;
	char *digit = to + n - 1;
	if (form == 's' || *to == '@' || (form == 'o' && !isxdigit((unsigned char)*digit)))
		return strcpy(digit + 1, "v"), true;
	if (n == 0 || !isxdigit((unsigned char)*digit))
		return false;
	*digit = *digit == '9' ? '8' : *digit == 'f' ? 'e' : (char)(*digit + 1);
	return true;
}

/* Does a field of the line begin so? */
static bool mentions(const char *line, const char *word)
{
	const char *at = strstr(line, word), *end = strchr(line, '\n');

	return at && at < end;
}

struct tally {
	int same, other, unread;
	bool report;
};

/* Changes one field of a line after the other. */
static void change_fields(const char *model, const char *line, const char *fields, struct tally *t)
{
	uint64_t was = hash_of(model);
	char *changed = malloc(strlen(model) + 500), text[500];
	const char *field = strpbrk(line, "\t\n");

	while (*field == '\t') {
		const char *end = strpbrk(++field, "\t\n");
		char form = *fields;
		if (fields[1])
			fields++;
		if (form == 'o' && mentions(line, "\tother\t"))
			form = '-';
		if (!change(form, field, (size_t)(end - field), text)) {
			field = end;
			continue;
		}
		sprintf(changed, "%.*s%s%s", (int)(field - model), model, text, end);
		uint64_t now = hash_of(changed);
		t->unread += !now;
		t->same += now == was;
		t->other += now && now != was;
		if (now == was && t->report)
			printf("# `%s` makes no difference: %.*s\n", text, (int)strcspn(line, "\n"),
			    line);
		field = end;
	}
	free(changed);
}

static const char *form_of(const char *line)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (!strncmp(line, forms[i].tag, strlen(forms[i].tag))
		    && line[strlen(forms[i].tag)] == '\t')
			return forms[i].fields;
	return "-";
}

/* Behind each function comes what belongs to it; before, and of variables of no function, lines do
 * not count. */
static void change_all(const char *model, struct tally *reached, struct tally *rest)
{
	bool in_function = false, none = false;

	for (const char *line = model; *line; line = strchr(line, '\n') + 1) {
		if (!strncmp(line, "func\t", 5)) {
			in_function = true;
			none = mentions(line, "\tno_");
		}
		if (!in_function && (!strncmp(line, "var\t", 4) || mentions(line, "\tno_")))
			continue;
		if (none
		    && !strncmp(
		        line, "check\t", 6)) /* behind all functions, of which it may be any */
			continue;
		change_fields(model, line, form_of(line), none ? rest : reached);
	}
}

int main(void)
{
	char *plain = model_of("", program), *moved = model_of(elsewhere, program);
	struct tally reached = { .report = true }, rest = { 0 }, none = { 0 };

	ok(plain && moved, "models are there");
	ok(plain && moved && hash_of(plain) && hash_of(plain) == hash_of(moved),
	    "what is elsewhere does not count");
	if (!plain || !moved)
		return finish();
	change_all(plain, &reached, &none);
	change_all(moved, &none, &rest);
	printf("# %d changes told apart, %d are no models; %d elsewhere\n", reached.other,
	    reached.unread, rest.same);
	ok(reached.same == 0 && reached.other > 500, "each field that is reached counts");
	ok(rest.other == 0 && rest.same > 50, "none of another function does");
	free(plain);
	free(moved);
	return finish();
}
