/* Users, groups and the system's name: with --environment each user or group that is asked for has
 * inputs as its entry; a missing entry is a call that fails. Members of groups, passwords and real
 * names are a limit. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

/* A text of these inputs: `first` is its first character unless they say otherwise. */
static char *begun(const char *function, const char *input, char first)
{
	char *text = duct_answered(function, input, "");

	if (text)
		text[0] = (char)(text[0] ^ first);
	return text;
}

static char *some_text(const char *function, const char *input, char first)
{
	char *text = begun(function, input, first);

	if (text)
		duct_assume(text[0] != 0);
	return text;
}

/* ---- users and groups: one list each, so that the same question has the same answer */

struct account {
	struct account *next;
	char *name;
	uint32_t id;
	union {
		struct passwd user;
		struct group group;
	};
};
static struct accounts {
	struct account *first;
	const char *kind;
	unsigned n;
} users = { NULL, "user", 0 }, groups = { NULL, "group", 0 };
static char password[] = "x", nothing[1], *nobody[1];

/* Branch-free: may it be a name? */
static int is_name(const char *s, size_t n)
{
	unsigned wrong = n == 0;
	size_t i;

	for (i = 0; i < n; i++)
		wrong |= (s[i] == ':') | (s[i] == '\n');
	return !wrong;
}

static struct account *by_name(struct account *k, const char *name)
{
	while (k && strcmp(k->name, name))
		k = k->next;
	return k;
}

static struct account *by_id(struct account *k, uint32_t id)
{
	while (k && k->id != id)
		k = k->next;
	return k;
}

static char *input(const struct accounts *l, const char *member)
{
	static char name[60];

	CALL_QUIETLY("sprintf", sprintf, name, "system.%s[%u].%s", l->kind, l->n, member);
	return name;
}

static struct account *add(struct accounts *l, struct account *k, const char *function)
{
	uint32_t group;

	if (l == &groups) {
		k->group = (struct group){ k->name, password, k->id, nobody };
	} else {
		duct_rt_input(&group, sizeof group, input(l, "group"), "u4");
		k->user = (struct passwd){ k->name, password, k->id, group, nothing,
			begun(function, input(l, "folder"), '/'),
			duct_answered(function, input(l, "shell"), "") };
	}
	k->next = l->first;
	l->n++;
	return l->first = k;
}

static struct account *named(struct accounts *l, const char *function, const char *name)
{
	struct account *k = by_name(l->first, name);
	size_t n = strlen(name);

	if (k || !is_name(name, n) || !(k = calloc(1, sizeof *k)) || !(k->name = malloc(n + 1)))
		return k;
	memcpy(k->name, name, n + 1);
	duct_rt_input(&k->id, sizeof k->id, input(l, "id"), "u4");
	duct_assume(!by_id(l->first, k->id));
	return add(l, k, function);
}

static struct account *numbered(struct accounts *l, const char *function, uint32_t id)
{
	struct account *k = by_id(l->first, id);

	if (k || !(k = calloc(1, sizeof *k))
	    || !(k->name = some_text(function, input(l, "name"), 'u')))
		return k;
	k->id = id;
	duct_assume(is_name(k->name, strlen(k->name)) && !by_name(l->first, k->name));
	return add(l, k, function);
}

#define ENTRY(type, function, parameter, argument, look, list, member) \
	MODEL struct type *function(parameter) \
	{ \
		struct account *k; \
		if (MAY_FAIL(#function, 0)) \
			return NULL; \
		duct_rt_concrete(#function, NULL); \
		if (!duct_rt_environment() || duct_rt_apart()) \
			return CALL_REAL(function, argument); \
		k = look(&list, #function "()", argument); \
		return k ? &k->member : NULL; \
	}
ENTRY(passwd, getpwnam, const char *name, name, named, users, user)
ENTRY(passwd, getpwuid, uid_t id, id, numbered, users, user)
ENTRY(group, getgrnam, const char *name, name, named, groups, group)
ENTRY(group, getgrgid, gid_t id, id, numbered, groups, group)

/* ---- names */

MODEL char *getlogin(void)
{
	static char *name;

	duct_rt_concrete("getlogin", NULL);
	if (!name && !(name = duct_answered("getlogin()", "system.getlogin", "")))
		return CALL_REAL(getlogin);
	return *name ? name : NULL;
}

static void put(char to[65], const char *function, const char *input, char first)
{
	char *text = some_text(function, input, first);
	size_t n = text ? strlen(text) + 1 : 0;

	duct_assume(n <= 65);
	memcpy(to, text, n);
}

MODEL int uname(struct utsname *to)
{
	static struct utsname is;
	static int known;

	duct_rt_concrete("uname", NULL);
	if (!duct_rt_environment())
		return CALL_REAL(uname, to);
	if (!known) {
		put(is.sysname, "uname()", "system.uname.system", 'L');
		put(is.nodename, "uname()", "system.uname.node", 'n');
		put(is.release, "uname()", "system.uname.release", '6');
		put(is.version, "uname()", "system.uname.version", '#');
		put(is.machine, "uname()", "system.uname.machine", 'x');
		put(is.domainname, "uname()", "system.uname.domain", '(');
	}
	known = 1;
	*to = is;
	return 0;
}
