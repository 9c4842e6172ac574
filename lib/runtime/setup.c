/* The symbolic environment: sizes from the channel's setup area, bytes of standard input and of
 * files as inputs one by one (the models in share/libc ask for them), and arguments and
 * environment variables made of inputs before main goes on. */
#include "lib/runtime/rt.h"

extern void duct_model_start(int *argc, char ***argv, char ***envp) __attribute__((visibility("hidden")));

/* Next entry of the area after `p` (NULL: the first), or NULL. */
static const char *next_entry(const char *p)
{
	const struct channel_area *a = &duct_channel->setup;
	const char *base = duct_area(a), *end = base + a->used;

	p = p ? p + duct_length(p) + 1 : base;
	return p < end ? p : NULL;
}

/* What follows `prefix` at s, or NULL. */
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

/* ---- arguments and environment */

static char *symbolic_text(const char *before, const char *name, uint64_t size)
{
	size_t n = duct_length(before);
	char *s = duct_arena(n + size + 1);

	append(s, 0, before);
	for (uint64_t i = 0; i < size; i++)
		duct_rt_input_byte(s + n + i, name, i);
	duct_object_add((uintptr_t)s, n + size + 1, DUCT_OBJECT_INPUT, false);
	return s;
}

static void set_argument(int *argc, char ***argv, uint64_t index, uint64_t size)
{
	char name[32], empty[] = "", **v;
	size_t n = append(name, 0, "argv[");
	uint64_t count = index >= (uint64_t)*argc ? index + 1 : (uint64_t)*argc;

	n += duct_digits(name + n, index);
	append(name, n, "]");
	v = duct_arena((count + 1) * sizeof *v);
	for (uint64_t i = 0; i < count; i++)
		v[i] = i < (uint64_t)*argc ? (*argv)[i] : symbolic_text(empty, empty, 0);
	v[index] = symbolic_text("", name, size);
	*argv = v;
	*argc = (int)count;
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
	v = duct_arena((count + 2) * sizeof *v);
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
	for (e = next_entry(NULL); e; e = next_entry(e)) {
		if ((s = skip(e, "arg:")) && argc && argv)
			set_argument(argc, argv, decimal(s), decimal(size_of(s) + 1));
		else if ((s = skip(e, "env:")))
			set_variable(envp, s, size_of(s), decimal(size_of(s) + 1));
	}
}
