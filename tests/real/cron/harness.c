/* Reads a crontab from standard input, as user.c does. */
#define MAIN_PROGRAM
#include "cron.h"

static void wrong(char *message)
{
	printf("line %d: %s\n", LineNumber, message);
}

int main(void)
{
	static char name[] = "user", home[] = "/home/user", shell[] = "/bin/sh", text[MAX_ENVSTR];
	struct passwd user = { .pw_name = name, .pw_dir = home, .pw_shell = shell };
	char **env = env_init();
	entry *e;

	Set_LineNum(1)
	for (;;) {
		int status = load_env(text, stdin);
		if (status == TRUE)
			env = env_set(env, text);
		else if (status == ERR)
			break;
		else if ((e = load_entry(stdin, wrong, &user, env))) {
			puts(e->cmd);
			free_entry(e);
		}
	}
	env_free(env);
	return 0;
}
