/* trace: records survive a round trip, malformed ones are refused where they stand, and no
 * content of a channel does harm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/protocol/op.h"
#include "lib/trace/trace.h"
#include "tests/unit/tap.h"

static const char whole[] = "#trace 1 test\n"
                            "trace\t7\n"
                            "unit\t1\tabcdef0123456789\t3\t8\t5\t0\n"
                            "unit\t2\t2\t1\t2\t1\t1\n"
                            "var\t1\ta\ti\t32\tfffffffe\n"
                            "var\t2\tp[0].x\tc\t8\t41\n"
                            "var\t3\twide\tu\t128\t123456789abcdef0fedcba9876543210\n"
                            "e\t1\tinput\t32\t1\tfffffffe\n"
                            "e\t2\tconst\t32\t5\n"
                            "e\t3\tslt\t1\t1\t2\t1\n"
                            "branch\t1\t1\t3\t1\n"
                            "e\t4\tinput\t8\t2\t41\n"
                            "switch\t1\t2\t4\t3\t41\n"
                            "e\t5\ttable\t0\t00ff1020\n"
                            "e\t6\tzext\t64\t4\t41\n"
                            "e\t7\tconst\t64\t3\n"
                            "e\t8\tand\t64\t6\t7\t1\n"
                            "e\t9\tule\t1\t8\t7\t1\n"
                            "e\t10\tread\t8\t5\t8\tff\n"
                            "e\t11\tstore\t0\t5\t8\t4\n"
                            "address\t1\t8\t5\t11\t10\t55550000\t4\t55550001\t1\n"
                            "bounds\t1\t2\t9\t1\t1\n"
                            "lost\t1\t2\tsymbolic value into printf\n"
                            "limit\tsize\tp[0].x\t64\n"
                            "limit\tobjects\t\t8\n"
                            "need\tnull\tp[0].next\t0\n"
                            "e\t12\teq\t1\t4\t4\t1\n"
                            "assume\t1\t0\t12\t1\n"
                            "assume-branch\t1\t3\t3\t1\t1\n"
                            "assert\t1\t0\t12\t1\n"
                            "model\t2\t1\t12\t1\n"
                            "bounds\t1\t2\t0\t1\t1\n"
                            "check\t1\t31\t12\t1\toverflow\t1\n"
                            "check\t1\t32\t0\t0\tdiv\t0\n"
                            "call\t1\t4\n"
                            "effect\t1\t4\t1\t7\n"
                            "return\t1\t4\n"
                            "e\t13\tinput\t128\t3\tfedcba9876543210\n"
                            "e\t14\textract\t16\t13\t64\tdef0\n"
                            "e\t15\tconcat\t40\t1\t4\tfffffffe41\n"
                            "e\t16\tite\t8\t3\t4\t4\t41\n"
                            "cover\t1\t0\t3\t7\n"
                            "cover\t2\t1\n"
                            "block\t1\t1\t5\n"
                            "way\t1\t1\t1\t5\t1\n"
                            "way\t3\t2\t1\n"
                            "gone\t3\t2\td5\tl7\n"
                            "pair\t1\td3\t1\tu4\t2\tsame\n"
                            "pair\t0\t-\t1\tl9\tc\tbefore\n"
                            "pair\t2\td1\t1\tu4\tc\tcallee\t1\t12\n"
                            "unpaired\t1\t9\tqsort\n"
                            "fault\t1\t2\t33\tf.c\tx > 0\n"
                            "at\t32\n"
                            "result\t-4\n"
                            "output\tone\\ntwo\\x00\\\\\n"
                            "promise\tkept\t3\n"
                            "done\tassert\t6\t100\t12\t1\n"
                            "end\t56\n";

static enum rec_status read_text(
    const char *text, size_t n, struct trace *t, char *message, size_t size)
{
	FILE *f = fmemopen((void *)text, n, "r");
	struct rec_reader *r = rec_open(f, "in", "trace", NULL);
	enum rec_status status = trace_read(r, t);
	struct trace more;

	if (status == REC_OK && trace_read(r, &more) == REC_ERROR) {
		trace_clear(t);
		status = REC_ERROR;
	}
	snprintf(message, size, "%s", status == REC_ERROR ? rec_error(r) : "");
	rec_close(r);
	fclose(f);
	return status;
}

static void round_trip(void)
{
	char *out = NULL, message[200];
	size_t size = 0;
	struct rec_writer w;
	struct trace t;
	FILE *f;

	if (read_text(whole, sizeof whole - 1, &t, message, sizeof message) != REC_OK) {
		printf("# %s\n", message);
		ok(false, "a whole trace is read");
		return;
	}
	ok(t.id == 7 && t.units == 2 && t.vars == 3 && t.nodes == 16 && t.events == 17
	        && t.limits == 2 && t.needs == 1 && t.addresses == 1 && t.losts == 1
	        && t.covers == 4 && t.blocks == 2 && t.blob_size == 4,
	    "a whole trace is read");
	ok(t.var[2].value.hi == 0x123456789abcdef0 && t.var[2].value.lo == 0xfedcba9876543210
	        && t.output_size == 9 && t.end == END_ASSERT && t.signal == 6 && t.result == -4
	        && t.promise == PROMISE_KEPT && t.promised == 3 && t.fault_inst == 32
	        && !strcmp(t.fault_message, "x > 0"),
	    "its values");
	ok(!trace_check(&t, message, sizeof message), "it is sound");
	f = open_memstream(&out, &size);
	rec_begin(&w, f, "trace", 1, "test");
	trace_write(&w, &t);
	rec_end(&w);
	fclose(f);
	ok(!strcmp(out, whole), "it is written as it was read");
	if (strcmp(out, whole))
		printf("%s", out);
	free(out);
	trace_clear(&t);
}

/* The whole trace with one line replaced is refused at that line. */
static void refuse(const char *line, const char *by)
{
	char text[8192], message[200], want[40], title[200];
	const char *at = strstr(whole, line);
	struct trace t;
	int n = 1;
	const char *p;

	if (!at) {
		ok(false, line);
		return;
	}
	for (p = whole; p < at; p++)
		n += *p == '\n';
	snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, by, at + strlen(line));
	snprintf(want, sizeof want, "in:%d: ", n);
	if (read_text(text, strlen(text), &t, message, sizeof message) == REC_OK)
		trace_clear(&t);
	snprintf(title, sizeof title, "%s", *message ? message : by);
	ok(!strncmp(message, want, strlen(want)), title);
}

static void refusals(void)
{
	refuse("trace\t7\n", "trace\t0\n");
	refuse("trace\t7\n", "var\t1\ta\ti\t32\t1\n");
	refuse("unit\t2\t2\t1\t2\t1\t1\n", "unit\t3\t2\t1\t2\t1\t1\n");
	refuse("unit\t2\t2\t1\t2\t1\t1\n", "unit\t2\txyz\t1\t2\t1\t1\n");
	refuse("var\t1\ta\ti\t32\tfffffffe\n", "var\t1\t\ti\t32\tfffffffe\n");
	refuse("var\t1\ta\ti\t32\tfffffffe\n", "var\t1\ta\tq\t32\tfffffffe\n");
	refuse("var\t1\ta\ti\t32\tfffffffe\n", "var\t1\ta\ti\t32\t1fffffffe\n");
	refuse("var\t1\ta\ti\t32\tfffffffe\n", "var\t1\ta\ti\t0\t0\n");
	refuse("e\t1\tinput\t32\t1\tfffffffe\n", "e\t1\tinput\t32\t4\tfffffffe\n");
	refuse("e\t1\tinput\t32\t1\tfffffffe\n", "e\t1\tinput\t32\t0\tfffffffe\n");
	refuse("e\t1\tinput\t32\t1\tfffffffe\n", "e\t1\tinput\t16\t1\tfffe\n");
	refuse("e\t3\tslt\t1\t1\t2\t1\n", "e\t3\tslt\t1\t1\t4\t1\n");
	refuse("e\t3\tslt\t1\t1\t2\t1\n", "e\t3\tslt\t32\t1\t2\t1\n");
	refuse("e\t3\tslt\t1\t1\t2\t1\n", "e\t3\tslt\t1\t0\t2\t1\n");
	refuse("e\t3\tslt\t1\t1\t2\t1\n", "e\t3\tslt\t1\t1\t2\t2\n");
	refuse("e\t3\tslt\t1\t1\t2\t1\n", "e\t3\tslt\t1\t1\t2\n");
	refuse("e\t3\tslt\t1\t1\t2\t1\n", "e\t3\tmagic\t1\t1\t2\t1\n");
	refuse("e\t3\tslt\t1\t1\t2\t1\n", "e\t4\tslt\t1\t1\t2\t1\n");
	refuse("e\t5\ttable\t0\t00ff1020\n", "e\t5\ttable\t0\t00ff102\n");
	refuse("e\t5\ttable\t0\t00ff1020\n", "e\t5\ttable\t8\t00ff1020\n");
	refuse("e\t5\ttable\t0\t00ff1020\n", "e\t5\ttable\t0\t\n");
	refuse("e\t10\tread\t8\t5\t8\tff\n", "e\t10\tread\t8\t4\t8\tff\n");
	refuse("e\t10\tread\t8\t5\t8\tff\n", "e\t10\tread\t7\t5\t8\t7f\n");
	refuse("e\t11\tstore\t0\t5\t8\t4\n", "e\t11\tstore\t0\t5\t4\t4\n");
	refuse("e\t14\textract\t16\t13\t64\tdef0\n", "e\t14\textract\t16\t13\t113\tdef0\n");
	refuse("e\t15\tconcat\t40\t1\t4\tfffffffe41\n", "e\t15\tconcat\t41\t1\t4\tfffffffe41\n");
	refuse("e\t6\tzext\t64\t4\t41\n", "e\t6\tzext\t4\t4\t1\n");
	refuse("branch\t1\t1\t3\t1\n", "branch\t1\t4\t3\t1\n");
	refuse("branch\t1\t1\t3\t1\n", "branch\t3\t1\t3\t1\n");
	refuse("branch\t1\t1\t3\t1\n", "branch\t1\t1\t9\t1\n");
	refuse("branch\t1\t1\t3\t1\n", "branch\t1\t1\t3\t0\n");
	refuse("branch\t1\t1\t3\t1\n", "branch\t1\t1\t2\t1\n");
	refuse("branch\t1\t1\t3\t1\n", "branch\t1\t1\t0\t1\n");
	refuse("switch\t1\t2\t4\t3\t41\n", "switch\t1\t2\t4\t8\t41\n");
	refuse("switch\t1\t2\t4\t3\t41\n", "switch\t1\t2\t4\t3\t42\n");
	refuse("bounds\t1\t2\t9\t1\t1\n", "bounds\t1\t2\t9\t1\t2\n");
	refuse("check\t1\t31\t12\t1\toverflow\t1\n", "check\t1\t31\t12\t1\toverflw\t1\n");
	refuse("check\t1\t31\t12\t1\toverflow\t1\n", "check\t1\t31\t12\t0\toverflow\t1\n");
	refuse("check\t1\t31\t12\t1\toverflow\t1\n", "check\t1\t0\t12\t1\toverflow\t1\n");
	refuse("check\t1\t32\t0\t0\tdiv\t0\n", "check\t1\t32\t0\t1\tdiv\t0\n");
	refuse("check\t1\t32\t0\t0\tdiv\t0\n", "check\t1\t32\t0\t0\tdiv\t2\n");
	refuse("effect\t1\t4\t1\t7\n", "effect\t1\t0\t1\t7\n");
	refuse("effect\t1\t4\t1\t7\n", "effect\t1\t4\t1\t7\t1\n");
	refuse("effect\t1\t4\t1\t7\n", "effect\t1\t4\t1\n");
	refuse("address\t1\t8\t5\t11\t10\t55550000\t4\t55550001\t1\n",
	    "address\t1\t8\t4\t11\t10\t55550000\t4\t55550001\t1\n");
	refuse("cover\t1\t0\t3\t7\n", "cover\t1\t0\t3\t8\n");
	refuse("cover\t1\t0\t3\t7\n", "cover\t1\t3\t3\n");
	refuse("block\t1\t1\t5\n", "block\t1\t0\n");
	refuse("block\t1\t1\t5\n", "block\t1\t6\n");
	refuse("way\t3\t2\t1\n", "way\t3\t2\t2\n");
	refuse("way\t3\t2\t1\n", "way\t3\t3\t1\n");
	refuse("way\t3\t2\t1\n", "way\t99\t2\t1\n");
	refuse("way\t3\t2\t1\n", "way\t0\t2\t1\n");
	refuse("way\t3\t2\t1\n", "way\t3\t2\n");
	refuse("gone\t3\t2\td5\tl7\n", "gone\t3\t2\td5\tu7\n");
	refuse("gone\t3\t2\td5\tl7\n", "gone\t3\t2\t-\n");
	refuse("gone\t3\t2\td5\tl7\n", "gone\t2\t2\td5\n");
	refuse("gone\t3\t2\td5\tl7\n", "gone\t3\t3\td5\n");
	refuse("gone\t3\t2\td5\tl7\n", "gone\t3\t2\n");
	refuse("fault\t1\t2\t33\tf.c\tx > 0\n", "fault\t1\t6\t33\tf.c\tx > 0\n");
	refuse("lost\t1\t2\tsymbolic value into printf\n", "lost\t1\t2\t\n");
	refuse("limit\tobjects\t\t8\n", "limit\t\t\t8\n");
	refuse("limit\tobjects\t\t8\n", "limit\tobjects\t8\n");
	refuse("need\tnull\tp[0].next\t0\n", "need\tnull\tp[0].next\t-1\n");
	refuse("pair\t1\td3\t1\tu4\t2\tsame\n", "pair\t1\td3\t3\tu4\t2\tsame\n");
	refuse("pair\t1\td3\t1\tu4\t2\tsame\n", "pair\t1\tu3\t1\tu4\t2\tsame\n");
	refuse("pair\t1\td3\t1\tu4\t2\tsame\n", "pair\t1\td3\t1\td4\t2\tsame\n");
	refuse("pair\t1\td3\t1\tu4\t2\tsame\n", "pair\t1\td0\t1\tu4\t2\tsame\n");
	refuse("pair\t1\td3\t1\tu4\t2\tsame\n", "pair\t1\td3\t1\t-\t2\tsame\n");
	refuse("pair\t1\td3\t1\tu4\t2\tsame\n", "pair\t1\td3\t1\tu4\t8\tsame\n");
	refuse("pair\t1\td3\t1\tu4\t2\tsame\n", "pair\t1\td3\t1\tu4\t2\tnever\n");
	refuse("pair\t1\td3\t1\tu4\t2\tsame\n", "pair\t1\td3\t1\tu4\t2\tsame\t1\n");
	refuse("unpaired\t1\t9\tqsort\n", "unpaired\t3\t9\tqsort\n");
	refuse("promise\tkept\t3\n", "promise\tbroken\t3\n");
	refuse("done\tassert\t6\t100\t12\t1\n", "done\tboredom\t6\t100\t12\t1\n");
	refuse("done\tassert\t6\t100\t12\t1\n", "trace\t8\n");
	refuse("end\t56\n", "end\t46\n");
	refuse("#trace 1 test\n", "#trace 1 test\n#need luck\n" + 14);
}

/* No prefix of a trace is taken for a whole one, and no changed byte does harm. */
static void rubbish(void)
{
	char text[sizeof whole], message[200];
	struct trace t;
	bool good = true;
	unsigned seed = 1;
	size_t n;
	int i;

	for (n = 0; n < sizeof whole - 1; n++)
		if (read_text(n ? whole : " ", n ? n : 1, &t, message, sizeof message)
		    != REC_ERROR) {
			good = false;
			trace_clear(&t);
		}
	ok(good, "every cut is an error");
	for (i = 0; i < 10000; i++) {
		memcpy(text, whole, sizeof whole);
		for (n = 0; n < 3; n++) {
			seed = seed * 1103515245 + 12345;
			text[(seed >> 8) % (sizeof whole - 1)] = (char)(seed >> 24);
		}
		if (read_text(text, sizeof whole - 1, &t, message, sizeof message) == REC_OK) {
			good &= !trace_check(&t, message, sizeof message);
			trace_clear(&t);
		}
	}
	ok(good, "changed bytes are refused or harmless");
}

/* ---- channels */

#define SIZE ((size_t)1 << 16)

static struct channel_area area(uint64_t offset, uint64_t used)
{
	return (struct channel_area){ offset, 4096, used };
}

static void make_channel(struct channel *c)
{
	char *base = (char *)c;
	struct channel_var v = { .name = 16, .kind = 'i', .width = 32 };
	const struct channel_node n[3] = {
		{ .op = OP_INPUT, .width = 32, .a = 0, .value = 0 },
		{ .op = OP_CONST, .width = 32, .value = 7 },
		{ .op = OP_EQ, .width = 1, .a = 1, .b = 2, .c = 99, .value = 0 },
	};
	const struct channel_event e[4] = {
		{ .kind = EV_BRANCH, .id = 1, .node = 3, .x = 0 },
		{ .kind = EV_LOST, .id = 1, .x = 24 },
		{ .kind = EV_LIMIT, .x = 64, .y = 40 },
		{ .kind = EV_NEED, .node = 3, .x = 2, .y = 48 },
	};
	const struct channel_unit u = { .key = 5, .branches = 1, .outcomes = 20, .blocks = 30 };

	memset(c, 0, SIZE);
	c->size = SIZE;
	c->node = area(4096, sizeof n);
	c->var = area(8192, sizeof v);
	c->event = area(12288, sizeof e);
	c->address = area(16384, 0);
	c->blob = area(20480, 60);
	c->cover = area(24576, 50);
	c->unit = area(28672, sizeof u);
	memcpy(base + 4096, n, sizeof n);
	memcpy(base + 8192, &v, sizeof v);
	memcpy(base + 12288, e, sizeof e);
	memcpy(base + 28672, &u, sizeof u);
	strcpy(base + 20480 + 16, "x");
	strcpy(base + 20480 + 24, "a reason");
	strcpy(base + 20480 + 40, "size p");
	strcpy(base + 20480 + 48, "null ");
	base[24576 + 1] = base[24576 + 19] = base[24576 + 20] = base[24576 + 49] = 1;
}

static void channels(void)
{
	struct channel *c = calloc(1, SIZE), *copy = malloc(SIZE);
	static const struct {
		size_t from, size;
	} regions[] = {
		{ 0, sizeof(struct channel) },
		{ 4096, 72 },
		{ 8192, 40 },
		{ 12288, 128 },
		{ 28672, 40 },
		{ 20480, 60 },
	};
	unsigned seed = 3, good = 0, bad = 0;
	char *error = NULL, buf[100];
	struct trace t;
	int i, k;

	make_channel(c);
	ok(!trace_from_channel(c, SIZE, &t, &error) && t.nodes == 3 && t.node[2].c == 0
	        && t.events == 4 && t.losts == 1 && !strcmp(t.lost[0].reason, "a reason")
	        && t.event[1].x == 0 && !strcmp(t.var[0].name, "x") && t.covers == 2
	        && t.cover[0].outcome == 1 && t.cover[1].outcome == 19 && t.blocks == 2
	        && t.block[0].block == 1 && t.block[1].block == 30,
	    "a channel becomes a trace");
	ok(t.limits == 1 && !strcmp(t.limit[0].kind, "size") && !strcmp(t.limit[0].name, "p")
	        && t.limit[0].value == 64 && t.needs == 1 && !strcmp(t.need[0].kind, "null")
	        && !*t.need[0].name && t.need[0].value == 2 && !t.event[3].node
	        && t.event[2].x == 0,
	    "with its limits and needs");
	trace_clear(&t);
	((struct channel_event *)((char *)c + 12288))[3].y = 40;
	ok(trace_from_channel(c, SIZE, &t, &error) && !strcmp(error, "event 4: no limit"),
	    "but none that share a text");
	free(error);
	((struct channel_event *)((char *)c + 12288))[3].y = 48;
	for (i = 0; i < 50000; i++) {
		size_t region;

		seed = seed * 1103515245 + 12345;
		region = (seed >> 10) % 6;
		memcpy(copy, c, SIZE);
		for (k = 0; k < 2; k++) {
			seed = seed * 1103515245 + 12345;
			((uint8_t *)
			        copy)[regions[region].from + (seed >> 8) % regions[region].size] ^=
			    (uint8_t)(seed >> 24);
		}
		if (trace_from_channel(copy, SIZE, &t, &error)) {
			free(error);
			bad++;
		} else {
			good++;
			if (error || trace_check(&t, buf, sizeof buf))
				failures++;
			trace_clear(&t);
		}
	}
	printf("# %u channels accepted, %u refused\n", good, bad);
	ok(good && bad, "no content of a channel does harm");
	free(c);
	free(copy);
}

int main(void)
{
	round_trip();
	refusals();
	rubbish();
	channels();
	return finish();
}
