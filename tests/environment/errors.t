#!/bin/sh
# What errno is after a call that fails, and whether reading a stream ended or failed, are inputs; tests reproduce both.
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
duct concolic e.c --entry shut --time 2 --quiet >log 2>&1
check "what is lost in a library model has the program's place and the function's name" \
	'grep -q "symbolic value into close at e.c:21" log'
finish
