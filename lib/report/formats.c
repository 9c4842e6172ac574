/* formats: suite.c, which registers the tests with a framework. Each still runs in a process of its
 * own, so that crashes and writes to globals do not affect others; its result is an assertion of
 * the framework. */
#include "lib/report/tests.h"

#include <stdlib.h>
#include <string.h>

static const struct test_format formats[] = {
	{ .name = "assert", .function = "" },
	{ .name = "cmocka",
	    .includes =
	        "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>\n",
	    .function =
	        "static void @(void **state)\n{\n\tconst char *wrong = duct_check(\"@\");\n\n\t(void)state;\n"
	        "\tif (wrong)\n\t\tfail_msg(\"%s\", wrong);\n}\n\n",
	    .head = "int main(void)\n{\n\tconst struct CMUnitTest tests[] = {\n",
	    .row = "\t\tcmocka_unit_test(@),\n",
	    .tail = "\t};\n\n\treturn cmocka_run_group_tests_name(\"@\", tests, NULL, NULL);\n}\n",
	    .flags = "DUCT_SUITE = -DDUCT_SUITE",
	    .libraries = "-lcmocka" },
	{ .name = "unity",
	    .includes =
	        "#include \"unity.h\"\n\nvoid setUp(void)\n{\n}\n\nvoid tearDown(void)\n{\n}\n",
	    .function = "static void @(void)\n{\n\tconst char *wrong = duct_check(\"@\");\n\n"
	                "\tif (wrong)\n\t\tTEST_FAIL_MESSAGE(wrong);\n}\n\n",
	    .head = "int main(void)\n{\n\tUNITY_BEGIN();\n",
	    .row = "\tRUN_TEST(@);\n",
	    .tail = "\treturn UNITY_END();\n}\n",
	    .flags =
	        "# Where unity.c and unity.h are: make check UNITY=DIR\nUNITY ?= .\nDUCT_SUITE = -DDUCT_SUITE -I$(UNITY)\n"
	        "OBJECTS += unity.o\nunity.o: $(UNITY)/unity.c flags\n\t$(CC) $(CFLAGS) -I$(UNITY) -c -o $@ $(UNITY)/unity.c",
	    .libraries = "" },
	{ .name = "check",
	    .includes = "#include <check.h>\n",
	    .function = "START_TEST(@)\n{\n\tconst char *wrong = duct_check(\"@\");\n\n"
	                "\tck_assert_msg(!wrong, \"%s\", wrong);\n}\nEND_TEST\n\n",
	    .head =
	        "int main(void)\n{\n\tTCase *tests = tcase_create(\"tests\");\n\tSuite *suite = suite_create(\"duct\");\n"
	        "\tSRunner *runner = srunner_create(suite);\n\tint failed;\n\n\tsuite_add_tcase(suite, tests);\n"
	        "\ttcase_set_timeout(tests, 60);\n",
	    .row = "\ttcase_add_test(tests, @);\n",
	    .tail =
	        "\tsrunner_run_all(runner, CK_ENV);\n\tfailed = srunner_ntests_failed(runner);\n\tsrunner_free(runner);\n"
	        "\treturn failed != 0;\n}\n",
	    .flags = "DUCT_SUITE = -DDUCT_SUITE",
	    .libraries = "-lcheck -lsubunit -lrt -lpthread -lm" },
	{ .name = "criterion",
	    .includes = "#include <criterion/criterion.h>\n",
	    .function = "Test(duct, @)\n{\n\tconst char *wrong = duct_check(\"@\");\n\n"
	                "\tcr_assert(!wrong, \"%s\", wrong);\n}\n\n",
	    .head = "",
	    .row = "",
	    .tail = "",
	    .flags = "DUCT_SUITE = -DDUCT_SUITE",
	    .libraries = "-lcriterion" },
};

const struct test_format *test_format(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i].name, name ? name : "assert"))
			return &formats[i];
	return NULL;
}

/* Writes the text with each @ replaced by the name. */
static void fill_in(FILE *f, const char *text, const char *name)
{
	for (; *text; text++)
		if (*text == '@')
			fputs(name, f);
		else
			putc(*text, f);
}

void tests_suite(FILE *f, const struct session_tests *s)
{
	const struct test_format *t = s->format;

	fprintf(f, "/* Hands the tests of tests.c to %s. */\n%s#include \"duct_test.h\"\n\n",
	    t->name, t->includes);
	for (size_t i = 0; i < s->v->tests; i++)
		if (tests_valid(&s->v->test[s->names->order[i]]))
			fill_in(f, t->function, s->names->name[s->names->order[i]]);
	fputs(t->head, f);
	for (size_t i = 0; i < s->v->tests; i++)
		if (tests_valid(&s->v->test[s->names->order[i]]))
			fill_in(f, t->row, s->names->name[s->names->order[i]]);
	fill_in(f, t->tail, s->v->entry);
}
