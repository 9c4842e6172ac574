/* needs: conditions that functions expect their callers to meet, shown by runs that end because an
 * object which duct made in place of the caller violates one. A null pointer that the same function
 * compares with NULL is a finding instead (Engler et al., Bugs as Deviant Behavior: contradictory
 * beliefs). A comparison in another function is no contradiction, as helpers serve callers with and
 * without that need. Nor is `while (i < n) use(p[i++]); if (p) free(p);`, where p is not needed if
 * n is 0, unless every path to the comparison leads through the access, or the run executed the
 * comparison. */
#include "lib/protocol/op.h"
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITIONS = 256, NODES = 2000 }; /* examined in a run; examined of one condition */
enum { ADDRESS = 64 };                   /* bits */

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The length of P in the name of an input `P?`, which says whether the pointer P is NULL; 0: it is
 * another input. */
static size_t pointer_of(const char *name)
{
	size_t n = strlen(name);

	return n > 1 && name[n - 1] == '?' ? n - 1 : 0;
}

/* Do two pointers of the run point to the same object? Then a comparison of one with NULL says
 * nothing about the other, although both may have the same name. */
static bool is_shared(const struct trace *t)
{
	for (size_t i = 0; i < t->vars; i++)
		if (pointer_of(t->var[i].name) && t->var[i].value.lo > 1)
			return true;
	return false;
}

static bool is_tested(const struct store *s, const char *name, size_t n)
{
	for (size_t i = 0; i < s->testeds; i++)
		if (!strncmp(s->tested[i].name, name, n) && !s->tested[i].name[n])
			return true;
	return false;
}

/* Does the function that has the access contradict itself about the pointer (see above)? */
static bool is_contradiction(const struct store *s, const struct need *n)
{
	bool is = false;

	for (size_t i = 0; i < s->testeds && !is; i++) {
		const struct tested *t = &s->tested[i];
		if (n->func && t->unit == n->unit && t->func == n->func && same(t->name, n->name))
			is = !n->numbered || t->run == n->run
			    || store_dominates(&s->flow->unit[n->unit - 1], n->block, t->block);
	}
	return is;
}

/* Does the run have a pointer that is not yet known to be compared with NULL, or that would become
 * a finding by a comparison? */
static bool any_untested(const struct store *s, const struct trace *t)
{
	for (size_t i = 0; i < s->needs; i++)
		if (s->need[i].test.end == END_NULL && !s->need[i].finding)
			return true;
	for (size_t i = 0; i < t->vars; i++) {
		size_t n = pointer_of(t->var[i].name);
		if (n && !is_tested(s, t->var[i].name, n))
			return true;
	}
	return false;
}

/* Is the pointer input compared with 0 here: 1 + input; 0: no. */
static uint32_t compared_with_null(const struct trace *t, const struct channel_node *eq)
{
	const struct channel_node *a, *b;

	if (eq->op == OP_INPUT && eq->width == 1 && pointer_of(t->var[eq->a].name))
		return 1 + eq->a;
	if (eq->op != OP_EQ)
		return 0;
	a = &t->node[eq->a - 1], b = &t->node[eq->b - 1];
	return a->op == OP_INPUT && b->op == OP_CONST && !b->value && pointer_of(t->var[a->a].name)
	    ? 1 + a->a
	    : 0;
}

/* The only pointer that a condition compares with NULL, as 1 + input; 0: none or several, or the
 * condition is too large. A comparison of two addresses is not such a comparison: it is about the
 * objects that they point to, or about their values as numbers. */
static uint32_t only_pointer(
    const struct trace *t, uint32_t condition, uint32_t *stamp, uint32_t round)
{
	uint32_t stack[NODES], found = 0, room = NODES;
	size_t n = 0;

	stack[n++] = condition;
	while (n) {
		const struct channel_node *node = &t->node[stack[--n] - 1];
		uint32_t operand[3] = { node->a, node->b, node->c },
		         var = compared_with_null(t, node);
		if (var && found && found != var)
			return 0;
		found = var ? var : found;
		if (!var && node->op == OP_INPUT && pointer_of(t->var[node->a].name))
			return 0;
		for (int i = 0; i < (var ? 0 : op_arity(node->op)); i++) {
			if (!operand[i] || stamp[operand[i] - 1] == round
			    || t->node[operand[i] - 1].width >= ADDRESS)
				continue;
			if (!room--)
				return 0;
			stamp[operand[i] - 1] = round;
			stack[n++] = operand[i];
		}
	}
	return found;
}

/* By node: is it, or is one of its operands or of theirs, a pointer input? */
static bool *about_pointers(const struct trace *t)
{
	bool *is = zeroed(t->nodes + 1, sizeof *is), *var = zeroed(t->vars + 1, sizeof *var);

	for (size_t i = 0; i < t->vars; i++)
		var[i] = pointer_of(t->var[i].name);
	for (size_t i = 1; i <= t->nodes; i++) {
		const struct channel_node *n = &t->node[i - 1];
		int operands = op_arity(n->op);
		is[i] = n->op == OP_INPUT ? var[n->a]
		                          : (operands > 0 && is[n->a]) || (operands > 1 && is[n->b])
		        || (operands > 2 && is[n->c]);
	}
	free(var);
	return is;
}

/* NULL, 0 or (void *)0 at the start of a text. */
static bool is_null_constant(const char *s)
{
	size_t n;

	s += strspn(s, " \t(");
	n = strcspn(s, " \t)=!");
	return (n == 4 && !strncmp(s, "NULL", n)) || (n == 1 && *s == '0') || !strncmp(s, "void", 4)
	    || (n == 7 && !strncmp(s, "nullptr", n));
}

/* Does the source compare two pointers? If one is NULL in this run, the trace has a comparison of
 * the other with 0, which does not mean that the function checks it for NULL. */
static bool compares_pointers(const struct flow_branch *b)
{
	const char *at = b->text ? strstr(b->text, "==") : NULL;

	at = at || !b->text ? at : strstr(b->text, "!=");
	return at && !is_null_constant(at + 2) && !is_null_constant(b->text);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool store_has_word(const char *text, const char *name, size_t n)
{
	const char *at = text;
	size_t begin;

	while (n && !is_word(name[n - 1]))
		n--;
	for (begin = n; begin && is_word(name[begin - 1]); begin--)
		;
	for (n -= begin, name += begin; n && *at; at++)
		if (!strncmp(at, name, n) && !is_word(at[n]) && (at == text || !is_word(at[-1])))
			return true;
	return false;
}

/* For a condition whose outcome is known when the run reaches it: is it about the pointer of that
 * name itself, not about one derived from it, such as the result of strchr()? Its text then has the
 * last word of the name, and no call. */
static bool is_about(const struct flow_branch *b, const char *name, size_t n)
{
	const char *text = b->text ? b->text : "";

	for (const char *c = text; (c = strchr(c, '(')); c++)
		if (c > text && is_word(c[-1]))
			return false;
	return store_has_word(text, name, n);
}

/* Notes that this run compares the pointer with NULL. */
static void note_test(
    struct store *s, const char *name, size_t n, uint32_t unit, const struct flow_branch *at)
{
	struct tested *t;

	for (size_t i = 0; i < s->testeds; i++) {
		t = &s->tested[i];
		if (t->unit == unit && t->block == at->block && !strncmp(t->name, name, n)
		    && !t->name[n]) {
			t->run = s->runs;
			return;
		}
	}
	*PUSH(s->tested, s->testeds) =
	    (struct tested){ copied_part(name, n), unit, at->func, at->block, s->runs };
}

static void find_tests(struct store *s, const struct trace *t)
{
	uint32_t *stamp = zeroed(t->nodes + 1, sizeof *stamp), round = 0;
	bool *asks = about_pointers(t);

	for (size_t i = 0; i < t->events && round < CONDITIONS; i++) {
		const struct channel_event *e = &t->event[i];
		if ((e->kind != EV_BRANCH && e->kind != EV_TAKEN) || !e->node || e->unit >= t->units
		    || t->unit[e->unit].flags & 1)
			continue;
		round++;
		uint32_t var = asks[e->node] ? only_pointer(t, e->node, stamp, round) : 0;
		const char *name = var ? t->var[var - 1].name : "";
		const struct flow_branch *at;
		size_t n = pointer_of(name);
		uint32_t unit = n ? store_unit(s, t, e->unit) : 0;
		if (!unit || !e->id || e->id > s->flow->unit[unit - 1].branches)
			continue;
		at = &s->flow->unit[unit - 1].branch[e->id - 1];
		/* a macro that compares its argument with NULL after a use of the pointer does not
		 * count */
		if ((e->kind == EV_TAKEN && (at->of_macro || !is_about(at, name, n)))
		    || compares_pointers(at))
			continue;
		note_test(s, name, n, unit, at);
	}
	free(stamp);
	free(asks);
}

/* Turns the need into a finding: the run that showed it becomes a test, which also covers what it
 * covered before the fault. */
static void make_finding(struct store *s, struct need *n)
{
	struct kept_test *k;

	n->finding = n->dirty = true;
	k = PUSH(s->test, s->pending_tests);
	*k = n->test;
	k->number = ++s->tests;
	for (int aim = 0; aim < STORE_AIMS; aim++) {
		for (size_t i = 0; i < k->covers[aim].n; i++)
			k->fresh |= known_cover(s, (enum store_aim)aim, k->covers[aim].at[i]);
		known_credit(&s->known[aim], &k->covers[aim], k->number);
	}
	n->number = k->number;
	n->test = (struct kept_test){ 0 };
	store_fail_null(s, n->file, n->line, n->function, k->message, n->number);
}

/* Have both names the same parameter? All needs about a list or tree of structures behind one
 * parameter count as one. */
static bool same_root(const char *a, const char *b)
{
	size_t n = strcspn(a, "[.#?"), m = strcspn(b, "[.#?");

	return n == m && !strncmp(a, b, n);
}

static struct need *find(struct store *s, const struct need *like)
{
	for (size_t i = 0; i < s->needs; i++) {
		struct need *n = &s->need[i];
		if (same(n->kind, like->kind) && same(n->file, like->file) && n->line == like->line
		    && same(n->function, like->function) && same_root(n->name, like->name))
			return n;
	}
	return NULL;
}

/* Keeps the run as a test, in case the need turns out to be a finding. */
static void keep_test(
    struct store *s, struct need *n, const struct store_run *run, struct covers *covers)
{
	store_test_free(&n->test);
	n->test = (struct kept_test){ 0 };
	n->run = s->runs;
	n->block = run->trace->fault_block;
	n->numbered = store_goes_with_number(s, run->trace, n->name);
	store_order(s, run->trace, &covers[STORE_BRANCHES]);
	store_fill_test(s, run, covers, &n->test);
	for (int i = 0; i < STORE_AIMS; i++)
		covers[i].at = NULL; /* the test owns it now */
	n->test.end = END_NULL;
	n->test.signal = SIGSEGV;
	n->test.failure = true;
	free(n->test.message);
	n->test.message = formatted("%s is NULL here, and the function tests it for that", n->name);
}

/* Finds the need with the kind, name and place of `like`, or adds it. */
static struct need *note(struct store *s, const struct need *like)
{
	struct need *n = find(s, like);

	if (n) {
		n->value = like->value > n->value ? like->value : n->value;
		n->dirty = true;
	} else {
		n = PUSH(s->need, s->needs);
		*n = *like;
		n->kind = copied(like->kind);
		n->name = copied(like->name);
	}
	n->count++;
	return n;
}

static struct need at_fault(struct store *s, const struct trace *t, const struct trace_limit *need)
{
	struct need like = {
		.kind = need->kind, .name = need->name, .value = need->value, .dirty = true
	};
	const struct flow_pos *pos = store_need_pos(s, t);

	like.file = store_place_of(s, t, t->fault_unit, t->fault_block, &like.line, &like.function);
	like.line = pos ? pos->line : like.line;
	like.line = t->fault_line ? t->fault_line : like.line;
	return like;
}

void store_needs_note(struct store *s, const struct trace *t, const struct trace_limit *need)
{
	struct need like = at_fault(s, t, need);

	note(s, &like);
}

void store_needs_loop(struct store *s, const struct flow_unit *u, const struct flow_branch *b)
{
	struct need like = { .kind = "loop",
		.name = b->text ? b->text : "",
		.dirty = true,
		.file = b->pos.file ? u->file[b->pos.file - 1] : u->name,
		.line = b->pos.line,
		.function = u->func[b->func - 1].name };

	note(s, &like);
}

void store_needs_index(struct store *s, const struct trace *t, const struct trace_limit *need,
    const struct check_place *at)
{
	static const char *const kinds[] = { "range", "most", "inside" };
	struct need like = at_fault(s, t, need), *n = NULL;

	if (at) {
		like.file = store_place_file(s, at);
		like.function = store_place_function(s, at);
		like.line = at->check->pos.line;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !n; i++) {
		like.kind = kinds[i];
		n = find(s, &like);
	}
	like.kind = need->kind;
	if (n && (n->value != like.value || strcmp(n->kind, like.kind))) {
		free((char *)(uintptr_t)n->kind);
		n->kind = copied(like.kind = "inside");
		n->value = like.value = 0;
	}
	note(s, &like);
}

/* Did this run compare the pointer with NULL, while the stored one did not? */
static bool tests_too(const struct store *s, const struct need *n)
{
	for (size_t i = 0; i < s->testeds; i++) {
		const struct tested *t = &s->tested[i];
		if (t->run == s->runs && t->unit == n->unit && t->func == n->func
		    && same(t->name, n->name))
			return n->test.end == END_NULL;
	}
	return false;
}

static void add(struct store *s, const struct store_run *run, const struct trace_limit *l,
    struct covers *covers)
{
	const struct trace *t = run->trace;
	struct need like = at_fault(s, t, l), *n;

	like.unit = like.function ? store_unit(s, t, t->fault_unit) : 0;
	like.func = like.unit ? s->flow->unit[like.unit - 1].block_func[t->fault_block - 1] : 0;
	n = note(s, &like);
	if (!is_shared(t) && !n->finding && (!n->alone || tests_too(s, n))) {
		n->alone = true;
		free((char *)(uintptr_t)n->name);
		n->name = copied(l->name);
		if (!strcmp(l->kind, "null"))
			keep_test(s, n, run, covers);
	}
}

void store_needs_add(struct store *s, const struct store_run *run, struct covers *covers)
{
	const struct trace *t = run->trace;
	size_t known = s->testeds;

	if (!is_shared(t) && (t->needs || any_untested(s, t)))
		find_tests(s, t);
	for (size_t i = 0; i < t->needs; i++)
		add(s, run, &t->need[i], covers);
	if (s->assume_needs || (!t->needs && s->testeds == known))
		return;
	for (size_t i = 0; i < s->needs; i++) {
		struct need *n = &s->need[i];
		if (!n->finding && n->test.end == END_NULL && is_contradiction(s, n))
			make_finding(s, n);
	}
}

int store_write_needs(struct store *s)
{
	for (size_t i = 0; i < s->needs; i++) {
		const struct need *n = &s->need[i];
		if (n->dirty && !n->count
		    && store_do(s, "DELETE FROM need WHERE session = ? AND number = ?", "in",
		        s->session, (int)i + 1))
			return -1;
		if (n->dirty && n->count
		    && store_do(s,
		        "INSERT OR REPLACE INTO need VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		        "inttuttnuu", s->session, (int)i + 1, n->kind, n->name, n->value,
		        n->function, n->file, (int)n->line, n->number, n->count))
			return -1;
	}
	return 0;
}

/* With wider limits, the runs that showed needs may end normally. */
void store_needs_widened(struct store *s)
{
	for (size_t i = 0; i < s->needs; i++)
		if (!strcmp(s->need[i].kind, "cycle")) {
			s->need[i].count = 0;
			s->need[i].dirty = true;
		}
}

void store_needs_written(struct store *s)
{
	for (size_t i = 0; i < s->needs; i++)
		s->need[i].dirty = false;
}

void store_needs_free(struct store *s)
{
	for (size_t i = 0; i < s->needs; i++) {
		free((char *)(uintptr_t)s->need[i].kind);
		free((char *)(uintptr_t)s->need[i].name);
		store_test_free(&s->need[i].test);
	}
	for (size_t i = 0; i < s->testeds; i++)
		free(s->tested[i].name);
	free(s->need);
	map_close(&s->assigned);
	free(s->tested);
}
