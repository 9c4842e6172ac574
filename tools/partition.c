/* partition: which inputs need not be varied together; reads trace(5), writes blocks(5). */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/tool.h"
#include "lib/base/grow.h"
#include "lib/partition/partition.h"

static const char usage_text[] = "usage: partition [-cfhsV] [-b FILE] [FILE...]\n";

static const char help_text[] =
    "Reads traces of programs built with instrument --flows; writes the blocks of inputs that do\n"
    "not flow into one decision, and why blocks were merged. See partition(1), blocks(5).\n"
    "  -b, --blocks FILE    start from these blocks instead of one for each input\n"
    "  -f, --final          write the blocks once, after the last trace\n"
    "  -c, --check          do not merge the given blocks; report flows between them, with status 1\n"
    "  -h, --help           this text\n"
    "  -s, --share          with --final: an input that guards several blocks becomes a block of its own\n"
    "  -V, --version        version\n";

const struct tool tool = { "partition", usage_text, help_text };

/* The parts of the partition that are written. */
struct partition_writer {
	struct rec_writer w;
	const struct partition *p;
	size_t inputs, merges;
	bool begun, final;
};

static void write_inputs(struct partition_writer *d)
{
	for (; d->inputs < d->p->inputs; d->inputs++) {
		rec_putf(&d->w, "su", "block", (uint64_t)d->inputs + 1);
		rec_putf(
		    &d->w, "sus", "input", (uint64_t)d->inputs + 1, d->p->input[d->inputs].name);
	}
}

/* Begins the stream; the given blocks are merges into the block of their smallest input. */
static void begin(struct partition_writer *d)
{
	if (d->begun)
		return;
	d->begun = true;
	rec_begin(&d->w, stdout, "blocks", 1, "partition-" DUCT_VERSION);
	write_inputs(d);
	for (uint32_t i = 1; i <= d->p->inputs; i++)
		if (partition_class(d->p, i) != i)
			rec_putf(&d->w, "suusuus", "merge", (uint64_t)partition_class(d->p, i),
			    (uint64_t)i, "", (uint64_t)0, (uint64_t)0, "given");
}

static void write_merges(struct partition_writer *d, bool check)
{
	for (; d->merges < d->p->merges; d->merges++) {
		const struct partition_merge *m = &d->p->merge[d->merges];
		const char *a = d->p->input[m->a - 1].name, *b = d->p->input[m->b - 1].name;
		char *reason = reserved(strlen(a) + strlen(b) + 2, 1);
		sprintf(reason, "%s %s", a, b);
		rec_putf(&d->w, "suusuus", check ? "violation" : "merge", (uint64_t)m->block,
		    (uint64_t)m->with, m->line ? m->text : "", (uint64_t)m->line, (uint64_t)m->col,
		    m->line ? reason : m->text);
		free(reason);
	}
}

/* The new number of a block: how many begin before it. */
static uint64_t number_of(const struct partition *p, uint32_t block)
{
	uint64_t n = 0;
	for (uint32_t i = 1; i <= block; i++)
		n += partition_block(p, i) == i;
	return n;
}

static void write_guards(struct partition_writer *d)
{
	for (uint32_t i = 1; i <= d->p->inputs; i++) {
		uint32_t guard = partition_block(d->p, i) == i ? partition_guard(d->p, i) : 0;
		if (guard)
			rec_putf(&d->w, "suu", "guard", number_of(d->p, guard), number_of(d->p, i));
	}
}

/* The blocks that remain, numbered anew. */
static void write_final(struct partition_writer *d)
{
	uint64_t blocks = 0;
	d->begun = true;
	rec_begin(&d->w, stdout, "blocks", 1, "partition-" DUCT_VERSION);
	for (uint32_t i = 1; i <= d->p->inputs; i++) {
		uint32_t k = i;
		if (partition_block(d->p, i) != i)
			continue;
		rec_putf(&d->w, "su", "block", ++blocks);
		do
			rec_putf(&d->w, "sus", "input", blocks, d->p->input[k - 1].name);
		while ((k = partition_next(d->p, k)) != i);
	}
	write_guards(d);
}

static FILE *open_file(const char *name)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "r") : stdin;
	if (!f)
		tool_die(4, "%s: %s", name, strerror(errno));
	return f;
}

static void read_blocks(struct partition *p, const char *name)
{
	FILE *f = open_file(name);
	char *error;
	if (!partition_read(p, f, name, &error))
		tool_die(3, "%s", error);
	if (f != stdin)
		fclose(f);
}

static void read_traces(struct partition_writer *d, struct partition *p, const char *name)
{
	FILE *f = open_file(name);
	struct rec_reader *r = rec_open(f, f == stdin ? "stdin" : name, "trace", NULL);
	enum rec_status status = REC_ERROR;
	struct trace t;
	while ((status = trace_read(r, &t)) == REC_OK) {
		if (!d->final)
			begin(d);
		partition_learn(p, &t);
		trace_clear(&t);
		if (d->final)
			continue;
		write_inputs(d);
		write_merges(d, p->keep);
		fflush(stdout);
	}
	if (status == REC_ERROR)
		tool_die(3, "%s", rec_error(r));
	rec_close(r);
	if (f != stdin)
		fclose(f);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "blocks", required_argument, NULL, 'b' },
		{ "check", no_argument, NULL, 'c' },
		{ "final", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "share", no_argument, NULL, 's' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	const char *blocks = NULL;
	struct partition_writer d = { .p = partition_new() };
	struct partition *p = (struct partition *)d.p;
	int c, status;
	while ((c = getopt_long(argc, argv, "b:cfhsV", options, NULL)) != -1)
		switch (c) {
		case 'b': blocks = optarg; break;
		case 'c': p->keep = true; break;
		case 'f': d.final = true; break;
		case 'h': tool_help();
		case 's': p->share = true; break;
		case 'V': tool_version();
		default: tool_usage();
		}
	if (p->keep && !blocks)
		tool_die(2, "--check needs --blocks FILE, the blocks to check");
	if (p->share && !d.final)
		tool_die(2, "--share needs --final: guards are only known after the last trace");
	if (p->keep && d.final)
		tool_die(2, "--check and --final: only one of them can be given");
	if (blocks)
		read_blocks(p, blocks);
	for (int i = optind; i < argc || i == optind; i++)
		read_traces(&d, p, i < argc ? argv[i] : "-");
	status = p->keep && p->merges;
	if (d.final) {
		partition_settle(p);
		write_final(&d);
	}
	begin(&d);
	if (rec_end(&d.w))
		tool_unwritten();
	partition_free(p);
	return status;
}
