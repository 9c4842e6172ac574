/* harness: plans and C text for hand-made types; the text must compile. */
#include "lib/harness/harness.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

/* struct node { int v; struct node *next; const char *name; unsigned a : 3, b : 7; union { int i;
 * float f; } u; }; int f(struct node *p, int *q, char *s, void *v, void (*cb)(void), struct node n,
 * double d, struct hidden *h) */
static const char model[] = "unit\t1\tt.c\t0\t0\t2\n"
                            "file\t1\tt.c\n"
                            "type\t1\ti\t4\t0\t0\tint %s\n"
                            "type\t2\ts\t40\t0\t0\tstruct node %s\n"
                            "type\t3\tp\t8\t2\t0\tstruct node *%s\n"
                            "type\t4\tc\t1\t0\t0\tchar %s\n"
                            "type\t5\tp\t8\t4\t0\tconst char *%s\n"
                            "type\t6\tu\t4\t0\t0\tunsigned int %s\n"
                            "type\t7\tn\t4\t0\t0\tunion u %s\n"
                            "type\t8\tf\t4\t0\t0\tfloat %s\n"
                            "member\t7\ti\t1\t0\t0\t0\n"
                            "member\t7\tf\t8\t0\t0\t0\n"
                            "member\t2\tv\t1\t0\t0\t0\n"
                            "member\t2\tnext\t3\t8\t0\t0\n"
                            "member\t2\tname\t5\t16\t0\t0\n"
                            "member\t2\ta\t6\t24\t0\t3\n"
                            "member\t2\tb\t6\t24\t3\t7\n"
                            "member\t2\tu\t7\t28\t0\t0\n"
                            "type\t9\tp\t8\t1\t0\tint *%s\n"
                            "type\t10\tp\t8\t4\t0\tchar *%s\n"
                            "type\t11\tv\t0\t0\t0\tvoid %s\n"
                            "type\t12\tp\t8\t11\t0\tvoid *%s\n"
                            "type\t13\te\t0\t11\t0\tvoid (%s)(void)\n"
                            "type\t14\tp\t8\t13\t0\tvoid (*%s)(void)\n"
                            "type\t15\tf\t8\t0\t0\tdouble %s\n"
                            "type\t16\ts\t0\t0\t0\tstruct hidden %s\n"
                            "type\t17\tp\t8\t16\t0\tstruct hidden *%s\n"
                            "type\t18\te\t0\t1\t8\tint (%s)(void)\n"
                            "type\t19\ta\t12\t1\t3\tint %s[3]\n"
                            "type\t20\te\t0\t1\t2\tint (%s)(const int *, int *)\n"
                            "type\t21\tp\t8\t1\t0\tconst int *%s\n"
                            "var\t1\t0\tg\t19\t1\t1\t1\t1\tA\n"
                            "func\t1\tf\t18\t1\t1\t5\t5\t1\t-\t1\t1\n"
                            "var\t2\t1\tp\t3\t1\t1\t1\t1\tp\n"
                            "var\t3\t1\tp\t9\t1\t1\t1\t1\tq\n"
                            "var\t4\t1\tp\t10\t1\t1\t1\t1\ts\n"
                            "var\t5\t1\tp\t12\t1\t1\t1\t1\tv\n"
                            "var\t6\t1\tp\t14\t1\t1\t1\t1\tcb\n"
                            "var\t7\t1\tp\t2\t1\t1\t1\t1\tn\n"
                            "var\t8\t1\tp\t15\t1\t1\t1\t1\td\n"
                            "var\t9\t1\tp\t17\t1\t1\t1\t1\th\n"
                            "block\t1\t1\t1\t1\t5\n"
                            "func\t2\tmost\t20\t1\t9\t5\t9\t1\t-\t2\t1\n"
                            "var\t10\t2\tp\t21\t1\t1\t1\t1\tp\n"
                            "var\t11\t2\tp\t9\t1\t1\t1\t1\tmost\n"
                            "block\t2\t2\t1\t9\t5\n";

static const char source[] =
    "struct hidden; union u { int i; float f; };\n"
    "struct node { int v; struct node *next; const char *name; unsigned a : 3, b : 7; union u u; };\n"
    "int A[3];\n"
    "int f(struct node *p, int *q, char *s, void *v, void (*cb)(void), struct node n, double d,\n"
    "      struct hidden *h) { return p && q && s && v && cb && n.v && d > 0 && h; }\n"
    "int most(const int *p, int *most) { return *p > *most; }\n";

static struct flow *load(void)
{
	size_t n = 0;
	char *text, *error;

	for (const char *s = model; *s; s++)
		n += *s == '\n';
	if (asprintf(&text, "#flow 1 test\n%send\t%zu\n", model, n) < 0)
		abort();
	FILE *f = fmemopen(text, strlen(text), "r");
	struct flow *fl = flow_read(f, "t", &error);
	if (!fl)
		printf("# %s\n", error);
	fclose(f);
	free(text);
	return fl;
}

static void has(const char *text, const char *part)
{
	ok(strstr(text, part), part);
}

static void compiles(const char *harness)
{
	FILE *p = popen("cc -x c -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -", "w");

	fprintf(p, "%s%s", source, harness);
	ok(pclose(p) == 0, "the harness compiles");
}

static void wide(struct flow *fl)
{
	const char *const len[] = { "q=4", "v=2*n.v+1", NULL }, *const distinct[] = { "q,s", NULL };
	const char *const string[] = { "p->name=3", NULL },
	                  *const alias[] = { "p,p[0].next", NULL };
	const char *const global[] = { "A", NULL }, *const range[] = { "q[*]=0..9", NULL };
	struct harness_options o = { .entry = "f",
		.len = len,
		.distinct = distinct,
		.string = string,
		.may_alias = alias,
		.global = global,
		.range = range };
	char *narrow, *error, *text = harness_text(fl, &o, &narrow, &error);

	ok(text, "text for an entry with everything");
	if (!text) {
		printf("# %s\n", error);
		return;
	}
	has(text, "duct_rt_input((void *)&A, sizeof A, \"A\", \"3*4:i4\");");
	has(text, "duct_rt_input((void *)&p, sizeof p, \"p\", \"p8@1\");");
	has(text,
	    "{ \"{0.v=i4;8.next=p8@1;16.name=p8@3;24.a=2*1:u1;28.u=4*1:u1;"
	    "4.padding~4=4*1:u1;26.padding~26=2*1:u1;32.padding~32=8*1:u1}\", 40, 0, 0 },");
	has(text, "duct_rt_rule(\"p[0].name\", \"string\", (unsigned long long)(3));");
	has(text, "duct_rt_rule(\"v\", \"exact\", (unsigned long long)(2*n.v+1));");
	has(text, "duct_rt_rule(\"q\", \"distinct\", (unsigned long long)(1));");
	has(text, "duct_rt_rule(\"s\", \"distinct\", (unsigned long long)(1));");
	has(text, "duct_rt_rule(\"q[*]\", \"high\", (unsigned long long)(9));");
	has(text, "{ \"u1\", 1, 0, 0 },");
	has(text, "{ \"\", 0, duct_functions");
	has(text, "{ \"\", 0, 0, 0 },");
	has(text, "duct_rt_input((void *)&d, sizeof d, \"d\", \"f8\");");
	has(text, "duct_rt_result((long long)f(p, q, s, v, cb, n, d, h));");
	has(narrow, "q: 4 elements");
	has(narrow, "p[0].name: a string of up to 3 characters");
	compiles(text);
	free(text);
	free(narrow);
	char *plan = harness_plan_text(fl, &o, &narrow, &error), *again = NULL;
	struct harness_plan *p = harness_plan_parse(plan, &error);
	ok(p && (again = harness_plan_print(p)) && !strcmp(plan, again),
	    "a plan's text is read back");
	harness_plan_free(p);
	free(again);
	free(plan);
	free(narrow);
}

static void fails(struct flow *fl, struct harness_options o, const char *message)
{
	char *narrow, *error = NULL, *text = harness_text(fl, &o, &narrow, &error);

	ok(!text && error && !strcmp(error, message), message);
	if (error && strcmp(error, message))
		printf("# %s\n", error);
	free(text);
	free(error);
}

int main(void)
{
	struct flow *fl = load();
	char *narrow, *error, *text;

	wide(fl);
	text = harness_text(fl, &(struct harness_options){ .entry = "most" }, &narrow, &error);
	has(text, "int *p;");
	has(text, "duct_entry(p, most)");
	compiles(text);
	free(text);
	free(narrow);
	text = harness_text(fl,
	    &(struct harness_options){
	        .entry = "most", .may_alias = (const char *const[]){ "most,p", NULL } },
	    &narrow, &error);
	has(text, "duct_rt_rule(\"most\", \"alias\", (unsigned long long)(0));");
	compiles(text);
	free(text);
	free(narrow);
	fails(fl, (struct harness_options){ .entry = "mots" },
	    "no function 'mots'; did you mean 'most'");
	fails(fl, (struct harness_options){ .entry = "nothing_like_it" },
	    "no function 'nothing_like_it'");
	fails(fl,
	    (struct harness_options){ .entry = "f", .len = (const char *const[]){ "z=3", NULL } },
	    "no pointer 'z' among the inputs; parameters that are one: p, q, s, v, cb, h");
	fails(fl,
	    (struct harness_options){ .entry = "f", .len = (const char *const[]){ "q", NULL } },
	    "length 'q': expected NAME=N, NAME=LOW..HIGH or NAME=EXPRESSION");
	fails(fl,
	    (struct harness_options){ .entry = "f", .global = (const char *const[]){ "B", NULL } },
	    "no global variable 'B'; did you mean 'A'");
	ok(!harness_plan_parse("plan 1\np\tx\n", &error)
	        && !strcmp(error, "plan:2: malformed plan"),
	    "a bad plan");
	free(error);
	flow_free(fl);
	return finish();
}
