#!/bin/sh
# errno after a failed call, and whether reading a stream ended or failed, are inputs; tests reproduce both.
# limit: 120
. "$ROOT/tests/lib/tap.sh"
cat >e.c <<'X'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int again(int fd)
{
	char b[10];
	for (;;) {
		long n = read(fd, b, sizeof b);
		if (n >= 0)
			return n > 3;
		if (errno == EINTR)
			continue;
		fprintf(stderr, "read: %s\n", strerror(errno));
		return -1;
	}
}
int shut(int fd)
{
	if (close(fd))
		return errno == EINTR ? 1 : 2;
	return 0;
}
int opens(void)
{
	int fd = open("a.b", O_RDONLY), error = errno;
	if (fd >= 0)
		return 0;
	perror("a.b");
	switch (error) {
	case ENOENT: return 1;
	case EMFILE: return 3;
	default: return 4;
	}
}
int text(int e)
{
	if (strerror(e)[0] == 'P')
		return 1;
	return 0;
}
int ends(FILE *f)
{
	while (getc(f) != EOF)
		;
	if (ferror(f))
		return 1;
	return 0;
}
int either(FILE *f)
{
	while (getc(f) != EOF)
		;
	int failed = ferror(f) != 0;
	if (failed == (feof(f) != 0))
		return 2;
	return 0;
}
int asked(FILE *f)
{
	char b[8];
	if (!fgets(b, sizeof b, f) && feof(f) && ferror(f))
		return 1;
	return 0;
}
X
for f in again shut opens text ends; do
	duct concolic e.c --entry $f --time 20 --out $f >log 2>&1
	check "$f: every outcome is covered" 'grep -q "^branches: \([0-9]*\) of \1 covered" log'
	make -s -C $f check >log 2>&1
	check "$f: its tests pass" 'grep -q " 0 failed" log'
done
for f in 'either failed == (feof(f) != 0)' 'asked ferror(f)'; do
	condition=${f#* } f=${f%% *}
	duct concolic e.c --entry $f --time 2 --out $f >log 2>&1
	check "$f: a stream has not both ended and failed" 'grep -q "p:true of .$condition.: reached by" log'
	make -s -C $f check >log 2>&1
	check "$f: its tests pass" 'grep -q " 0 failed" log'
done

# Calls of the system without a model may fail, too: a session looks at both, and says that success is as here.
cat >calls.c <<'X'
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
int runs(int n)
{
	execl("/bin/sh", "sh", "-c", "exit 3", (char *)0);
	if (n == 3)
		return 5;
	return 127;
}
int waits(int n)
{
	struct pollfd p = { n & 1, POLLIN, 0 };
	int fd[2], status;
	if (poll(&p, 1, 0) < 0)
		return 1;
	if (pipe(fd))
		return 2;
	if (waitpid(-1, &status, WNOHANG) < 0)
		return 3;
	return 0;
}
int makes(void)
{
	mkdir("first", 0700);
	if (mkdir("second", 0700))
		return 1;
	if (chdir("second"))
		return 2;
	return system("exit 4") == -1;
}
X
for f in runs waits makes; do
	duct concolic calls.c --entry $f --time 20 --out $f >result 2>log
	cp result log
	check "$f: every outcome of a call that fails is covered" '
		grep -q "^branches: .* 0 infeasible" log && ! grep -q "p:true" log'
	make -s -C $f check >log 2>&1
	check "$f: its tests pass" 'grep -q " 0 failed" log'
done
check "what they do when they succeed is a limit" 'grep -q "mkdir() answers as on this machine" result'

duct concolic e.c --entry shut --time 2 --quiet >log 2>&1
check "what is lost in a library model has the program's place and the function's name" \
	'grep -q "symbolic value into close at e.c:21" log'
finish
