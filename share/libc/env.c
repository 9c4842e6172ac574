/* Variables of the environment: with --environment each that is asked for is there or not, as the
 * input env.NAME? says, and is any text. What the program sets itself is what it set. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

struct variable {
	struct variable *next;
	char *name, *text;
	int own;
};

static struct variable *variables;
static int cleared;

static struct variable *find(const char *name, size_t n)
{
	struct variable *v;

	for (v = variables; v; v = v->next)
		if (!CALL_QUIETLY("strncmp", strncmp, v->name, name, n) && !v->name[n])
			return v;
	return NULL;
}

/* The variable whose name the n bytes are, asked for when this is the first time. NULL when out of
 * memory. */
static struct variable *lookup(const char *name, size_t n, int own)
{
	struct variable *v = find(name, n);
	uint64_t size;
	char *input;

	if (v || !(v = calloc(1, sizeof *v)) || !(v->name = malloc(n + 1))
	    || !(input = malloc(n + 5)))
		return v;
	memcpy(v->name, name, n);
	v->name[n] = 0;
	v->own = own;
	v->next = variables;
	variables = v;
	if (own)
		return v;
	memcpy(input, "env.", 4);
	memcpy(input + 4, v->name, n + 1);
	size = duct_rt_setup("env:", v->name);
	if (duct_rt_present(input, size != 0))
		v->text = duct_rt_text(input, size ? size : duct_rt_grown("text"));
	free(input);
	return v;
}

static size_t length(const char *s)
{
	return CALL_QUIETLY("strlen", strlen, s);
}

#define GETENV(name) \
	MODEL char *name(const char *variable) \
	{ \
		struct variable *v; \
		duct_read_bytes(variable, 1); \
		if (!duct_rt_environment() || cleared \
		    || duct_rt_symbolic(variable, length(variable) + 1)) { \
			if (!cleared) \
				duct_rt_concrete(#name, NULL); \
			return CALL_REAL(name, variable); \
		} \
		v = lookup(variable, length(variable), 0); \
		return v && !v->own ? v->text : CALL_QUIETLY(#name, name, variable); \
	}
GETENV(getenv)
GETENV(secure_getenv)

static void own(const char *name, size_t n)
{
	struct variable *v = duct_rt_environment() && !cleared ? lookup(name, n, 1) : NULL;

	if (v)
		v->own = 1;
}

MODEL int setenv(const char *name, const char *value, int overwrite)
{
	struct variable *v;
	int was_own = !duct_rt_environment() || cleared;

	if (!overwrite && duct_rt_environment() && !cleared && *name) {
		v = lookup(name, length(name), 0);
		if (v && !v->own && v->text)
			return 0;
		was_own |= v && v->own;
	}
	own(name, length(name));
	return CALL_REAL(setenv, name, value, overwrite || !was_own);
}

MODEL int unsetenv(const char *name)
{
	own(name, length(name));
	return CALL_REAL(unsetenv, name);
}

MODEL int putenv(char *text)
{
	char *equals = CALL_QUIETLY("strchr", strchr, text, '=');

	own(text, equals ? (size_t)(equals - text) : length(text));
	return CALL_REAL(putenv, text);
}

MODEL int clearenv(void)
{
	cleared = 1;
	return CALL_REAL(clearenv);
}
