/* flow: the example of the man page, graph questions, and every kind of bad record. */
#include "lib/flow/flow.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char model[] = "unit\t3fbb1c80a7d3e211\tmax.c\t2\t5\t3\n"
                            "file\t1\tmax.c\n"
                            "type\t1\ti\t4\t0\t0\tint %s\n"
                            "enumerator\t1\tBLUE\t-2\n"
                            "type\t2\te\t0\t1\t2\tint (%s)(int, int)\n"
                            "func\t1\tmax\t2\t1\t1\t5\t5\t1\t-\t1\t3\n"
                            "var\t1\t1\tp\t1\t1\t1\t13\t1\ta\n"
                            "var\t2\t1\tp\t1\t1\t1\t20\t1\tb\n"
                            "block\t1\t1\t1\t1\t5\n"
                            "block\t2\t1\t1\t3\t7\n"
                            "block\t3\t1\t1\t4\t9\n"
                            "branch\t1\t1\t1\tb\t0\t1\t2\t6\t0\t0\ta < b\n"
                            "branch\t2\t1\t2\ts\t2\t1\t3\t6\t32\t0\ta\n"
                            "case\t2\t-1\t1\t3\t7\n"
                            "case\t2\t7\t1\t3\t8\n"
                            "default\t2\t1\t3\t9\n"
                            "extern\tputs\t2\t-\n"
                            "inst\t1\t1\tstore\t32\t1\t1\t13\t^0\t&1\n"
                            "def\t1\t1\t1\te\t1\t1\t13\t0\t4\ta\n"
                            "inst\t2\t2\tcall\t32\t1\t4\t13\t@puts\t0\n"
                            "call\t2\tputs\t1\n"
                            "edge\t1\t2\t1\t0\n"
                            "newtag\tsomething\n";

static struct flow *parse(const char *records, char **error)
{
	size_t n = 0;
	char *text;
	FILE *f;

	for (const char *s = records; *s; s++)
		n += *s == '\n';
	if (asprintf(&text, "#flow 1 test\n%send\t%zu\n", records, n) < 0)
		abort();
	f = fmemopen(text, strlen(text), "r");
	struct flow *fl = flow_read(f, "t", error);
	fclose(f);
	free(text);
	return fl;
}

/* Limits the address space to 1 GiB, or ends that. */
static void few_bytes(bool limit)
{
	struct rlimit l;

	getrlimit(RLIMIT_AS, &l);
	l.rlim_cur = limit ? 1 << 30 : l.rlim_max;
	setrlimit(RLIMIT_AS, &l);
}

/* The model with one line replaced (or appended) must be refused. */
static void bad(const char *starts, const char *line, const char *message)
{
	char *text = NULL, *error = NULL, *copy = strdup(model), *save = copy, *l;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool done = false;

	while ((l = strsep(&save, "\n")) && *l) {
		bool here = !strncmp(l, starts, strlen(starts)) && !done;
		fprintf(f, "%s\n", here ? line : l);
		done |= here;
	}
	if (!done)
		fprintf(f, "%s\n", line);
	fclose(f);
	struct flow *fl = parse(text, &error);
	ok(!fl && error && strstr(error, message), line);
	if (fl || !strstr(error, message))
		printf("# %s, expected %s\n", error ? error : "accepted", message);
	flow_free(fl);
	free(error);
	free(text);
	free(copy);
}

static void good(void)
{
	const struct flow_unit *u;
	const struct flow_branch *b;
	enum flow_side side;
	size_t which;
	char *error;
	struct flow *fl = parse(model, &error);

	ok(fl && fl->units == 1, "the example is read");
	if (!fl) {
		printf("# %s\n", error);
		return;
	}
	const struct flow_func *f = flow_find(fl, "max", &u);
	ok(f && f->params == 2 && u->var[f->param[1] - 1].name[0] == 'b', "parameters in order");
	ok(flow_unit_by_key(fl, 0x3fbb1c80a7d3e211) == u && !flow_unit_by_key(fl, 1),
	    "unit by key");
	b = flow_outcome(u, 1, &side, &which);
	ok(b == &u->branch[0] && side == FLOW_FALSE, "outcome 1 is the false side");
	b = flow_outcome(u, 3, &side, &which);
	ok(b == &u->branch[1] && side == FLOW_CASE && which == 1 && b->value[1] == 7, "a case");
	b = flow_outcome(u, 4, &side, &which);
	ok(b == &u->branch[1] && side == FLOW_DEFAULT, "the default");
	ok(!flow_outcome(u, 5, &side, &which), "no such outcome");
	ok(u->calls == 1 && u->call[0].block == 2 && u->call[0].func == 1
	        && u->call[0].pos.line == 4,
	    "a call with its block and place");
	ok(u->type[0].enumerators == 1 && !strcmp(u->type[0].enumerator[0].name, "BLUE")
	        && u->type[0].enumerator[0].value == -2,
	    "an enumerator");
	flow_free(fl);
}

/* Function k of n calls those that `calls` says; 'p' through a pointer, 't' address taken. */
static void reach(const char *const *calls, size_t n, const char *flags, const char *expect)
{
	char *text = NULL, *error, got[16] = "";
	size_t size, inst = 0;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "unit\t1\tr.c\t0\t0\t%zu\n", n);
	for (size_t i = 0; i < n; i++) {
		fprintf(f, "func\t%zu\t%c\t0\t0\t0\t0\t0\t0\t%c\t%zu\t1\n", i + 1, 'a' + (int)i,
		    flags[i], i + 1);
		fprintf(f, "block\t%zu\t%zu\t0\t0\t0\n", i + 1, i + 1);
		for (const char *c = calls[i]; *c; c++) {
			fprintf(f, "inst\t%zu\t%zu\tcall\t0\t0\t0\t0\t@x\n", ++inst, i + 1);
			fprintf(f, "call\t%zu\t%.*s\t0\n", inst, *c != '*', c);
		}
	}
	fclose(f);
	struct flow *fl = parse(text, &error);
	if (!fl) {
		ok(false, error);
		return;
	}
	bool **mark = flow_reachable(fl, "a");
	for (size_t i = 0; i < n; i++)
		got[i] = mark[0][i] ? 'x' : '.';
	ok(!strcmp(got, expect), expect);
	flow_marks_free(fl, mark);
	flow_free(fl);
	free(text);
}

/* The model inside an executable, put there as instrument does; sections joined by the linker. */
static void program(void)
{
	static const char *const lines[] = { "#flow 1 t\n", "end\t%d\n", "unit\t1\ta.c\t0\t0\t1\n",
		"func\t1\ta\t0\t0\t0\t0\t0\t0\t-\t1\t1\n", "block\t1\t1\t0\t0\t0\n",
		"inst\t1\t1\tadd\t32\t0\t0\t0\t1\t2\n", "inst\t2\t1\tcall\t32\t0\t0\t0\t@b\n",
		"call\t2\tb\t0\n", "use\t1\t1\t0\t-\t0\t0\t0\t0\t4\tx\n" };
	char dir[] = "/tmp/flow-XXXXXX", *command, *path, *error = NULL;
	FILE *f;

	if (!mkdtemp(dir) || asprintf(&path, "%s/flow", dir) < 0
	    || asprintf(&command,
	           "cd %s && echo 'int main(void) { return 0; }' >p.c && cc -o e p.c &&"
	           " objcopy --add-section .duct_flow=flow e p",
	           dir)
	        < 0
	    || !(f = fopen(path, "w")))
		exit(1);
	free(path);
	for (int unit = 0; unit < 2; unit++) {
		fputs(lines[0], f);
		for (size_t i = 2; i < sizeof lines / sizeof *lines; i++)
			fputs(lines[i], f);
		fprintf(f, lines[1], (int)(sizeof lines / sizeof *lines) - 2);
		fwrite("\0\0", 1, 2, f);
	}
	fclose(f);
	if (system(command) || asprintf(&path, "%s/p", dir) < 0)
		exit(1);
	struct flow *fl = flow_read_program(path, &error);
	ok(fl && fl->units == 2 && fl->unit[1].calls == 1 && fl->unit[1].call[0].func == 1,
	    "the model in a program");
	if (error)
		printf("# %s\n", error);
	flow_free(fl);
	free(path);
	free(command);
	ok(!flow_read_program("/proc/self/exe", &error) && strstr(error, "not instrumented"),
	    "a program without");
	free(error);
	ok(!flow_read_program("/nowhere", &error) && strstr(error, "No such file"), "no program");
	free(error);
	ok(!flow_read_program("/dev/null", &error) && strstr(error, "not an executable"),
	    "no executable");
	free(error);
	if (asprintf(&command, "rm -rf %s", dir) < 0 || system(command))
		exit(1);
	free(command);
}

int main(void)
{
	good();
	program();
	reach((const char *const[]){ "b", "c", "", "c" }, 4, "----", "xxx.");
	reach((const char *const[]){ "b", "*", "", "a" }, 4, "--t-", "xxx.");
	reach((const char *const[]){ "b", "a", "", "a" }, 4, "--t-", "xx..");
	bad("newtag", "decision\t1\t2\tt\tf", "is a switch");
	bad("newtag", "decision\t1\t1\tt\tx", "branch");
	bad("newtag", "decision\t0\t1\tt\tf", "decision");
	bad("newtag", "decision\t1\t1\tt\tf\ndecision\t2\t1\tt\tf", "of two decisions");
	bad("newtag", "label\t9\te\tERROR", "block");
	bad("newtag", "label\t1\tx\tERROR", "kind");
	bad("unit", "unit\tzz\tmax.c\t2\t5\t3", "not hexadecimal");
	bad("unit", "unit\t1\tmax.c\t3\t5\t3", "the unit says 3 branches");
	bad("unit", "unit\t1\tmax.c\t2\t4\t3", "outcomes beyond");
	bad("unit", "unit\t1\tmax.c\t2\t1398058837\t3", "1398058837 outcomes, its branches have 5");
	few_bytes(true); /* no memory for blocks that a unit only says it has */
	bad("unit", "unit\t1\tmax.c\t2\t5\t4000000000", "4000000000 blocks, there are 2 and 3");
	few_bytes(false);
	bad("unit", "file\t1\tmax.c", "before the unit record");
	bad("file", "file\t2\tmax.c", "file 2 where 1 is next");
	bad("type\t1", "type\t1\tz\t4\t0\t0\tint %s", "kind is `z`");
	bad("type\t1", "type\t1\ti\t4\t1\t0\tint %s", "type is `1`");
	bad("func", "func\t1\tmax\t3\t1\t1\t5\t5\t1\t-\t1\t3", "type is `3`");
	bad("func", "func\t1\tmax\t2\t1\t1\t5\t5\t1\t-\t1\t4", "blocks 1 to 4 of 3");
	bad("var\t1", "var\t1\t2\tp\t1\t1\t1\t13\t1\ta", "function is `2`");
	bad("var\t1", "var\t1\t1\tp\t0\t1\t1\t13\t1\ta", "type is `0`");
	bad("var\t1", "var\t1\t0\tp\t1\t1\t1\t13\t1\ta", "variable of kind p");
	bad("block\t3", "block\t3\t9\t1\t4\t9", "function is `9`");
	bad("branch\t1", "branch\t1\t1\t4\tb\t0\t1\t2\t6\t0\t0\ta < b", "block is `4`");
	bad("case", "case\t1\t-1\t1\t3\t7", "no switch");
	bad("case", "case\t2\tx\t1\t3\t7", "value is `x`");
	bad("default", "way\t2\t2\t0", "a `way` that names no case");
	bad("default", "way\t2\t1\t1", "a `way` that names no case");
	bad("default", "way\t1\t1\t0", "a `way` that names no case");
	bad("default", "way\t2\t1\t0\ncase\t2\t9\t1\t3\t8", "a case after a `way`");
	bad("inst\t2", "inst\t3\t2\tcall\t32\t1\t4\t13\t@puts\t0", "inst 3 where 2 is next");
	bad("inst\t1", "inst\t1\t1\tstore\t32\t1\t1\t13\tx\t&1", "`x` is not an operand");
	bad("inst\t1", "inst\t1\t1\tstore\t32\t1\t1\t13\t^0\t&3", "`&3` is not an operand");
	bad("inst\t1", "inst\t1\t1\tstore\t32\t1\t1\t13\t^0", "`store` has 1 operand, needs 2");
	bad("inst\t1", "inst\t1\t1\tstore\t32\t1\t1\t13\t%3\t&1",
	    "an operand is instruction 3, but there are 2");
	bad("newtag", "home\t3\t0", "variable is `3`");
	bad("newtag", "static\tx", "variable is `x`");
	bad("newtag", "reloc\t&1\t8\t&9", "`&9` is not an operand");
	bad("def", "def\t1\t9\t1\te\t1\t1\t13\t0\t4\ta", "instruction is `9`");
	bad("call", "call\t9\tputs\t1", "instruction is `9`");
	bad("edge", "edge\t1\t4\t1\t0", "block is `4`");
	bad("member", "member\t1\tx\t1\t0\t0\t0", "has no members");
	bad("newtag", "enumerator\t3\tBLUE\t1", "type is `3`");
	bad("newtag", "enumerator\t2\tBLUE\t1", "type 2 is no enumeration");
	bad("enumerator", "enumerator\t1\tBLUE\t99999999999999999999",
	    "value is `99999999999999999999`");
	bad("enumerator", "enumerator\t1\tBLUE", "fields");
	bad("block\t4", "block\t4\t1\t1\t4\t9", "more blocks");
	return finish();
}
