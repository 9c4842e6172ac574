/* models: the models of share/libc, compiled plainly under other names, agree with the C library
 * on random arguments. */
#define DUCT_NO_ALIASES
#define model_strlen duct_model_strlen
#define model_strnlen duct_model_strnlen
#define model_strchr duct_model_strchr
#define strchrnul model_strchrnul
#define model_strrchr duct_model_strrchr
#define index model_index
#define rindex model_rindex
#define memchr model_memchr
#define rawmemchr model_rawmemchr
#define memrchr model_memrchr
#define model_strcmp duct_model_strcmp
#define strncmp model_strncmp
#define strcoll model_strcoll
#define strcasecmp model_strcasecmp
#define strncasecmp model_strncasecmp
#define model_memcmp duct_model_memcmp
#define bcmp model_bcmp
#define strstr model_strstr
#define strcasestr model_strcasestr
#define memmem model_memmem
#define model_strspn duct_model_strspn
#define model_strcspn duct_model_strcspn
#define strpbrk model_strpbrk
#define strsep model_strsep
#define model_strtok_r duct_model_strtok_r
#define strtok model_strtok
#define model_stpcpy duct_model_stpcpy
#define strcpy model_strcpy
#define model_stpncpy duct_model_stpncpy
#define strncpy model_strncpy
#define strcat model_strcat
#define strncat model_strncat
#define memccpy model_memccpy
#define strdup model_strdup
#define strndup model_strndup
#define strxfrm model_strxfrm
#define model_strtol duct_model_strtol
#define model_strtoll duct_model_strtoll
#define model_strtoul duct_model_strtoul
#define strtoull model_strtoull
#define strtoimax model_strtoimax
#define strtoumax model_strtoumax
#define atoi model_atoi
#define atol model_atol
#define atoll model_atoll
#define abs model_abs
#define labs model_labs
#define llabs model_llabs
#define imaxabs model_imaxabs
#define div model_div
#define ldiv model_ldiv
#define lldiv model_lldiv
#define qsort model_qsort
#define model_qsort_r duct_model_qsort_r
#define bsearch model_bsearch
#include "share/libc/strlen.c"
#include "share/libc/strcmp.c"
#include "share/libc/strcpy.c"
#include "share/libc/strstr.c"
#include "share/libc/number.c"
#include "share/libc/sort.c"
#define model_strtod duct_model_strtod
#define model_strtof duct_model_strtof
#define atof model_atof
#define is_digit real_is_digit
#define parse real_parse
double atof(const char *);
#include "share/libc/decimal.c"
/* Nothing is symbolic, and all memory is set. */
duct_node duct_rt_node_at(const void *p, uint32_t bytes)
{
	(void)p, (void)bytes;
	return 0;
}
int duct_rt_is_set(const void *p, size_t n)
{
	(void)p, (void)n;
	return 1;
}

#undef is_digit
#undef parse
#include "share/libc/scan.c"
#undef strchrnul
#undef memchr
#undef memrchr
#undef strncmp
#undef strcasecmp
#undef strncasecmp
#undef strstr
#undef strcasestr
#undef memmem
#undef strpbrk
#undef strsep
#undef strcpy
#undef strncpy
#undef strncat
#undef memccpy
#undef strxfrm
#undef strtoull
#undef atoi
#undef abs
#undef qsort
#undef bsearch
#undef strcat
#undef isalnum
#include "tests/unit/models.h"

char *strchr(const char *, int), *strchrnul(const char *, int), *strrchr(const char *, int);
size_t strlen(const char *), strnlen(const char *, size_t), strspn(const char *, const char *),
    strcspn(const char *, const char *), strxfrm(char *, const char *, size_t);
void *memchr(const void *, int, size_t), *memrchr(const void *, int, size_t),
    *memmem(const void *, size_t, const void *, size_t),
    *memccpy(void *, const void *, int, size_t),
    *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t),
    strcasecmp(const char *, const char *), strncasecmp(const char *, const char *, size_t),
    memcmp(const void *, const void *, size_t), atoi(const char *), abs(int);
char *strstr(const char *, const char *), *strcasestr(const char *, const char *),
    *strpbrk(const char *, const char *), *strsep(char **, const char *),
    *strtok_r(char *, const char *, char **), *strcpy(char *, const char *),
    *strncpy(char *, const char *, size_t), *strncat(char *, const char *, size_t),
    *stpncpy(char *, const char *, size_t), *strcat(char *, const char *);
long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

void *duct_model_memcpy(void *to, const void *from, size_t n)
{
	return memmove(to, from, n);
}
void *duct_model_memset(void *p, int c, size_t n)
{
	return memset(p, c, n);
}
static void searches(void)
{
	FOR_ALL("strlen", "ab", model_strlen(a) == strlen(a));
	FOR_ALL("strnlen", "ab", model_strnlen(a, n) == strnlen(a, n));
	FOR_ALL("strchr", "ab\xe4", model_strchr(a, c) == strchr(a, c));
	FOR_ALL("strchrnul", "ab", model_strchrnul(a, c) == strchrnul(a, c));
	FOR_ALL("strrchr", "ab", model_strrchr(a, c) == strrchr(a, c));
	FOR_ALL("memchr", "ab", model_memchr(a, c, n) == memchr(a, c, n));
	FOR_ALL("memrchr", "ab", model_memrchr(a, c, n) == memrchr(a, c, n));
	FOR_ALL("strstr", "ab", model_strstr(a, b) == strstr(a, b));
	FOR_ALL("strcasestr", "aAb", model_strcasestr(a, b) == strcasestr(a, b));
	FOR_ALL("memmem", "ab", model_memmem(a, n, b, strlen(b)) == memmem(a, n, b, strlen(b)));
	FOR_ALL("strspn", "abc", model_strspn(a, b) == strspn(a, b));
	FOR_ALL("strcspn", "abc", model_strcspn(a, b) == strcspn(a, b));
	FOR_ALL("strpbrk", "abc", model_strpbrk(a, b) == strpbrk(a, b));
}

/* The C library's versions for other processors differ in the size of the result. */
static int same_sign(int x, int y)
{
	return (x < 0) == (y < 0) && (x > 0) == (y > 0);
}

static void comparisons(void)
{
	FOR_ALL("strcmp", "ab\xe4", same_sign(model_strcmp(a, b), strcmp(a, b)));
	FOR_ALL("strncmp", "ab\xe4", same_sign(model_strncmp(a, b, n), strncmp(a, b, n)));
	FOR_ALL("strcasecmp", "aAbB[", model_strcasecmp(a, b) == strcasecmp(a, b));
	FOR_ALL("strncasecmp", "aAbB[", model_strncasecmp(a, b, n) == strncasecmp(a, b, n));
	FOR_ALL("memcmp", "ab\xe4", same_sign(model_memcmp(a, b, n % 4), memcmp(a, b, n % 4)));
}

/* Both write into buffers of their own; the buffers are compared whole. */
#define BOTH(call) \
	({ \
		char x[40], y[40]; \
		long at, want; \
		memset(x, '#', 40); \
		memset(y, '#', 40); \
		x[0] = y[0] = 0; \
		{ \
			char *to = x; \
			at = (long)(model_##call - (x - (char *)0)); \
		} \
		{ \
			char *to = y; \
			want = (long)(call - (y - (char *)0)); \
		} \
		at == want && !memcmp(x, y, 40); \
	})

static void copies(void)
{
	FOR_ALL("strcpy", "ab", BOTH(strcpy(to, a)));
	FOR_ALL("strncpy", "ab", BOTH(strncpy(to, a, n)));
	FOR_ALL("stpncpy", "ab", BOTH(stpncpy(to, a, n)));
	FOR_ALL("strcat", "ab", BOTH(strcat(to, a)));
	FOR_ALL("strncat", "ab", BOTH(strncat(to, a, n)));
}

static int same_tokens(const char *s, const char *set)
{
	char x[16], y[16], *p = NULL, *q = NULL, *t, *u;

	memcpy(x, s, 16);
	memcpy(y, s, 16);
	t = model_strtok_r(x, set, &p);
	u = strtok_r(y, set, &q);
	while (t && u && t - x == u - y) {
		t = model_strtok_r(NULL, set, &p);
		u = strtok_r(NULL, set, &q);
	}
	return !t && !u && !memcmp(x, y, 16);
}

static int same_parts(const char *s, const char *set)
{
	char x[16], y[16], *p = x, *q = y, *t, *u;

	memcpy(x, s, 16);
	memcpy(y, s, 16);
	do {
		t = model_strsep(&p, set);
		u = strsep(&q, set);
	} while (t && u && t - x == u - y);
	return !t && !u && !memcmp(x, y, 16);
}

static int same_number(const char *s, int base)
{
	char *end = NULL, *want_end = NULL;
	int error, want_error;
	long v, want;
	unsigned long u, want_u;

	errno = 0, v = model_strtol(s, &end, base), error = errno;
	errno = 0, want = strtol(s, &want_end, base), want_error = errno;
	if (v != want || end != want_end || error != want_error)
		return 0;
	errno = 0, u = model_strtoul(s, &end, base), error = errno;
	errno = 0, want_u = strtoul(s, &want_end, base), want_error = errno;
	return u == want_u && end == want_end && error == want_error;
}

static void numbers(void)
{
	static const char *const hard[] = {
		"9223372036854775807",
		"9223372036854775808",
		"-9223372036854775808",
		"-9223372036854775809",
		"18446744073709551615",
		"18446744073709551616",
		"-18446744073709551615",
		"0x",
		"0xg",
		"-0x7f",
		"0777777777777777777777",
		"01777777777777777777777",
		"02000000000000000000000",
		"0xffffffffffffffff",
		"0x10000000000000000",
		"99999999999999999999999",
		"  \t+12",
		"+-3",
		"- 4",
		"",
		"zzzzzzzzzzzz",
		"zzzzzzzzzzzzz",
		"-zzzzzzzzzzzzzzz",
		"7fffffffffffffff",
		"8000000000000000",
	};
	static const int bases[] = { 0, 2, 8, 10, 16, 36, 3, 1, -1, 37 };
	size_t i, k;
	int good = 1;

	FOR_ALL("strtol", "0179-+ xXafz", same_number(a, bases[n % 10]));
	FOR_ALL("strtol of digits", "0189", same_number(a, bases[n % 10]));
	for (i = 0; i < sizeof hard / sizeof *hard; i++)
		for (k = 0; k < sizeof bases / sizeof *bases; k++)
			if (!same_number(hard[i], bases[k])) {
				printf("# strtol of %s in base %d\n", hard[i], bases[k]);
				good = 0;
			}
	ok(good, "strtol at its limits");
	FOR_ALL("atoi", "0179-+ ", model_atoi(a) == atoi(a));
	ok(model_abs(-5) == 5 && model_abs(5) == 5 && model_llabs(-7) == 7, "abs");
}

static int same_real(const char *s)
{
	char *end, *want_end;
	double v = model_strtod(s, &end), want = strtod(s, &want_end);
	float f, want_f;

	if (memcmp(&v, &want, sizeof v) || end != want_end)
		return 0;
	f = model_strtof(s, &end);
	want_f = strtof(s, &want_end);
	return !memcmp(&f, &want_f, sizeof f) && end == want_end;
}

static void reals(void)
{
	static const char *const hard[] = {
		"123456789012345e22",
		"0.1",
		"999999999999999e-22",
		"1e22",
		"1e23",
		"1e-22",
		"9007199254740993",
		"-0",
		"1e",
		"1e+",
		"1e999999999999",
		"0x1p3",
		"0x",
		"inf",
		"-Infinity",
		"nan(12)",
		"nano",
		" \t+1.5e1x",
		"1.e1",
		".5e-1",
		".",
		".e1",
		"8388609e10",
		"16777217",
		"3.4028236e38",
		"1e-45",
	};
	int good = 1;

	FOR_ALL("strtod and strtof", "0123456789.e-", same_real(a));
	FOR_ALL("strtod and strtof of all sorts", "019.eE+- xinfa", same_real(a));
	for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
		if (!same_real(hard[i])) {
			printf("# strtod of %s\n", hard[i]);
			good = 0;
		}
	ok(good, "strtod and strtof at their limits");
}

static int scan_with(real_string f, const char *s, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = f(s, format, ap);
	va_end(ap);
	return n;
}

/* Results go to two blocks of memory that are compared whole. */
static int same_scan(const char *s, const char *format)
{
	static void *real;
	long x[3][8], y[3][8];
	int n, want;

	if (!real)
		real = dlsym(RTLD_NEXT, "__isoc99_vsscanf");
	memset(x, 0x55, sizeof x);
	memset(y, 0x55, sizeof y);
	n = scan_with(scan_string, s, format, x[0], x[1], x[2]);
	want = scan_with((real_string)real, s, format, y[0], y[1], y[2]);
	return n == want && !memcmp(x, y, sizeof x);
}

/* Memory that is allocated. */
static int same_made(const char *s)
{
	static void *real;
	static const char format[] = "%ms%m[ab]%*m[ ]%2mc";
	char *x[3] = { NULL }, *y[3] = { NULL };
	int n = scan_with(scan_string, s, format, &x[0], &x[1], &x[2]), want, i;

	if (!real)
		real = dlsym(RTLD_NEXT, "__isoc99_vsscanf");
	want = scan_with((real_string)real, s, format, &y[0], &y[1], &y[2]);
	for (i = 0; i < n && n == want; i++)
		want = !memcmp(x[i], y[i], i == 2 ? 1 : strlen(x[i]) + 1) ? want : -2;
	for (i = 0; i < 3; i++) {
		free(x[i]);
		free(y[i]);
	}
	return n == want;
}

static void scans(void)
{
	static const char *const formats[] = {
		"%d",
		"%d %d",
		"%i",
		"%x",
		"%o",
		"%u%c",
		"%3d%2d",
		"%*d %d",
		"%s",
		"%s %s",
		"%2s%s",
		"%c%c",
		"%[ab]%n",
		"%[^ab]%d",
		"%[]a]",
		"%[a-c]",
		"%2[^ ]%c",
		"a%d",
		"%d,%d",
		" %c",
		"%%%d",
		"%hhd %hd",
		"%ld%n",
		"%lld",
		"%5x",
		"%1i%i",
		"%d%s",
		"%p",
		"%f",
		"%lf%n",
		"%*s%d%n",
		"%*[a]%c",
		"%3f%c%n",
		"%*2f%d",
		"%3c%n",
		"%*c%2s",
	};
	size_t i;

	for (i = 0; i < sizeof formats / sizeof *formats; i++) {
		FOR_ALL(formats[i], "0179 -+xaAb,%.", same_scan(a, formats[i]));
		FOR_ALL(formats[i], "01 -a.e+xpinf", same_scan(a, formats[i]));
	}
	FOR_ALL("%ms%m[ab]%mc", "ab ", same_made(a));
}

static int by_first(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

/* Pairs sorted by their first half: the order of equal ones must be the C library's. */
static int same_order(void)
{
	char x[40], y[40];
	size_t i, n = below(20);

	for (i = 0; i < n; i++) {
		x[2 * i] = y[2 * i] = (char)below(5);
		x[2 * i + 1] = y[2 * i + 1] = (char)i;
	}
	model_qsort(x, n, 2, by_first);
	qsort(y, n, 2, by_first);
	return !memcmp(x, y, 2 * n);
}

int main(void)
{
	searches();
	comparisons();
	copies();
	FOR_ALL("strtok_r", "ab,;", same_tokens(a, b));
	FOR_ALL("strsep", "ab,;", same_parts(a, b));
	numbers();
	reals();
	scans();
	FOR_ALL("qsort", "a", same_order());
	return finish();
}
