/* The symbolic environment: sizes from the channel's setup area, bytes of standard input and of
 * files as inputs one by one (the library models in share/libc ask for them), and arguments and
 * environment variables made of inputs before main goes on. */
#include "lib/runtime/rt.h"

extern void duct_model_start(int *argc, char ***argv, char ***envp)
    __attribute__((visibility("hidden")));

/* Next entry of the area after `p` (NULL: the first), or NULL. */
static const char *next_entry(const char *p)
{
	const struct channel_area *a = &duct_channel->setup;
	const char *base = duct_area(a), *end = base + a->used;

	p = p ? p + duct_length(p) + 1 : base;
	return p < end ? p : NULL;
}

/* The text behind `prefix` at s; NULL: s does not begin with it. */
static const char *skip(const char *s, const char *prefix)
{
	while (*prefix)
		if (*s++ != *prefix++)
			return NULL;
	return s;
}

static uint64_t decimal(const char *s)
{
	uint64_t v = 0;

	while (*s >= '0' && *s <= '9')
		v = v * 10 + (uint64_t)(*s++ - '0');
	return v;
}

/* The last `=` of an entry parts name and size. */
static const char *size_of(const char *s)
{
	const char *found = NULL;

	for (; *s; s++)
		if (*s == '=')
			found = s;
	return found;
}

static bool is_named(const char *s, const char *name)
{
	const char *rest = skip(s, name);

	return rest && *rest == '=' && rest == size_of(s);
}

uint64_t duct_rt_setup(const char *prefix, const char *name)
{
	const char *e, *s;

	if (!duct_channel || !duct_channel->setup.used)
		return 0;
	for (e = next_entry(NULL); e; e = next_entry(e))
		if ((s = skip(e, prefix)) && is_named(s, name))
			return decimal(size_of(s) + 1);
	return 0;
}

static size_t append(char *to, size_t n, const char *s)
{
	while (*s && n < 4000)
		to[n++] = *s++;
	to[n] = 0;
	return n;
}

void duct_rt_input_byte(void *p, const char *name, uint64_t index)
{
	char text[4096];
	size_t n = append(text, 0, name);

	text[n++] = '[';
	n += duct_digits(text + n, index);
	text[n++] = ']';
	text[n] = 0;
	duct_rt_input(p, 1, text, "c1");
}

void duct_rt_input_length(uint32_t *p, const char *name)
{
	char text[4096];

	append(text, append(text, 0, name), ".len");
	duct_rt_input(p, sizeof *p, text, "u4");
}

/* ---- sizes that grow */

int duct_rt_describes(void)
{
	return duct_channel && duct_channel->setup.used;
}

int duct_rt_environment(void)
{
	return duct_rt_setup("", "environment") != 0;
}

uint64_t duct_rt_grown(const char *name)
{
	static const struct {
		const char *name;
		uint64_t first;
	} sizes[] = {
		{ "args", 3 },
		{ "environ", 3 },
		{ "files", 3 },
		{ "text", 16 },
		{ "stdin", 16 },
		{ "file", 16 },
	};
	uint64_t size = duct_rt_setup("grow:", name);

	for (size_t i = 0; !size && i < sizeof sizes / sizeof *sizes; i++)
		if (duct_same_text(sizes[i].name, name))
			size = sizes[i].first;
	return size;
}

/* ---- arguments and environment */

/* Texts whose size duct chose, which a person would call argument N, or variable NAME. */
struct bounded {
	struct bounded *next;
	uintptr_t end;
	const char *kind, *name;
	uint64_t size;
};
static struct bounded *bounded;

static void note_bound(const char *name, uintptr_t end, uint64_t size)
{
	const char *rest = skip(name, "argv[");
	struct bounded *b = duct_arena(sizeof *b);
	char *text = duct_arena(duct_length(name) + 1);
	bool first = rest && duct_same_text(rest, "0]");

	*b = (struct bounded){ bounded, end, first ? "arg0" : rest ? "arg" : "env", text, size };
	append(text, 0, first ? "" : rest ? rest : skip(name, "env."));
	if (rest && !first)
		text[duct_length(text) - 1] = 0;
	bounded = b;
}

void duct_text_limit(uintptr_t a)
{
	for (const struct bounded *b = bounded; b; b = b->next)
		if (b->end == a)
			duct_limit(b->kind, b->name, b->size);
}

static char *symbolic_text(const char *before, const char *name, uint64_t size)
{
	size_t n = duct_length(before);
	char *s = (char *)duct_grow_place(n + size + 1);

	append(s, 0, before);
	for (uint64_t i = 0; i < size; i++)
		duct_rt_input_byte(s + n + i, name, i);
	duct_object_add((uintptr_t)s, n + size + 1, DUCT_OBJECT_INPUT, false);
	if (size && duct_rt_environment() && (skip(name, "argv[") || skip(name, "env.")))
		note_bound(name, (uintptr_t)s + n + size, size);
	return s;
}

char *duct_rt_text(const char *name, uint64_t size)
{
	return symbolic_text("", name, size);
}

/* argv[INDEX]: the size that --arg gave it, or as far as texts go. */
static char *argument(uint64_t index, uint64_t size)
{
	char name[32];
	size_t n = append(name, 0, "argv[");

	n += duct_digits(name + n, index);
	append(name, n, "]");
	return symbolic_text("", name, size);
}

/* argv[0]: any text, the program's name at first. */
static char *program_name(const char *first, uint64_t size)
{
	uint64_t length = duct_length(first);
	char *s;

	size = size < length ? length : size;
	s = (char *)duct_grow_place(size + 1);
	for (uint64_t i = 0; i < size; i++) {
		char name[32];
		size_t n = append(name, 0, "argv[0][");
		struct duct_term t;

		n += duct_digits(name + n, i);
		append(name, n, "]");
		t = duct_input_fresh_byte(name, i < length ? (uint8_t)first[i] : 0);
		s[i] = (char)t.v;
		duct_store_term((uintptr_t)s + i, 1, t.n);
	}
	duct_object_add((uintptr_t)s, size + 1, DUCT_OBJECT_INPUT, false);
	note_bound("argv[0]", (uintptr_t)s + size, size);
	return s;
}

static uint64_t argument_size(uint64_t index)
{
	char number[24];

	number[duct_digits(number, index)] = 0;
	return duct_rt_setup("arg:", number);
}

/* The highest argument that --arg names. */
static uint64_t last_argument(void)
{
	uint64_t last = 0;
	const char *e, *s;

	for (e = next_entry(NULL); e; e = next_entry(e))
		if ((s = skip(e, "arg:")) && decimal(s) > last)
			last = decimal(s);
	return last;
}

/* As many arguments as the command line gave and --arg names. */
static void given_arguments(int *argc, char ***argv, uint64_t last)
{
	uint64_t count = last >= (uint64_t)*argc ? last + 1 : (uint64_t)*argc, size;
	char **v = (char **)duct_grow_place((count + 1) * sizeof *v);

	for (uint64_t i = 0; i < count; i++)
		if ((size = i ? argument_size(i) : 0))
			v[i] = argument(i, size);
		else
			v[i] = i < (uint64_t)*argc ? (*argv)[i] : symbolic_text("", "", 0);
	*argv = v;
	*argc = (int)count;
}

duct_node duct_argc_node;

/* v[i], which is NULL where there are not so many arguments. */
static void set_argument(char **v, uint64_t i, char *text, struct duct_term there)
{
	v[i] = there.v ? text : NULL;
	if (there.n)
		duct_store_term((uintptr_t)&v[i], 8,
		    duct_t_ite(there, duct_constant(64, (uintptr_t)text), duct_constant(64, 0)).n);
}

/* Any number of arguments up to `most`, each any text. As first input as many as --arg names. */
static void any_arguments(int *argc, char ***argv, uint64_t last)
{
	uint64_t most = duct_rt_grown("args"), text = duct_rt_grown("text"), size;
	struct duct_term args, count;
	char **v;

	if (most < last)
		most = last;
	args = duct_input_fresh("args", 32, last);
	duct_input_assume(duct_t_not(duct_t_binary(OP_ULT, duct_constant(32, most), args)),
	    "more arguments than there may be");
	count = duct_t_binary(OP_ADD, args, duct_constant(32, 1));
	*argc = (int)count.v;
	duct_argc_node = count.n;
	if (!(duct_main_looks & DUCT_LOOKS_ARGV))
		return;
	v = (char **)duct_grow_place((most + 3) * sizeof *v);
	v[0] = duct_rt_setup("grow:", "name") ? program_name((*argv)[0], text) : (*argv)[0];
	duct_object_add((uintptr_t)v, (most + 2) * sizeof *v, DUCT_OBJECT_GLOBAL, false);
	for (uint64_t i = 1; i <= most; i++) {
		size = argument_size(i);
		set_argument(v, i, argument(i, size ? size : text),
		    duct_t_binary(OP_ULT, duct_constant(32, i - 1), args));
	}
	/* Whoever reads this element may need more arguments than the limit allows: the read must
	 * be recorded, although the assumption above determines its value. */
	set_argument(v, most + 1, v[0], duct_t_binary(OP_EQ, args, duct_constant(32, most + 1)));
	*argv = v;
}

uint32_t duct_main_looks;

static void arguments(int *argc, char ***argv)
{
	uint64_t last = last_argument();

	if (duct_rt_environment() && *argc <= 1) {
		if (duct_main_looks & (DUCT_LOOKS_ARGC | DUCT_LOOKS_ARGV))
			any_arguments(argc, argv, last);
	} else if (last) {
		given_arguments(argc, argv, last);
	}
}

extern char **environ;

static void set_variable(char ***envp, const char *entry, const char *equals, uint64_t size)
{
	size_t n = (size_t)(equals - entry), count = 0, at;
	char name[4096], text[4096], **v;

	if (n > 2000)
		return;
	for (size_t i = 0; i < n; i++)
		text[i] = entry[i];
	text[n] = 0;
	append(name, append(name, 0, "env."), text);
	append(text, n, "=");
	while (environ[count])
		count++;
	v = (char **)duct_grow_place((count + 2) * sizeof *v);
	for (at = 0; at < count && !skip(environ[at], text); at++)
		;
	for (size_t i = 0; i < count; i++)
		v[i] = environ[i];
	v[at] = symbolic_text(text, name, size);
	environ = v;
	if (envp)
		*envp = v;
}

void duct_model_start(int *argc, char ***argv, char ***envp)
{
	const char *e, *s;

	if (!duct_channel || !duct_channel->setup.used)
		return;
	if (argc && argv)
		arguments(argc, argv);
	if (duct_rt_environment())
		return; /* the library model of getenv asks for variables */
	for (e = next_entry(NULL); e; e = next_entry(e))
		if ((s = skip(e, "env:")))
			set_variable(envp, s, size_of(s), decimal(size_of(s) + 1));
}
