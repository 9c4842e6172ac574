/* Environment variables: with --environment the input env.NAME? says whether a variable that the
 * program asks for is set; its value is any text. Variables that the program sets itself are not
 * inputs. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"
#include "share/libc/equal.h"

struct env_variable {
	struct env_variable *next;
	char *name, *text;
	size_t n;
	int own, symbolic; /* symbolic: its name follows from inputs */
};

static struct env_variable *variables;
static int cleared;
static char **all; /* environ as an input, or NULL */
static int asked;  /* variables were asked for or set before: environ stays this machine's */

static struct env_variable *find(const char *name, size_t n)
{
	struct env_variable *v;

	for (v = variables; v; v = v->next)
		if (v->n == n
		    && (v->symbolic ? equal_bytes(v->name, name, n)
		                    : !CALL_QUIETLY("memcmp", memcmp, v->name, name, n)))
			return v;
	return NULL;
}

/* The variable whose name the n bytes are, asked for when this is the first time. NULL when out of
 * memory. */
static struct env_variable *lookup(const char *name, size_t n, int own)
{
	struct env_variable *v = find(name, n);
	uint64_t size;
	char *input;

	if (v || !(v = calloc(1, sizeof *v)) || !(v->name = malloc(n + 1))
	    || !(input = malloc(n + 5)))
		return v;
	memcpy(v->name, name, n);
	v->name[n] = 0;
	v->n = n;
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

/* Branch-free: is the name one that a variable can have? */
static int is_name(const char *name, size_t n)
{
	unsigned equals = 0;
	size_t i;

	for (i = 0; i < n; i++)
		equals |= name[i] == '=';
	return n && !equals;
}

/* The variable whose name follows from inputs: one that was asked for before, or another, whose
 * inputs are env.N?, env.N[i] and, for its name, env.N.path[i]. */
static struct env_variable *lookup_any(const char *name, size_t n)
{
	static unsigned count;
	struct env_variable *v;
	char input[32];

	for (v = variables; v; v = v->next)
		if (v->n == n && equal_bytes(v->name, name, n))
			return v;
	if (!is_name(name, n) || !(v = calloc(1, sizeof *v)) || !(v->name = malloc(n + 1)))
		return NULL;
	memcpy(v->name, name, n + 1);
	v->n = n;
	v->symbolic = 1;
	v->next = variables;
	variables = v;
	CALL_QUIETLY("sprintf", sprintf, input, "env.%u", ++count);
	if (duct_rt_present(input, 0)) {
		duct_rt_tell_path(input, v->name);
		v->text = duct_rt_text(input, duct_rt_grown("text"));
	}
	return v;
}

static size_t length(const char *s)
{
	return CALL_QUIETLY("strlen", strlen, s);
}

/* ---- environ itself */

/* Branch-free: is it NAME=VALUE? */
static int is_entry(const char *s, size_t n)
{
	unsigned found = 0, over = s[0] == '=';
	size_t i;

	for (i = 0; i < n; i++) {
		found |= !over & (s[i] == '=');
		over |= !s[i];
	}
	return (int)found;
}

/* Woven code is about to read environ. Each of its entries is an input, system.environ[N].text,
 * which is there when the one before is. Variables that getenv() was asked for are named otherwise,
 * so that it is too late then. */
void duct_model_environ(void) __attribute__((visibility("hidden")));
void duct_model_environ(void)
{
	size_t most, size, i;
	unsigned char there;
	char name[60], *text;

	if (all || !duct_rt_environment())
		return;
	if (asked || cleared) {
		duct_rt_limit("concrete", "environ", 0);
		return;
	}
	most = duct_rt_grown("environ");
	size = duct_rt_grown("text");
	duct_rt_limit("environ", "", most);
	if (!(all = calloc(most + 1, sizeof *all)))
		return;
	for (i = 0; i < most; i++) {
		duct_rt_asked(&there, 1, "system", "environ", "b1");
		if (!there)
			break;
		CALL_QUIETLY("sprintf", sprintf, name, "system.environ[%zu].text", i);
		text = duct_rt_text(name, size);
		duct_rt_limit("answer", name, size);
		duct_assume(is_entry(text, size));
		all[i] = text;
	}
	environ = all;
}

static char *in_environ(const char *name)
{
	size_t n = strlen(name), i;

	for (i = 0; all[i]; i++)
		if (!strncmp(all[i], name, n) && all[i][n] == '=')
			return all[i] + n + 1;
	return NULL;
}

/* The program changes its variables: environ is concrete from then on. */
static void change(void)
{
	if (all && !cleared) {
		duct_rt_lost(duct_block_unit, duct_block, "variables that are added to environ");
		cleared = 1;
	}
	asked = 1;
}

#define GETENV(name) \
	MODEL char *name(const char *variable) \
	{ \
		struct env_variable *v; \
		duct_read_bytes(variable, 1); \
		if (!duct_rt_environment() || cleared) \
			return CALL_REAL(name, variable); \
		if (all) \
			return in_environ(variable); \
		asked = 1; \
		v = duct_rt_symbolic(variable, length(variable) + 1) \
		    ? lookup_any(variable, strlen(variable)) \
		    : lookup(variable, length(variable), 0); \
		return v && !v->own ? v->text : CALL_QUIETLY(#name, name, variable); \
	}
GETENV(getenv)
GETENV(secure_getenv)

static void own(const char *name, size_t n)
{
	struct env_variable *v = duct_rt_environment() && !cleared ? lookup(name, n, 1) : NULL;

	if (v)
		v->own = 1;
}

MODEL int setenv(const char *name, const char *value, int overwrite)
{
	struct env_variable *v;
	int was_own;

	if (FAILS_IF(duct_result_used, "setenv", ENOMEM))
		return -1;
	change();
	was_own = !duct_rt_environment() || cleared;

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
	change();
	own(name, length(name));
	return CALL_REAL(unsetenv, name);
}

MODEL int putenv(char *text)
{
	char *equals = CALL_QUIETLY("strchr", strchr, text, '=');

	if (FAILS_IF(duct_result_used, "putenv", ENOMEM))
		return -1;
	change();
	own(text, equals ? (size_t)(equals - text) : length(text));
	return CALL_REAL(putenv, text);
}

MODEL int clearenv(void)
{
	change();
	cleared = 1;
	return CALL_REAL(clearenv);
}
