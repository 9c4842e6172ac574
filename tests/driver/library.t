#!/usr/bin/env lua5.4
-- The C library: marks in small functions that only exact models reach. Each function is run to the
-- end of its paths; all conditions go both ways but those said, and nothing is lost.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"
local folder = tap.folder("library")

local headers = [[
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
]]

-- The tests that were written agree with the untouched program.
local function replay(name, folder)
	local status, out, err = tap.run(("make -C %s check CFLAGS='-Wall -Wextra -Werror' 2>&1"):format(folder))
	tap.ok(status == 0 and out:find(" 0 failed", 1, true), name .. ": its tests pass", out .. err)
end

-- name: what is tested; code: defines f; options; infeasible: outcomes that cannot be, or not within limits (default
-- 0).
local function check(name, options, code, infeasible)
	local file = ("%s/%s.c"):format(folder, name:gsub("%W", "_"))
	tap.spit(file, headers .. code)
	local entry = code:find("int main(", 1, true) and "" or "--entry f"
	local status, out, err = tap.run(("duct concolic %s %s --json --quiet --time 60 %s"):format(file, entry, options))
	local fine, r = pcall(json.decode, out)
	if not fine then return tap.ok(false, name, err) end
	local b = r.branches
	tap.ok(status == 0 and (r.exhausted or r.ended == "limits") and b.infeasible + b.limited == (infeasible or 0)
		and #(r.lost or {}) == 0
		and r.mispredicted == 0, name,
		("exhausted %s, %d of %d covered, %d infeasible, %d mispredicted, lost %s"):format(r.exhausted, b.covered,
			b.total, b.infeasible, r.mispredicted, r.lost and r.lost[1] and r.lost[1].reason))
end

check("setjmp in memory of a caller's", "", [[
#include <setjmp.h>
struct state { int x; jmp_buf back; };
int f(struct state *s)
{
	if (!s)
		return 0;
	if (setjmp(s->back))
		return 7;
	if (s->x == 3)
		longjmp(s->back, 1);
	return 1;
}
]])
check("setjmp in an uninitialised variable", "", [[
#include <setjmp.h>
int f(int a)
{
	jmp_buf back;
	if (setjmp(back))
		return 7;
	if (a == 3)
		longjmp(back, 1);
	return 1;
}
]])

check("snprintf", "", [[
int f(int x, unsigned y)
{
	char b[32];
	int n = snprintf(b, sizeof b, "%d:%04x", x, y);

	if (!strcmp(b, "-4711:00be"))
		return 1;
	return n == 20 ? 2 : n == 6;
}]])
check("asprintf with flags, width and precision", "--string s=3 --faults 0", [[
int f(int x, const char *s)
{
	char *p;
	int is;

	if (asprintf(&p, "%+6.3d|%-3.2s|", x, s) < 0)
		return 1;
	is = !strcmp(p, "  -042|ab |");
	free(p);
	return is ? 2 : 3;
}]], 1)
check("snprintf cuts what does not fit", "", [[
int f(unsigned char c)
{
	char b[3] = "##";
	int n = snprintf(b, sizeof b, "%u", c);

	if (n == 3 && !memcmp(b, "25", 3))
		return 1;
	return n == 1 && b[0] == '7';
}]])
check("sscanf", "--string s=4", [[
int f(const char *s)
{
	int x = 0, n = 0;
	char set[5] = "", *made = NULL;

	if (sscanf(s, "%2d%n%[ab]", &x, &n, set) == 2 && x == -7 && n == 2 && !strcmp(set, "ab"))
		return 1;
	if (sscanf(s, "%ms", &made) == 1 && !strcmp(made, "q=z"))
		x = 2000;
	free(made);
	return x == 2000;
}]])
check("getopt_long", "--argument a --argument b --arg 1=4 --arg 2=2", [[
#include <getopt.h>
static const struct option longs[] = { { "ab", no_argument, NULL, 'a' }, { NULL, 0, NULL, 0 } };
int main(int argc, char **argv)
{
	int c, n = 0;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "ab:", longs, NULL)) != -1)
		if (c == 'a')
			n++;
		else if (c == 'b')
			n += optarg[0] == 'k' ? 10 : 20;
	if (n == 2)
		return 1;
	if (n == 11 && optind == 3)
		return 2;
	return 0;
}]])
check("arguments of searches and numbers", "--string s=3", [[
#include <stdlib.h>
int f(const char *s, unsigned k)
{
	char to[9] = "a=b";
	to[4] = 'c';
	switch (k) {
	case 1: return strchr("ab:", s[0]) != 0;
	case 2: return memchr("qwe", s[1], 3) != 0;
	case 3: return memchr(to, 'c', s[0] & 7) != 0;
	case 4: return strtol("z1", 0, s[0] & 3 ? 36 : 10) == 0;
	case 5: return strlen(to + (s[0] & 3)) == 2;
	case 6: return strchr(s, '=') != 0;
	case 7: return snprintf(to, sizeof to, "%d", s[0]) == 2;
	case 8: snprintf(to, s[0] & 3, "%d", 12); return to[0] == 'a';
	case 9: sscanf("5 6", s[0] == 'd' ? "%*d %d" : "%d", &k); return k == 6;
	}
	return 0;
}]])
check("what models copy stays symbolic", "--string s=2", [[
static int by(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}
int f(const char *s)
{
	char *p = strdup(s), b[3];
	int result = p[0] == 'k' ? 1 : p[1] == 'z' ? 2 : 0;

	free(p);
	memcpy(b, s, 3);
	qsort(b, 2, 1, by);
	return b[0] == 'a' && b[1] == 'c' ? 3 : result;
}]])
check("open_memstream, and results of printing", "--string s=2", [[
int f(int x, const char *s)
{
	char *p;
	size_t n;
	FILE *m = open_memstream(&p, &n);
	int result = 0;

	if (!m)
		return -1;
	fprintf(m, "%d,", x);
	fputs(s, m);
	fputc('!', m);
	fclose(m);
	if (n == 8 && !strcmp(p, "-321,ab!"))
		result = 1;
	free(p);
	if (printf("%d\n", x) == 5)
		result = 2;
	return putchar(x) == 'k' ? 3 : result;
}]], 1)
check("length, mapping and second descriptors of a file", "--file conf=4", [[
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
	struct stat st = { 0 };
	int fd = open("conf", O_RDONLY), other = dup(fd);
	char c = 0, *p;

	fstat(fd, &st);
	if (st.st_size == 3)
		puts("three");
	stat("conf", &st);
	if (st.st_size == 2)
		puts("two");
	if (st.st_size > 1) {
		p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p[1] == 'k')
			puts("k");
		munmap(p, st.st_size);
	}
	close(fd);
	if (read(other, &c, 1) == 1 && c == 'z')
		puts("z");
	dup2(other, 0);
	return getchar() == 'y';
}]])
local written = json.decode((select(2, tap.run(([[
	cd %s && cat >written.c <<'E'
#include <stdio.h>
int main(void)
{
	int c = getchar();
	FILE *f = fopen("x", "w");
	fputc(c, f);
	fclose(f);
	f = fopen("x", "r");
	return fgetc(f) == 'q';
}
E
	duct concolic written.c --stdin 1 --json --quiet]]):format(folder)))))
tap.ok(not written.exhausted and #(written.lost or {}) == 1, "reading what was written is a loss")

written = json.decode((select(2, tap.run(([[
	cd %s && cat >wide.c <<'E'
#include <wchar.h>
#include <stdio.h>
int main(void)
{
	setvbuf(stdin, NULL, _IOFBF, 4096);
	return fgetwc(stdin) == 'q';
}
E
	duct concolic wide.c --stdin 1 --json --quiet]]):format(folder)))))
tap.ok(not written.exhausted and #(written.lost or {}) == 1 and written.lost[1].reason:find("fgetwc", 1, true),
	"reading a symbolic stream without a model is a loss")

local made = folder .. "/failures"
check("calls that fail", "--faults 1 --out " .. made, [[
int f(int x)
{
	char *p = malloc(10), *q = NULL, *more = NULL;
	int result = x == 8;

	if (!p || !(q = strdup("ab")))
		result = errno == ENOMEM ? -1 : -2;
	else if (x == 7 && !(more = realloc(p, 100)))
		result = -3;
	else if (x == 9 && asprintf(&more, "%d", x) < 0)
		result = -4;
	free(x == 7 && more ? NULL : p);
	free(q);
	free(more);
	return result;
}]], 1)
replay("calls that fail", made)
local assumed = json.decode((select(2,
	tap.run(("cd %s && duct concolic --entry f calls_that_fail.c --faults 0 --json --quiet")
	:format(folder)))))
local texts = ""
for _, l in ipairs(assumed.limits) do texts = texts .. l.text .. "\n" end
tap.ok(assumed.branches.infeasible == 0 and assumed.branches.limited > 0
	and texts:find("no calls fail here (asprintf, malloc, realloc, strdup): --faults N", 1, true),
	"what is not reached because no call fails is limited by that", texts)
made = folder .. "/output"
check("output that fails", "--faults 1 --out " .. made, [[
#include <unistd.h>
int main(void)
{
	puts("x");
	fflush(stdout);
	if (fflush(stdout) || ferror(stdout))
		return 1;
	return fsync(1) && errno == EIO;
}]], 0)
replay("output that fails", made)
made = folder .. "/written"
check("writes to streams that fail", "--faults 1 --out " .. made, [[
int main(void)
{
	printf("a\n");
	fputs("b", stdout);
	if (putchar('c') == EOF)
		return 1;
	if (puts("d") == EOF)
		return 2;
	printf("%s", "e");
	if (printf("f\n") < 0)
		return 3;
	if (fwrite("gh", 1, 2, stdout) != 2)
		return 4;
	if (fprintf(stdout, "%c", 'i') < 0)
		return 5;
	return errno == ENOSPC;
}]], 0)
replay("writes to streams that fail", made)
made = folder .. "/several"
check("several failures", "--stdin 1 --faults 2 --out " .. made, [[
#include <unistd.h>
int main(void)
{
	char c = 0;
	int n = 0;

	while (n < 3 && read(0, &c, 1) < 0 && errno == EIO)
		n++;
	if (n == 2 && c == 'x')
		return 1;
	return n == 3;
}]], 1)
replay("several failures", made)
made = folder .. "/clock"
check("time, random numbers and short reads as inputs", "--stdin 3 --input time,random,short --out " .. made, [[
#include <time.h>
#include <unistd.h>
int main(void)
{
	char b[4];
	int n, got = 0, reads = 0;
	time_t t = time(NULL);
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	while ((n = read(0, b + got, sizeof b - got)) > 0) {
		got += n;
		reads++;
	}
	if (got == 3 && reads == 2 && b[1] == 'k')
		return 1;
	if (t == 1234567 && ts.tv_sec - t == 60 && ts.tv_nsec == 999999999)
		return 2;
	return rand() % 6 == 3 && random() == 99;
}]])
replay("time, random numbers and short reads as inputs", made)
local status, _, err = tap.run("duct concolic " .. folder .. "/snprintf.c --input clock")
tap.ok(status == 2 and err:find("`clock` is not time, random or short", 1, true), "--input of something else", err)
check("an allocation of symbolic size", "--faults 0", [[
int f(unsigned short n, unsigned short i)
{
	char *p = malloc(n);
	int result = 0;

	if (i < n) {
		p[i] = 'x';
		if (n == 1000 && i == 999 && p[999] == 'x')
			result = 1;
	}
	free(p);
	return result;
}]], 1)
check("calloc of a product that overflows, realloc", "--faults 0", [[
int f(size_t n, unsigned char k)
{
	int *p;

	if (n > 40 && n <= (size_t)-1 / 2)
		return 0;
	if (!(p = calloc(n, 4)))
		return 1;
	if (k < n && p[k])
		return 2;
	if (k < n)
		p[k] = 7;
	if (!(p = realloc(p, 4 * (k + 1))))
		return 3;
	k = k < n && p[k] == 7 && k == 33;
	free(p);
	return k;
}]], 3)
check("an array of symbolic length on the stack", "", [[
int f(unsigned char n, unsigned char i)
{
	if (!n || i >= n)
		return 0;
	int a[n];

	a[n - 1] = 4;
	a[i] = 77;
	if (n == 200 && i == 199 && a[199] == 77)
		return 1;
	return a[n - 1] == 4 && i == 3;
}]], 1)
check("blocks of symbolic length", "--len s=8", [[
int f(unsigned char n, const char *s)
{
	char b[16] = "...............";

	if (n > 8)
		return 0;
	memcpy(b, s, n);
	if (b[2] == 'k' && b[3] == '.')
		return 1;
	memmove(b + 1, b, n);
	if (b[4] == 'm' && b[5] == '.')
		return 2;
	memset(b, 'z', n);
	return b[5] == 'z' && b[6] == '.';
}]])
check("memset at a symbolic place", "", [[
int f(unsigned char i)
{
	char b[32] = "";

	if (i > 28)
		return 0;
	memset(b + i, 'q', 4);
	return b[7] == 'q' && b[11] == 0 && b[8] != 0 && b[6] == 0 ? b[10] == 'q' : 2;
}]], 1)
local r = json.decode((select(2, tap.run(([[
	cd %s && cat >over.c <<'E'
#include <string.h>
int f(unsigned char n, const char *s) { char b[16] = ""; memcpy(b, s, n); return b[0] == 'x'; }
E
	duct concolic over.c --entry f --len s=16 --json --quiet]]):format(folder)))))
tap.ok(r.exhausted and #(r.failures or {}) == 1 and r.failures[1].kind == "bounds", "a block that leaves its object")

check("where a character is in a set", "", [[
int f(char a, char b)
{
	static const char hex[] = "0123456789abcdef";
	const char *p = strchr(hex, a), *q = memchr(hex + 2, b, 14);

	if (!p || !q || !a)
		return 0;
	return *p == 'b' && (p - hex) * 16 + (q - hex) == 0xbe ? 1 : 2;
}]])
check("texts that one of two pointers leads to", "", [[
int f(char a, char b, int i)
{
	char x[2] = { a, 0 }, y[2] = { b, 0 };
	const char *t[2] = { x, y };

	if (i < 0 || i > 1)
		return 0;
	if (!strcmp(t[i], "q"))
		return i;
	if (a == 'q' && i == 1)
		return 4;
	return atoi(t[i]) == 7 ? 10 * i : 3;
}]], 1)                              -- a == 'q' where i is 0
-- The letters of options are one way through getopt: the program's own switch asks which one it is.
tap.spit(folder .. "/letters.c", headers .. [[
#include <unistd.h>
int main(int argc, char **argv)
{
	int c, n = 0;

	while ((c = getopt(argc, argv, "abcdefghijklmno:p:q:r:")) != -1)
		switch (c) {
		case 'a': n += 1; break; case 'b': n += 2; break; case 'c': n += 3; break; case 'd': n += 4; break;
		case 'e': n += 5; break; case 'f': n += 6; break; case 'g': n += 7; break; case 'h': n += 8; break;
		case 'i': n += 9; break; case 'j': n += 1; break; case 'k': n += 2; break; case 'l': n += 3; break;
		case 'm': n += 4; break; case 'n': n += 5; break; case 'o': n += 6; break; case 'p': n += 7; break;
		case 'q': n += 8; break; case 'r': n += 9; break;
		case '?': return 2;
		}
	return n;
}]])
r = json.decode((select(2, tap.run(("duct concolic %s/letters.c --json --quiet --runs 150"):format(folder)))))
tap.ok(r.branches.covered >= 20, "options' letters", r.branches.covered .. " outcomes")

local other = folder .. "/other.c"
tap.spit(other, headers .. [[
size_t strlen(const char *s)
{
	return s[0] == 'z' ? 1000 : 1;
}
int other(const char *s)
{
	char b[9];

	return snprintf(b, 9, "%d", 5) == 77 && strlen(s) == 1000;
}]])
check("a program's own functions are never replaced, static or in another unit", "--string s=2 " .. other, [[
int other(const char *s);
int snprintf(char *s, size_t n, const char *f, ...)
{
	(void)f;
	if (n)
		*s = 'Q';
	return 77;
}
static int isalpha(const char *s)
{
	return s[0] == 'k' ? 5 : 6;
}
int f(const char *s, int x)
{
	char b[20];

	if (snprintf(b, 20, "%d", x) != 77)
		return 1;
	if (b[0] != 'Q')
		return 2;
	return isalpha(s) == 5 ? 3 : other(s);
}]], 4)

-- Streams that are closed: all that is done with one then is a finding.
tap.spit(folder .. "/closed.c", [[
#include <stdio.h>
int f(FILE *f, int x)
{
	if (!f)
		return -1;
	if (x > 3)
		fclose(f);
	if (x == 5)
		fputs("late", f);
	if (x == 7)
		return ferror(f);
	if (x == 9)
		fflush(f);
	return x > 10 ? fclose(f) : 0;
}]])
local _, found = tap.run(("duct concolic %s/closed.c --entry f --quiet --time 60"):format(folder))
local places = {}
for line in found:gmatch("closed%.c:(%d+) in f: a stream is used after it was closed") do
	places[#places + 1] = line
end
table.sort(places, function(a, b) return tonumber(a) < tonumber(b) end)
tap.is(table.concat(places, " "), "9 11 13 14", "streams that are closed", found)

-- Texts that only inet_pton() and its kin accept are found.
local inet = folder .. "/inet.c"
tap.spit(inet, headers .. [[
#include <arpa/inet.h>
int f(const char *s)
{
	struct in_addr four;
	unsigned char six[16];
	char text[16];

	if (inet_pton(AF_INET, s, &four) == 1) {
		if (ntohl(four.s_addr) >> 24 == 10)
			return strcmp(inet_ntop(AF_INET, &four, text, sizeof text), "10.0.0.1");
		return 3;
	}
	return inet_pton(AF_INET6, s, six) == 1 ? 1 : 0;
}]])
local _, found_all = tap.run(("duct concolic %s --entry f --quiet --time 60"):format(inet))
tap.ok(found_all:find("branches: 6 of 6 covered", 1, true) and not found_all:find("precision lost", 1, true), "addresses as text",
	found_all)

-- Files that change while they are read, and directories whose times are those of the machine: the tests pass, and nothing is
-- covered that cannot be.
local function outcomes(name, code, never)
	local file = ("%s/%s"):format(folder, name)
	tap.spit(file .. ".c", headers .. code)
	local _, out, err = tap.run(("duct concolic %s.c --time 20 --runs 400 --quiet --out %s --store %s.db"):format(file, file, file))
	replay(name, file)
	local _, list = tap.run(("duct report %s.db --branches"):format(file))
	local wrong = {}
	for line in list:gmatch("[^\n]+") do
		local text, outcome, verdict = line:match("^[^\t]*\t([^\t]*)\t[^\t]*\t[^\t]*\t(p:%a+)\t(%a+)")
		local is_never = text and never[text] == outcome
		if text and (is_never and verdict == "covered" or not is_never and verdict == "infeasible") then
			wrong[#wrong + 1] = line
		end
	end
	tap.is(table.concat(wrong, "\n"), "", name, out .. err)
end
outcomes("written", [[
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	char b[4];
	FILE *in, *out;
	int fd = open("data", O_RDONLY);

	if (fd < 0 || read(fd, b, 2) != 2)
		return 2;
	if (!(out = fopen("data", "w")))
		return 3;
	if (read(fd, b + 2, 1) == 1)
		return 4;
	if (truncate("other", 2) == 0 && (in = fopen("other", "r")) && fread(b, 1, 3, in) == 3)
		return 5;
	return b[0] == 'x';
}]], { ["read(fd, b + 2, 1) == 1"] = "p:true", ["fread(b, 1, 3, in) == 3"] = "p:true" })
outcomes("input", [[
int main(int argc, char **argv)
{
	FILE *in = fopen("/dev/stdin", "r"), *out;

	(void)argv;
	if (!in || argc != 2)
		return 1;
	if (!(out = fopen("/dev/stdin", "w")))
		return 2;
	return getc(in) == EOF ? 3 : 4;
}]], { ["getc(in) == EOF"] = "p:false" })
outcomes("both", [[
#include <unistd.h>
int main(void)
{
	char c = 0;

	if (read(0, &c, 1) != 1)
		return 1;
	if (write(0, c == 'x' ? "abc" : "d", c == 'x' ? 3 : 1) < 0)
		return 2;
	if (read(0, &c, 1) != 1)
		return 3;
	return c == 'y' ? 4 : 5;
}]], {})
outcomes("above", [[
#include <sys/stat.h>
int main(int argc, char **argv)
{
	struct stat a, b;

	(void)argv;
	if (stat(".", &a) || stat("/", &b))
		return 2;
	if (a.st_mtime < b.st_mtime)
		return 3;
	return argc > 1 && !lstat("/dev/stdin", &b) && b.st_mtime > a.st_mtime ? 4 : 5;
}]], {})

-- A format with a conversion that is none is read to its end, as the C library does, and so a test has all of it.
local bad = folder .. "/bad"
tap.spit(bad .. ".c", headers .. [[
int f(const char *format)
{
	char b[20];
	int n = format ? snprintf(b, sizeof b, format, 1) : 0;

	return n > 2 ? 1 : n < 0 ? 2 : 3;
}
]])
local _, bad_out, bad_err = tap.run(("duct concolic %s.c --entry f --time 20 --runs 200 --quiet --keep all --out %s --check none")
	:format(bad, bad))
tap.ok(bad_out:find("no model", 1, true), "a conversion that is none is said", bad_out .. bad_err)
replay("a conversion that is none", bad)

-- What is read from a file that may be written, too, is as in the run, and that is said.
local update = folder .. "/update.c"
tap.spit(update, headers .. [[
int main(void)
{
	FILE *f = fopen("data", "r+");

	return !f ? 1 : getc(f) == 'q' ? 2 : 3;
}
]])
local _, updated = tap.run(("duct concolic %s --quiet --time 20"):format(update))
tap.ok(updated:find(" 0 infeasible", 1, true) and updated:find("content of a file that is opened for reading and writing", 1, true),
	"a file that is updated", updated)

-- A mode may be any text; a file that is longer than a run may make it is no failure but a limit.
check("modes of streams", "", [[
int f(const char *mode)
{
	FILE *f;

	if (mode[0] && mode[1])
		return 4;
	f = fopen("data", mode);
	if (f)
		fclose(f);
	return f ? 1 : errno == EINVAL ? 2 : 3;
}]])
local longest = folder .. "/longest.c"
tap.spit(longest, headers .. [[
#include <fcntl.h>
#include <unistd.h>
int f(long n)
{
	return n > 1L << 30 && ftruncate(creat("long", 0600), n) ? 1 : 0;
}
]])
local _, all = tap.run(("duct concolic %s --entry f --quiet --time 20"):format(longest))
tap.ok(all:find("failures: none", 1, true) and all:find(" 0 infeasible, 1 unknown", 1, true) and all:find("--output BYTES", 1, true),
	"a file that is too long for a run", all)

-- duct-library(7) names the models that there are.
local _, text = tap.run(([[
	lib=$BUILD/lib
	nm -g $lib/libductmodels.a $lib/libductrt.a | awk '$2 ~ /[WV]/ { print $3 }' |
		grep -v -e '^duct_' -e '^__VERIFIER_' -e '^reach_error$' -e '^__[a-z_]*_dump' | sort -u >%s/have
	sed -n 's/^\.Ic //p' $ROOT/man/man7/duct-library.7 | tr ' ' '\n' | sort -u >%s/said
	diff %s/have %s/said]]):format(folder, folder, folder, folder))
tap.is(text, "", "the manual's list of models")
tap.done()
