/* write: writes traces as records (man5 trace). */
#include <stdio.h>
#include <string.h>

#include "lib/protocol/op.h"
#include "lib/protocol/checks.h"
#include "lib/trace/hex.h"

static const char *const event_name[EV_KINDS] = {
	[EV_BRANCH] = "branch",
	[EV_SWITCH] = "switch",
	[EV_ASSUME] = "assume",
	[EV_ASSUME_BRANCH] = "assume-branch",
	[EV_ASSERT] = "assert",
	[EV_MODEL] = "model",
	[EV_BOUNDS] = "bounds",
	[EV_LOST] = "lost",
	[EV_CALL] = "call",
	[EV_RETURN] = "return",
	[EV_CHECK] = "check",
	[EV_TAKEN] = "taken",
	[EV_ASKED] = "asked",
	[EV_EFFECT] = "effect",
	[EV_LIMIT] = "limit",
	[EV_NEED] = "need",
	[EV_ALIAS] = "alias",
};

/* Progress: expressions, addresses and possible pairs are written before the first event that
 * refers to them. */
struct trace_writer {
	struct rec_writer *w;
	const struct trace *t;
	size_t nodes, addresses, possibles;
};

static uint64_t unit_id(const struct trace *t, uint32_t unit)
{
	return unit < t->units ? (uint64_t)unit + 1 : 0;
}

static void write_units(struct rec_writer *w, const struct trace *t)
{
	size_t i;

	for (i = 0; i < t->units; i++) {
		const struct trace_unit *u = &t->unit[i];

		rec_str(w, "unit");
		rec_num(w, i + 1);
		rec_hex(w, u->key);
		rec_num(w, u->branches);
		rec_num(w, u->outcomes);
		rec_num(w, u->blocks);
		rec_num(w, u->flags);
		rec_eol(w);
	}
}

static void write_vars(struct rec_writer *w, const char *tag, const struct trace_var *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++, v++) {
		rec_str(w, tag);
		rec_num(w, i + 1);
		rec_str(w, v->name);
		rec_mem(w, (const char *)&v->kind, 1);
		rec_num(w, v->width);
		hex_put(w, v->value);
		if (v->offset)
			rec_num(w, v->offset);
		rec_eol(w);
	}
}

/* Writes the bytes of a table as one field of hex digit pairs. */
static void write_table(struct rec_writer *w, const uint8_t *p, size_t n)
{
	static const char digit[] = "0123456789abcdef";
	size_t i;

	rec_num(w, 0);
	rec_mem(w, "", 0);
	for (i = 0; i < n; i++) {
		putc_unlocked(digit[p[i] >> 4], w->f);
		putc_unlocked(digit[p[i] & 15], w->f);
	}
	rec_eol(w);
}

static void write_node(struct trace_writer *d, size_t i)
{
	const struct channel_node *n = &d->t->node[i];
	struct rec_writer *w = d->w;
	int arity = op_arity(n->op);

	rec_str(w, "e");
	rec_num(w, i + 1);
	rec_str(w, op_name(n->op));
	if (n->op == OP_TABLE) {
		write_table(w, d->t->blob + n->a, n->b);
		return;
	}
	rec_num(w, n->width);
	if (n->op == OP_INPUT)
		rec_num(w, (uint64_t)n->a + 1);
	else if (arity > 0)
		rec_num(w, n->a);
	if (n->op == OP_EXTRACT)
		rec_num(w, n->c);
	else if (arity > 1)
		rec_num(w, n->b);
	if (arity > 2)
		rec_num(w, n->c);
	if (n->op != OP_STORE)
		rec_hex(w, n->value);
	rec_eol(w);
}

static void need_node(struct trace_writer *d, uint32_t node)
{
	while (d->nodes < node)
		write_node(d, d->nodes++);
}

static void need_address(struct trace_writer *d, uint64_t address)
{
	while (d->addresses < address) {
		const struct channel_address *a = &d->t->address[d->addresses++];

		need_node(d, a->node);
		need_node(d, a->array_before);
		need_node(d, a->array_after);
		need_node(d, a->value);
		rec_str(d->w, "address");
		rec_num(d->w, d->addresses);
		rec_num(d->w, a->node);
		rec_num(d->w, a->array_before);
		rec_num(d->w, a->array_after);
		rec_num(d->w, a->value);
		rec_hex(d->w, a->object);
		rec_num(d->w, a->object_size);
		rec_hex(d->w, a->address);
		rec_num(d->w, a->bytes);
		rec_eol(d->w);
	}
}

/* Writes a kind's letter and number; `-` for none. */
static void write_number(struct rec_writer *w, uint8_t kind, uint32_t number)
{
	char buf[16];

	snprintf(buf, sizeof buf, "%c%u", kind, (unsigned)number);
	rec_str(w, kind ? buf : "-");
}

static void write_pair(struct rec_writer *w, const char *what, const struct channel_pair *p)
{
	rec_str(w, what);
	rec_num(w, p->def_kind ? p->def_unit + 1u : 0);
	write_number(w, p->def_kind, p->def);
	rec_num(w, p->use_unit + 1u);
	write_number(w, p->use_kind, p->use);
	if (p->outcome == DUCT_PAIR_C)
		rec_str(w, "c");
	else
		rec_num(w, p->outcome);
	rec_str(w, trace_when_name(p->when));
	if (p->site) {
		rec_num(w, p->site_unit + 1u);
		rec_num(w, p->site);
	}
	rec_eol(w);
}

static void need_possible(struct trace_writer *d, uint32_t pair)
{
	while (d->possibles < pair)
		write_pair(d->w, "possible", &d->t->possible[d->possibles++]);
}

static void write_limit(struct rec_writer *w, const char *tag, const struct trace_limit *l)
{
	rec_putf(w, "sssu", tag, l->kind, l->name, l->value);
}

static void write_event(struct trace_writer *d, const struct channel_event *e)
{
	struct rec_writer *w = d->w;

	if (e->kind == EV_LIMIT || e->kind == EV_NEED) {
		write_limit(w, event_name[e->kind],
		    e->kind == EV_LIMIT ? &d->t->limit[e->x] : &d->t->need[e->x]);
		return;
	}
	need_node(d, e->node);
	if (e->kind == EV_ALIAS) {
		need_possible(d, e->id);
		rec_putf(w, "suuu", "alias", (uint64_t)e->id, (uint64_t)e->node, e->x);
		return;
	}
	if (e->kind == EV_BOUNDS)
		need_address(d, e->y);
	rec_str(w, event_name[e->kind]);
	rec_num(w, unit_id(d->t, e->unit));
	rec_num(w, e->id);
	if (e->kind == EV_LOST) {
		rec_str(w, d->t->lost[e->x].reason);
	} else if (e->kind == EV_RETURN && e->flags & 1) {
		rec_num(w, e->x);
		if (e->node)
			rec_num(w, e->node);
	} else if (e->kind == EV_EFFECT) {
		rec_num(w, e->y);
		rec_num(w, e->x);
		if (e->node)
			rec_num(w, e->node);
	} else if (e->kind != EV_CALL && e->kind != EV_RETURN) {
		if (!trace_is_note(e))
			rec_num(w, e->node);
		rec_num(w, e->x);
		if (e->kind == EV_TAKEN && e->node)
			rec_num(w, e->node);
	}
	if (e->kind == EV_SWITCH)
		rec_hex(w, e->y);
	else if (e->kind == EV_BOUNDS)
		rec_num(w, e->y);
	else if (e->kind == EV_CHECK)
		rec_str(w, check_name((unsigned)e->y));
	if (e->kind == EV_ASSUME_BRANCH || e->kind == EV_CHECK)
		rec_num(w, e->flags & 1);
	rec_eol(w);
}

/* Writes numbers of one unit in one record, at most 64. */
static void write_cover(
    struct rec_writer *w, const char *tag, const struct trace_cover *c, size_t n)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++, k++) {
		if (!k || k == 64 || c[i].unit != c[i - 1].unit) {
			if (k)
				rec_eol(w);
			rec_str(w, tag);
			rec_num(w, (uint64_t)c[i].unit + 1);
			k = 0;
		}
		rec_num(w, c[i].outcome);
	}
	if (k)
		rec_eol(w);
}

static void write_fault(struct rec_writer *w, const struct trace *t)
{
	if (!t->fault_block && !t->fault_line && !t->fault_file && !t->fault_message)
		return;
	rec_str(w, "fault");
	rec_num(w, t->fault_block ? unit_id(t, t->fault_unit) : 0);
	rec_num(w, t->fault_block);
	rec_num(w, t->fault_line);
	rec_str(w, t->fault_file ? t->fault_file : "");
	rec_str(w, t->fault_message ? t->fault_message : "");
	rec_eol(w);
	if (t->fault_inst)
		rec_putf(w, "su", "at", (uint64_t)t->fault_inst);
}

static void write_end(struct rec_writer *w, const struct trace *t)
{
	write_fault(w, t);
	if (t->has_result) {
		rec_str(w, "result");
		rec_int(w, t->result);
		rec_eol(w);
	}
	write_vars(w, "wrote", t->wrote, t->wrotes);
	if (t->output_size) {
		rec_str(w, "output");
		rec_mem(w, t->output, t->output_size);
		rec_eol(w);
	}
	if (t->promise != PROMISE_NONE) {
		rec_str(w, "promise");
		rec_str(w, t->promise == PROMISE_KEPT ? "kept" : "missed");
		rec_num(w, t->promised);
		rec_eol(w);
	}
	rec_str(w, "done");
	rec_str(w, trace_end_name(t->end));
	rec_num(w, (uint64_t)(t->end == END_EXIT ? t->exit_status : t->signal));
	rec_num(w, t->steps);
	rec_num(w, t->cpu_us);
	rec_num(w, t->left_behind);
	rec_eol(w);
}

/* Blocks of one unit after the same number of events share a record, at most 64; likewise
 * definitions that are gone. */
static void write_way(struct rec_writer *w, const struct trace *t)
{
	const struct trace_step *s = t->step;
	size_t i, k = 0;

	for (i = 0; i < t->path; i++, k++) {
		if (!k || k == 64 || s[i].unit != s[i - 1].unit || s[i].events != s[i - 1].events
		    || !s[i].block != !s[i - 1].block) {
			if (k)
				rec_eol(w);
			rec_str(w, s[i].block ? "way" : "gone");
			rec_num(w, s[i].events);
			rec_num(w, (uint64_t)s[i].unit + 1);
			k = 0;
		}
		if (s[i].block)
			rec_num(w, s[i].block);
		else
			write_number(w, s[i].kind, s[i].def);
	}
	if (k)
		rec_eol(w);
}

static void write_flows(struct rec_writer *w, const struct trace *t)
{
	size_t i;

	for (i = 0; i < t->meets; i++) {
		const struct trace_meet *m = &t->meet[i];

		if (m->kind == MEET_DECIDES)
			rec_putf(w, "su", "decides", (uint64_t)m->a);
		else if (m->a)
			rec_putf(w, "suuuus", m->kind == MEET_GUARD ? "guard" : "meet",
			    (uint64_t)m->a, (uint64_t)m->b, (uint64_t)m->line, (uint64_t)m->col,
			    m->text);
		else
			rec_putf(w, "ss", "unfollowed", m->text);
	}
	if (t->flows)
		rec_putf(w, "suuu", "flows", (uint64_t)t->control, (uint64_t)t->risk, t->learned);
}

void trace_write(struct rec_writer *w, const struct trace *t)
{
	struct trace_writer d = { .w = w, .t = t };
	size_t i;

	rec_str(w, "trace");
	rec_num(w, t->id);
	rec_eol(w);
	write_units(w, t);
	write_vars(w, "var", t->var, t->vars);
	for (i = 0; i < t->events; i++)
		write_event(&d, &t->event[i]);
	need_node(&d, (uint32_t)t->nodes);
	need_address(&d, t->addresses);
	write_cover(w, "cover", t->cover, t->covers);
	write_cover(w, "block", (const struct trace_cover *)t->block, t->blocks);
	write_way(w, t);
	for (i = 0; i < t->pairs; i++)
		write_pair(w, "pair", &t->pair[i]);
	need_possible(&d, (uint32_t)t->possibles);
	if (t->unaliased & UNALIASED_ALL)
		rec_putf(w, "ss", "unaliased", "all");
	if (t->unaliased & UNALIASED_READS)
		rec_putf(w, "ss", "unaliased", "reads");
	for (i = 0; i < t->unpaireds; i++) {
		rec_str(w, "unpaired");
		rec_num(w, t->unpaired[i].unit + 1u);
		rec_num(w, t->unpaired[i].place);
		rec_str(w, t->unpaired[i].reason);
		rec_eol(w);
	}
	write_flows(w, t);
	write_end(w, t);
}
