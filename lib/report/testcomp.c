/* testcomp: tests in the exchange format of Test-Comp: a zip archive with metadata.xml and a file
 * per test, which lists the inputs in the order in which the program requested them. */
#include "lib/report/names.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/lines.h"
#include "lib/report/tests.h"
#include "lib/report/zip.h"
#include "lib/base/digest.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *type_of(const struct input_value *v)
{
	bool is_signed = v->kind == INPUT_INT;

	switch (v->kind) {
	case INPUT_BOOL: return "bool";
	case INPUT_CHAR: return "char";
	case INPUT_FLOAT:
		return v->width == 32 ? "float" : v->width == 64 ? "double" : "long double";
	default: break;
	}
	switch (v->width) {
	case 8: return is_signed ? "signed char" : "unsigned char";
	case 16: return is_signed ? "short" : "unsigned short";
	case 32: return is_signed ? "int" : "unsigned int";
	case 64: return is_signed ? "long" : "unsigned long";
	default: return is_signed ? "__int128" : "unsigned __int128";
	}
}

static void float_value(FILE *f, const struct input_value *v)
{
	union {
		uint32_t bits;
		float value;
	} single = { .bits = (uint32_t)v->value.lo };
	union {
		uint64_t bits;
		double value;
	} whole = { .bits = v->value.lo };
	long double extended = 0;

	memcpy(&extended, &v->value, 10);
	if (v->width <= 32)
		fprintf(f, "%.9g", (double)single.value);
	else if (v->width <= 64)
		fprintf(f, "%.17g", whole.value);
	else
		fprintf(f, "%.21Lg", extended);
}

static void value(FILE *f, const struct input_value *v)
{
	if (v->kind == INPUT_FLOAT)
		float_value(f, v);
	else if (v->width > 64)
		fprintf(f, "0x%" PRIx64 "%016" PRIx64, v->value.hi, v->value.lo);
	else if (v->kind == INPUT_INT || v->kind == INPUT_CHAR)
		fprintf(f, "%" PRId64, value_signed(v));
	else
		fprintf(f, "%" PRIu64, v->value.lo);
}

/* Writes FOLDER/NAME.xml, or NAME.xml. */
static void put(struct zip *z, const char *folder, const char *name, const char *text, size_t size)
{
	char *path = formatted("%s%s%s.xml", folder ? folder : "", folder ? "/" : "", name);

	zip_add(z, path, text, size);
	free(path);
}

static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/* Test-Comp's names for errors. */
static bool shows_error(const struct view_test *t)
{
	return t->failure && (!strcmp(t->end, "error") || !strcmp(t->end, "assert"));
}

static void test(struct zip *z, const char *folder, const struct view_test *t, const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	fprintf(f,
	    "%s<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\""
	    " \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase%s>\n",
	    head, shows_error(t) ? " coversError=\"true\"" : "");
	for (size_t i = 0; i < t->input.n; i++) {
		fputs("\t<input variable=\"", f);
		quote_xml(f, t->input.v[i].name);
		fprintf(f, "\" type=\"%s\">", type_of(&t->input.v[i]));
		value(f, &t->input.v[i]);
		fputs("</input>\n", f);
	}
	fputs("</testcase>\n", f);
	fclose(f);
	put(z, folder, name, text, size);
	free(text);
}

static void element(FILE *f, const char *name, const char *text)
{
	fprintf(f, "\t<%s>", name);
	quote_xml(f, text);
	fprintf(f, "</%s>\n", name);
}

static void metadata(
    struct zip *z, const char *folder, const struct store_view *v, const char *hash)
{
	char *text = NULL, created[32];
	size_t size;
	time_t now = time(NULL);
	FILE *f = text_stream(&text, &size);

	strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	fprintf(f,
	    "%s<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\""
	    " \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n",
	    head);
	element(f, "sourcecodelang", "C");
	element(f, "producer", "duct " DUCT_VERSION);
	element(f, "specification", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )");
	element(f, "programfile", v->file[0]);
	element(f, "programhash", hash);
	element(f, "entryfunction", v->entry);
	element(f, "architecture", "64bit");
	element(f, "creationtime", created);
	fputs("</test-metadata>\n", f);
	fclose(f);
	put(z, folder, "metadata", text, size);
	free(text);
}

static void hash_of(FILE *f, char text[DIGEST_TEXT])
{
	char block[4096];
	size_t n;
	struct digest d;

	digest_begin(&d);
	while ((n = fread(block, 1, sizeof block, f)))
		digest_add(&d, block, n);
	digest_print(&d, text);
}

static int add(struct zip *z, const char *folder, const struct store_view *v, char **error)
{
	char hash[DIGEST_TEXT];

	if (v->folder)
		return tests_fail(error, "tests of a suite have no inputs that could be written");
	FILE *source = v->file[0] ? source_open(v, v->file[0]) : NULL;
	if (!source)
		return tests_fail(error, "%s: cannot be read for its hash",
		    v->file[0] ? v->file[0] : "the program");
	hash_of(source, hash);
	fclose(source);
	struct test_names *names = test_names(v);
	metadata(z, folder, v, hash);
	for (size_t i = 0; i < v->tests; i++)
		test(z, folder, &v->test[names->order[i]], names->name[names->order[i]]);
	test_names_free(names, v);
	return 0;
}

int report_testcomp(FILE *f, const struct store_view *v, char **error)
{
	struct zip z;

	zip_open(&z, f);
	int rc = add(&z, NULL, v, error);
	zip_close(&z);
	return rc;
}

int report_testcomp_all(FILE *f, struct store *s, char **error)
{
	struct tasks t;
	struct zip z;
	int rc = tests_read_tasks(s, &t, error);

	if (rc)
		return rc;
	zip_open(&z, f);
	for (size_t i = 0; !rc && i < t.n; i++)
		rc = add(&z, t.n > 1 ? t.at[i].name : NULL, t.at[i].v, error);
	zip_close(&z);
	tests_free_tasks(&t);
	return rc;
}
