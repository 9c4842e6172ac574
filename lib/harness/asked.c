/* asked: plan steps for options of the user: functions to call first, assumptions, ranges, stubs
 * and rules for pointers. */
#include "lib/harness/inner.h"
#include "lib/harness/options.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* ---- stubs */

static uint32_t type_in(const struct flow_unit *u, const char *name)
{
	for (size_t k = 0; k < u->exts; k++)
		if (!strcmp(u->ext[k].name, name) && u->ext[k].type)
			return u->ext[k].type;
	for (size_t k = 0; k < u->funcs; k++)
		if (!strcmp(u->func[k].name, name) && u->func[k].is_harness
		    && !u->func[k].is_foreign)
			return u->func[k].type;
	return 0;
}

/* The type of a function that some unit calls, preferably the entry's, and that only the harness
 * defines; 0: none. */
static uint32_t type_of_extern(struct build *b, const char *name, const struct flow_unit **unit)
{
	uint32_t type = type_in(*unit = b->u, name);

	for (size_t i = 0; !type && i < b->flow->units; i++)
		type = type_in(*unit = &b->flow->unit[i], name);
	return type;
}

static bool has_stub(const struct build *b, const char *name)
{
	for (size_t i = 0; i < b->plan->n; i++)
		if (b->plan->step[i].kind == HARNESS_STUB && !strcmp(b->plan->step[i].name, name))
			return true;
	return false;
}

static bool takes_address(const struct flow_unit *u, const char *name)
{
	for (size_t i = 0; i < u->exts; i++)
		if (!strcmp(u->ext[i].name, name) && u->ext[i].address_taken)
			return true;
	return false;
}

/* Does a reached function call this one by its name? */
static bool calls(const struct flow_unit *u, const bool *reached, const char *name)
{
	for (size_t i = 0; i < u->calls; i++) {
		const struct flow_call *c = &u->call[i];
		bool runs = c->func
		    && (reached[c->func - 1] || u->func[c->func - 1].constructor
		        || u->func[c->func - 1].destructor);
		if (runs && c->callee && !strcmp(c->callee, name))
			return true;
	}
	return false;
}

/* Can the entry reach a call of the undefined function? Pointers lead only to functions whose
 * address some unit takes. */
static bool may_call(const struct build *b, const char *name)
{
	bool **reached = flow_reachable(b->flow, b->o->entry),
	     may = !reached || (b->o->init && *b->o->init);

	for (size_t i = 0; i < b->flow->units && !may; i++)
		may = takes_address(&b->flow->unit[i], name)
		    || calls(&b->flow->unit[i], reached[i], name);
	flow_marks_free(b->flow, reached);
	return may;
}

/* f: the stub, where the unit is compiled with it; NULL: it is not. */
static bool is_no_return(const struct flow *flow, const char *name, const struct flow_func *f)
{
	if (f && f->no_return)
		return true;
	for (size_t i = 0; i < flow->units; i++)
		for (size_t k = 0; k < flow->unit[i].exts; k++)
			if (flow->unit[i].ext[k].no_return
			    && !strcmp(flow->unit[i].ext[k].name, name))
				return true;
	return false;
}

static bool stub(struct build *b, const char *name, char **error)
{
	const struct flow_unit *u;
	const struct flow_func *f = flow_find(b->flow, name, &u);
	const struct flow_type *type;

	if (f && !f->is_harness) {
		*error = formatted(
		    "stub of '%s': %s:%u defines it, and only what is defined elsewhere can be a stub",
		    name, f->pos.file ? u->file[f->pos.file - 1] : u->name, f->pos.line);
		return false;
	}
	uint32_t number = type_of_extern(b, name, &u);
	type = harness_type(u, number);
	if (!type) {
		const char *near = suggest_extern(b->flow, name);
		*error = near
		    ? formatted("no function '%s' is called; did you mean '%s'", name, near)
		    : formatted("no function '%s' is called", name);
		return false;
	}
	size_t step = b->plan->n;
	harness_step(b, HARNESS_STUB, name, type->text, "",
	    (u != b->u ? HARNESS_FOREIGN : 0) | (b->stubs_found ? HARNESS_FOUND : 0)
	        | (is_no_return(b->flow, name, f) ? HARNESS_ENDS : 0));
	/* built already: its definition is weak if it may do more */
	bool whole = harness_result(b, u, type, name) && !(f && f->is_weak);
	if (step < b->plan->n && (b->stubs_found || !whole))
		b->plan->step[step].count |= HARNESS_MORE;
	if (b->stubs_found && may_call(b, name))
		harness_limit(b, "stub", name, 0);
	if (!b->stubs_found && !whole)
		harness_limit(b, "callback", name, 0);
	if (!b->stubs_found)
		fprintf(b->narrow,
		    "%s: a stub that returns any value, and changes only the targets of its arguments\n",
		    name);
	return true;
}

/* Adds stubs for functions that no file or library defines; the flow lists their names, one a
 * line. */
static bool found_stubs(struct build *b, char **error)
{
	char *all = b->u->stubs ? copied(b->u->stubs) : NULL, *save = all, *name;

	b->stubs_found = true;
	while (!*error && (name = strsep(&save, "\n")))
		if (*name && *name != '-' && !harness_is_variable(b->flow, name)
		    && !has_stub(b, name) && !stub(b, name, error)) {
			free(*error);
			*error = formatted(
			    "nothing defines '%s': add the file or the library that does", name);
		}
	b->stubs_found = false;
	free(all);
	return !*error;
}

bool harness_stubs(struct build *b, char **error)
{
	for (const char *const *s = b->o->stub; s && *s; s++)
		if (!has_stub(b, *s) && !stub(b, *s, error))
			return false;
	return found_stubs(b, error);
}

/* ---- functions that are called first */

static bool init(struct build *b, const char *name, char **error)
{
	const struct flow_unit *u = NULL;
	const struct flow_func *f = flow_find(b->flow, name, &u);
	const char *near = f ? NULL : suggest_function(b->flow, name);
	const struct flow_type *t = f ? harness_type(u, f->type) : NULL;

	if (!f)
		*error = near
		    ? formatted("no function '%s' to call first; did you mean '%s'", name, near)
		    : formatted("no function '%s' to call first", name);
	else if (f->params)
		*error = formatted(
		    "'%s' takes parameters: only a function without can be called first", name);
	else if (f->is_static && u != b->u)
		*error = formatted("'%s' is static in another file than the entry", name);
	if (*error)
		return false;
	harness_step(b, HARNESS_INIT, name, u == b->u || !t ? "" : t->text, "", 0);
	fprintf(b->narrow, "%s() is called first\n", name);
	return true;
}

bool harness_inits(struct build *b, char **error)
{
	for (const char *const *s = b->o->init; s && *s; s++)
		if (!init(b, *s, error))
			return false;
	return true;
}

/* ---- assumptions */

static char *one_line(const char *text)
{
	char *line = copied(text);

	for (char *s = line; *s; s++)
		if (*s == '\n' || *s == '\t')
			*s = ' ';
	return line;
}

static void tell(struct build *b, const char *what, const char *place)
{
	fprintf(b->narrow, "%s%s%s%s\n", what, *place ? " (" : "", place, *place ? ")" : "");
}

/* "@FILE:LINE EXPR" or "EXPR": returns EXPR; *place: "FILE:LINE" or "", freed by the caller. */
static const char *split_place(const char *s, char **place)
{
	size_t n = strcspn(s, " ");

	*place = *s == '@' ? copied_part(s + 1, n - 1) : copied("");
	return *s == '@' ? s + n + (s[n] == ' ') : s;
}

static void between(struct build *b, const char *name, const char *low, const char *high,
    const char *words, const char *place)
{
	char *text = *low && *high ? formatted("%s >= %s && %s <= %s", name, low, name, high)
	    : *low                 ? formatted("%s >= %s", name, low)
	                           : formatted("%s <= %s", name, high);

	harness_step(b, HARNESS_ASSUME, text, words, place, 0);
	free(text);
}

static bool is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

/* The names of parameters of types of these kinds, for messages. Caller frees. */
static char *parameters(const struct build *b, const char *kinds)
{
	const struct flow_unit *u;
	const struct flow_func *f = flow_find(b->flow, b->o->entry, &u);
	char *text = NULL;
	size_t size, n = 0;
	FILE *out = text_stream(&text, &size);

	for (size_t i = 0; f && i < f->params; i++) {
		const struct flow_var *v = &b->u->var[f->param[i] - 1];
		const struct flow_type *t = harness_type(b->u, v->type);
		if (t && strchr(kinds, t->kind) && *v->name)
			fprintf(out, "%s%s", n++ ? ", " : "", v->name);
	}
	fclose(out);
	return text;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char letters_and_digits[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* The message if the text begins with a name that is neither a parameter nor a variable of the
 * file; else NULL. The compiler checks texts that begin otherwise, such as `*p`. */
static char *no_number(struct build *b, const char *text, const char *name)
{
	size_t n = strspn(name, letters) ? strspn(name, letters_and_digits) : 0;
	char *base = copied_part(name, n), *all, *bad = NULL;

	if (n && !harness_lvalue(b, base) && !harness_global(b->u, base)) {
		all = parameters(b, "iucbf");
		bad = formatted("range '%s': no parameter or variable '%s'%s%s", text, base,
		    *all ? "; parameters that are numbers: " : "", all);
		free(all);
	}
	free(base);
	return bad;
}

/* Are both numbers, and low the larger one? Expressions are judged by the runs. */
static bool is_reversed(const char *low, const char *high)
{
	char *end, *last;
	long long from = strtoll(low, &end, 0), to = strtoll(high, &last, 0);

	return end > low && !*end && last > high && !*last && from > to;
}

/* NAME=LOW..HIGH; NAME[*]: every element. */
static bool range(struct build *b, const char *given, const char *place, char **error)
{
	char *text = one_line(given);
	const char *eq = strchr(text, '='), *dots = eq ? strstr(eq, "..") : NULL;

	if (!dots || eq == text || (dots == eq + 1 && !dots[2])) {
		*error = formatted("range '%s': expected NAME=LOW..HIGH", text);
		free(text);
		return false;
	}
	char *name = copied_part(text, (size_t)(eq - text)),
	     *low = copied_part(eq + 1, (size_t)(dots - eq - 1));
	const struct flow_type *t =
	    strstr(name, "[*]") ? NULL : harness_type(b->u, harness_lvalue(b, name));
	*error = no_number(b, text, name);
	if (!*error && t && !strchr("iucbf", t->kind))
		*error = formatted("range '%s': '%s' is not a number", text, name);
	if (!*error && is_reversed(low, dots + 2))
		*error = formatted("range '%s': LOW is more than HIGH", text);
	if (!*error && !strstr(name, "[*]"))
		between(b, name, low, dots + 2, text, place);
	if (!*error)
		tell(b, text, place);
	free(name);
	free(low);
	free(text);
	return !*error;
}

/* ---- rules for pointers */

/* Writes `p->q` as `p[0].q`, as in the names of inputs. */
static char *canonical(const char *s, size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	for (size_t i = 0; i < n; i++)
		if (i + 1 < n && s[i] == '-' && s[i + 1] == '>') {
			fputs("[0].", f);
			i++;
		} else {
			putc(s[i], f);
		}
	fclose(f);
	return text;
}

static void rule(struct build *b, const char *name, const char *value, const char *kind)
{
	harness_step(b, HARNESS_RULE, name, value, kind, !is_number(value));
}

static char *no_pointer(struct build *b, const char *name)
{
	const struct flow_type *t = harness_type(b->u, harness_lvalue(b, name));
	char *all, *text;

	if (t && (t->kind == 'p' || t->kind == 'a'))
		return NULL;
	all = parameters(b, "pa");
	text = formatted("no pointer '%s' among the inputs%s%s", name,
	    *all ? "; parameters that are one: " : "; no parameter is one", all);
	free(all);
	return text;
}

/* Refuses --len and --string of a stream, and --string of a pointer to no characters. */
static char *no_length(struct build *b, const char *text, const char *name, const char *kind)
{
	const struct flow_type *t = harness_type(b->u, harness_lvalue(b, name)),
	                       *of = t ? harness_type(b->u, t->of) : NULL;

	if (of && harness_is_stream(of))
		return formatted(
		    "length '%s': '%s' is a stream, whose content grows by itself", text, name);
	if (of && !strcmp(kind, "string") && !strchr("iucbv", of->kind))
		return formatted("string '%s': '%s' does not point to characters", text, name);
	return NULL;
}

/* Runs have this much room for objects (lib/runtime/grow.c); more digits do not fit 63 bits. */
enum { MOST_BYTES = 128 << 20, DIGITS = 18 };

/* The type that the pointer NAME of a text NAME=... points to. */
static const struct flow_type *element(const struct build *b, const char *text)
{
	char *name = canonical(text, strcspn(text, "="));
	const struct flow_type *t = harness_type(b->u, harness_lvalue(b, name));

	free(name);
	return t ? harness_type(b->u, t->of) : NULL;
}

/* A size is a number of elements for which there is room, or an expression over integer parameters.
 * The compiler checks other names in it, such as macros. */
static char *bad_size(const struct build *b, const char *text, const char *value)
{
	const struct flow_type *of = element(b, text);
	uint64_t each = of && of->size ? of->size : 1, most = MOST_BYTES / each;

	if (is_number(value) && (strlen(value) > DIGITS || strtoull(value, NULL, 10) > most))
		return formatted("length '%s': an object has at most %llu elements of this type",
		    text, (unsigned long long)most);
	while (!is_number(value) && *(value += strcspn(value, letters))) {
		size_t n = strspn(value, letters_and_digits);
		while (value[n] == '.' && strspn(value + n + 1, letters))
			n += 1 + strspn(value + n + 1, letters_and_digits);
		char *name = copied_part(value, n);
		const struct flow_type *t = harness_type(b->u, harness_lvalue(b, name));
		char *all = t && !strchr("iucb", t->kind) ? parameters(b, "iucb") : NULL,
		     *bad = !all ? NULL
		    : *all
		    ? formatted("length '%s': '%s' is no integer; what a length can depend on: %s",
		          text, name, all)
		    : formatted(
		          "length '%s': '%s' is no integer; %s() has no parameter that is one",
		          text, name, b->o->entry);
		free(all);
		free(name);
		if (bad)
			return bad;
		value += n;
	}
	return NULL;
}

/* LOW..HIGH of numbers: is it empty? */
static bool is_empty(const char *low, const char *dots)
{
	return is_number(dots + 2) && strspn(low, "0123456789") == (size_t)(dots - low)
	    && strtoull(low, NULL, 10) > strtoull(dots + 2, NULL, 10);
}

static bool length(struct build *b, const char *text, const char *kind, char **error)
{
	const char *eq = strchr(text, '='), *dots = eq ? strstr(eq, "..") : NULL;

	if (!eq || !eq[1] || eq[1] == '-' || (!strcmp(kind, "string") && !is_number(eq + 1))) {
		*error = formatted("length '%s': expected NAME=N%s", text,
		    strcmp(kind, "string") ? ", NAME=LOW..HIGH or NAME=EXPRESSION" : "");
		return false;
	}
	char *name = canonical(text, (size_t)(eq - text));
	if (!(*error = no_pointer(b, name)))
		*error = no_length(b, text, name, kind);
	if (!*error && dots && is_empty(eq + 1, dots))
		*error = formatted("length '%s': LOW is more than HIGH", text);
	if (!*error)
		*error = bad_size(b, text, dots ? dots + 2 : eq + 1);
	if (!*error)
		rule(b, name, dots ? dots + 2 : eq + 1, dots ? "most" : kind);
	if (!*error)
		fprintf(b->narrow,
		    strcmp(kind, "string") ? "%s: %s elements\n"
		                           : "%s: a string of up to %s characters\n",
		    name, eq + 1);
	free(name);
	return !*error;
}

/* number: of the group, which its rules have as their value; 0 where a pointer is apart from all.
 */
static bool group(
    struct build *b, const char *list, const char *kind, unsigned number, char **error)
{
	char value[16] = "0";

	if (strchr(list, ','))
		snprintf(value, sizeof value, "%u", number);
	for (const char *s = list, *end; s && !*error; s = *end ? end + 1 : NULL) {
		end = strchrnul(s, ',');
		char *name = canonical(s, (size_t)(end - s));
		bool all = !strcmp(kind, "distinct") && !strcmp(name, "all");
		*error = all ? NULL : no_pointer(b, name);
		if (!*error)
			rule(b, all ? "*" : name, all ? "0" : value, kind);
		free(name);
	}
	if (!*error)
		fprintf(b->narrow, "%s: %s\n", list,
		    strcmp(kind, "distinct") ? "may be the same object" : "distinct objects");
	return !*error;
}

/* A range for every element of inputs that are created during the run. */
static void elements(struct build *b, const char *given, char **error)
{
	char *place;
	const char *text = split_place(given, &place), *eq = strchr(text, '='),
	           *dots = eq ? strstr(eq, "..") : NULL;

	free(place);
	if (!dots || !strstr(text, "[*]") || strstr(text, "[*]") > eq)
		return;
	char *name = canonical(text, (size_t)(eq - text)),
	     *low = copied_part(eq + 1, (size_t)(dots - eq - 1));
	if (!harness_lvalue(b, name))
		*error = formatted("range '%s': '%.*s' is no array among the inputs", text,
		    (int)strcspn(name, "["), name);
	if (!*error && *low)
		rule(b, name, low, "low");
	if (!*error && dots[2])
		rule(b, name, dots + 2, "high");
	free(name);
	free(low);
}

bool harness_rules(struct build *b, char **error)
{
	for (const char *const *s = b->o->len; s && *s && !*error; s++)
		length(b, *s, "exact", error);
	for (const char *const *s = b->o->string; s && *s && !*error; s++)
		length(b, *s, "string", error);
	for (const char *const *s = b->o->may_alias; s && *s && !*error; s++)
		group(b, *s, "alias", 0, error);
	for (const char *const *s = b->o->distinct; s && *s && !*error; s++)
		group(b, *s, "distinct", (unsigned)(s - b->o->distinct) + 1, error);
	for (const char *const *s = b->o->range; s && *s && !*error; s++)
		elements(b, *s, error);
	return !*error;
}

bool harness_assumes(struct build *b, char **error)
{
	char *place;

	for (const char *const *s = b->o->range; s && *s && !*error; s++) {
		const char *text = split_place(*s, &place);
		range(b, text, place, error);
		free(place);
	}
	for (const char *const *s = b->o->assume; s && *s && !*error; s++) {
		char *text = one_line(split_place(*s, &place));
		if (!*text)
			*error = formatted("an empty assumption");
		harness_step(b, HARNESS_ASSUME, text, text, place, 0);
		tell(b, text, place);
		free(text);
		free(place);
	}
	return !*error;
}
