#include "lib/base/tool.h"

#include "lib/base/words.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void tool_die(int status, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fprintf(stderr, "%s: ", tool.name);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(status);
}

/* Has the reader of stdout gone? An earlier write may have failed, so errno does not tell. */
static bool is_unread(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
	return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

void tool_unwritten(void)
{
	int e = errno;

	if (e == EPIPE || is_unread()) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	tool_die(4, "cannot write: %s", strerror(e));
}

void tool_close_stdout(void)
{
	if (fflush(stdout) || ferror(stdout))
		tool_unwritten();
}

void tool_usage(void)
{
	fputs(tool.usage, stderr);
	exit(2);
}

/* The word that getopt_long() refused. */
static const char *refused(char **argv)
{
	static char letter[] = "-?";

	if (argv[optind - 1][0] == '-' && argv[optind - 1][1] == '-')
		return argv[optind - 1];
	letter[1] = (char)optopt;
	return letter;
}

void tool_unknown(int c, char **argv, const struct option *options)
{
	char word[64];
	struct words_search near;

	snprintf(word, sizeof word, "%s", refused(argv));
	word[strcspn(word, "=")] = '\0';
	near = words_search(word + strspn(word, "-"));
	if (c == ':')
		tool_die(2, "%s needs a value; %s --help tells which", word, tool.name);
	for (; options->name && word[1] == '-'; options++)
		words_consider(&near, options->name);
	if (near.found)
		tool_die(2, "unknown option %s: did you mean --%s?", word, near.found);
	tool_die(2, "unknown option %s; %s --help lists all", word, tool.name);
}

void tool_help(void)
{
	fputs(tool.usage, stdout);
	fputs(tool.help, stdout);
	tool_close_stdout();
	exit(0);
}

void tool_version(void)
{
	printf("%s " DUCT_VERSION "\n", tool.name);
	tool_close_stdout();
	exit(0);
}
