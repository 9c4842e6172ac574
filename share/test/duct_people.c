/* duct_people.c: answers (duct_answers.h) about users, groups and the name of the system. */
#define _GNU_SOURCE
#include "duct_answers.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- users, groups and the system's name (share/libc/people.c) */

struct account {
	struct account *next;
	char *name;
	unsigned id;
	struct passwd user;
	struct group group;
};
static struct accounts {
	struct account *first;
	const char *kind;
	unsigned n;
} users = { NULL, "user", 0 }, groups = { NULL, "group", 0 };

/* A text, `first` being its first character unless the test says otherwise. */
static char *member_text(const struct accounts *l, const char *member, char first)
{
	enum { MOST = 1 << 17 };
	char function[60], *text = duct_new(MOST);

	snprintf(function, sizeof function, "%s[%u].%s", l->kind, l->n, member);
	duct_text_of(function, text, MOST);
	text[0] = (char)(text[0] ^ first);
	return text;
}

static struct account *entry_of(struct accounts *l, const char *name, unsigned id)
{
	static char password[] = "x", nothing[1], *nobody[1];
	struct account *k = l->first;

	while (k && (name ? strcmp(k->name, name) != 0 : k->id != id))
		k = k->next;
	if (k || (name && (!*name || strpbrk(name, ":\n"))))
		return k;
	k = duct_new(sizeof *k);
	if (name)
		strcpy(k->name = duct_new(strlen(name) + 1), name);
	else
		k->name = member_text(l, "name", 'u');
	k->id = name ? (unsigned)duct_answer("system", l->kind, l->n, ".id") : id;
	k->group = (struct group){ k->name, password, k->id, nobody };
	if (l == &users)
		k->user = (struct passwd){ k->name, password, k->id,
			(gid_t)duct_answer("system", l->kind, l->n, ".group"), nothing,
			member_text(l, "folder", '/'), member_text(l, "shell", 0) };
	l->n++;
	k->next = l->first;
	return l->first = k;
}

#define ENTRY(type, function, parameter, name, id, argument, list, member) \
	struct type *__real_##function(parameter); \
	struct type *__wrap_##function(parameter); \
	struct type *__wrap_##function(parameter) \
	{ \
		struct account *k; \
		if (duct_fails(#function, 0)) \
			return NULL; \
		if (!duct_asking || !duct_answers_system) \
			return __real_##function(argument); \
		k = entry_of(&list, name, id); \
		return k ? &k->member : NULL; \
	}
ENTRY(passwd, getpwnam, const char *text, text, 0, text, users, user)
ENTRY(passwd, getpwuid, uid_t number, NULL, number, number, users, user)
ENTRY(group, getgrnam, const char *text, text, 0, text, groups, group)
ENTRY(group, getgrgid, gid_t number, NULL, number, number, groups, group)

char *__real_getlogin(void);
char *__wrap_getlogin(void);
char *__wrap_getlogin(void)
{
	static char name[1 << 17];

	if (!duct_asking || !duct_answers_system)
		return __real_getlogin();
	duct_text_of("getlogin", name, sizeof name);
	return *name ? name : NULL;
}

static void uname_part(char *to, const char *function, char first)
{
	duct_text_of(function, to, 65);
	to[0] = (char)(to[0] ^ first);
}

int __real_uname(struct utsname *to);
int __wrap_uname(struct utsname *to);
int __wrap_uname(struct utsname *to)
{
	if (!duct_asking || !duct_answers_system)
		return __real_uname(to);
	memset(to, 0, sizeof *to);
	uname_part(to->sysname, "uname.system", 'L');
	uname_part(to->nodename, "uname.node", 'n');
	uname_part(to->release, "uname.release", '6');
	uname_part(to->version, "uname.version", '#');
	uname_part(to->machine, "uname.machine", 'x');
	uname_part(to->domainname, "uname.domain", '(');
	return 0;
}
