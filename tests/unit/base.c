/* lib/base: binary search, beside a search that looks at each item; memory; durations. */
#include "lib/base/clock.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"
#include "tests/unit/tap.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 40 };

struct item {
	char text[3];
	unsigned key;
};

static int order(const void *key, const void *item)
{
	unsigned k = *(const unsigned *)key, i = ((const struct item *)item)->key;

	return (k > i) - (k < i);
}

static size_t one_by_one(unsigned key, const struct item *item, size_t n)
{
	size_t i = 0;

	while (i < n && item[i].key < key)
		i++;
	return i;
}

/* ---- memory */

static void test_streams(void)
{
	char *text, *whole = reserved(30000, 1);
	size_t size, n = 0;
	FILE *f = text_stream(&text, &size);

	fclose(f);
	ok(!size && !*text, "a stream that nothing is written to gives an empty text");
	free(text);
	f = text_stream(&text, &size);
	fputs("one", f);
	ok(ftell(f) == 3, "ftell() counts what is in the buffer");
	fflush(f);
	ok(size == 3 && !strcmp(text, "one"), "the text is there after fflush()");
	fputs(" two", f);
	fclose(f);
	ok(size == 7 && !strcmp(text, "one two"), "and all of it after fclose()");
	free(text);
	f = text_stream(&text, &size);
	while (n < 30000) {
		size_t k = 1 + below(700);
		k = k < 30000 - n ? k : 30000 - n;
		for (size_t i = 0; i < k; i++)
			whole[n + i] = (char)below(256);
		fwrite(whole + n, 1, k, f);
		n += k;
	}
	fclose(f);
	ok(size == n && !memcmp(text, whole, n) && !text[n], "30,000 bytes of any value");
	free(text);
	char *other;
	FILE *g = text_stream(&other, &size);
	f = text_stream(&text, &size);
	fputs("one", f), fputs("other", g);
	fclose(f), fclose(g);
	ok(!strcmp(text, "one") && !strcmp(other, "other"), "two streams with one size");
	free(text), free(other);
	free(whole);
}

#ifndef __SANITIZE_ADDRESS__ /* it has mapped more than the limit */
static void ask_for_more(void)
{
	setrlimit(RLIMIT_AS, &(struct rlimit){ (rlim_t)256 << 20, (rlim_t)256 << 20 });
	free(reserved((size_t)1 << 32, 1));
}
#endif

static void overflow(void)
{
	free(zeroed(SIZE_MAX / 2, 3));
}

static void abort_in_worker(void)
{
	no_memory_aborts();
	free(zeroed(SIZE_MAX / 2, 3));
}

/* Runs it in a child process; the wait status, and what it said. */
static int child(void (*run)(void), char *said, size_t room)
{
	int fd[2], status = -1;
	ssize_t n;

	if (pipe(fd))
		return -1;
	pid_t pid = fork();
	if (!pid) {
		dup2(fd[1], STDERR_FILENO);
		run();
		_exit(0);
	}
	close(fd[1]);
	n = read(fd[0], said, room - 1);
	said[n > 0 ? n : 0] = 0;
	close(fd[0]);
	waitpid(pid, &status, 0);
	return status;
}

static void test_no_memory(void)
{
	char said[300];
	int status;

#ifndef __SANITIZE_ADDRESS__
	status = child(ask_for_more, said, sizeof said);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 4
	        && strstr(said, "out of memory: cannot get 4294967296 bytes")
	        && strstr(said, "limited to 256 MiB, see ulimit -v"),
	    "who gets no memory ends with status 4 and names the size and the limit");
#endif
	status = child(overflow, said, sizeof said);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 4 && strstr(said, "out of memory"),
	    "a size that does not fit into a size_t is too much");
	status = child(abort_in_worker, said, sizeof said);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && !*said,
	    "workers end by SIGABRT, without a message");
}

static void test_copies(void)
{
	char *all = copied("abc"), *part = copied_part("abc", 2), *more = copied_part("abc", 9),
	     *none = copied_part("abc", 0);

	ok(!strcmp(all, "abc") && !strcmp(part, "ab") && !strcmp(more, "abc") && !*none,
	    "copies of texts and of their first characters");
	free(all), free(part), free(more), free(none);
	void *nothing = zeroed(0, 8), *also = resized(reserved(0, 1), 0, 1);
	ok(nothing && also, "room for nothing is not NULL");
	free(nothing), free(also);
}

static void test_durations(void)
{
	struct timespec half = clock_timespec(2.5), none = clock_timespec(-3),
	                odd = clock_timespec(NAN), ages = clock_timespec(1e300);
	ok(half.tv_sec == 2 && half.tv_nsec == 500000000, "2.5 seconds");
	ok(!none.tv_sec && !none.tv_nsec && !odd.tv_sec && !odd.tv_nsec,
	    "negative and no number: 0");
	ok(ages.tv_sec == 1000000000 && !ages.tv_nsec, "more than a timespec can be: 1e9 seconds");
	ok(clock_milliseconds(0.0101) == 11 && clock_milliseconds(-1) == 0
	        && clock_milliseconds(NAN) == 0 && clock_milliseconds(INFINITY) == INT_MAX,
	    "milliseconds are rounded up and within an int");
}

int main(void)
{
	struct item item[MOST] = { 0 };
	bool same = true, absent = false, several = false, greater = false;

	for (int round = 0; round < 2000; round++) {
		size_t n = below(MOST + 1);
		for (size_t i = 0; i < n; i++)
			item[i].key = (i ? item[i - 1].key : 1) + below(3);
		for (unsigned key = 0; key < 2 * MOST + 4; key++) {
			size_t at = lower_bound(&key, item, n, sizeof *item, order),
			       expected = one_by_one(key, item, n);
			same &= at == expected;
			absent |= at < n && item[at].key != key;
			several |= at + 1 < n && item[at].key == key && item[at + 1].key == key;
			greater |= n && at == n;
		}
	}
	ok(same, "lower_bound finds the first item that does not come before the key");
	ok(absent && several && greater,
	    "also for keys that are absent, that several items have, and that are greater than all");
	ok(lower_bound(&(unsigned){ 1 }, NULL, 0, sizeof *item, order) == 0, "none in no items");
	test_copies();
	test_streams();
	test_no_memory();
	test_durations();
	return finish();
}
