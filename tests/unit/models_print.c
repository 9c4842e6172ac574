/* models_print: the model of snprintf and its kin agrees with the C library. */
#define _GNU_SOURCE 1
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

__typeof__(snprintf) model_snprintf;
__typeof__(vsnprintf) model_vsnprintf;
__typeof__(sprintf) model_sprintf;
__typeof__(vsprintf) model_vsprintf;
__typeof__(asprintf) model_asprintf;
__typeof__(vasprintf) model_vasprintf;

#define DUCT_NO_ALIASES
#define snprintf model_snprintf
#define vsnprintf model_vsnprintf
#define sprintf model_sprintf
#define vsprintf model_vsprintf
#define asprintf model_asprintf
#define vasprintf model_vasprintf
#include "share/libc/print.c"
#undef snprintf
#undef vsnprintf
#undef sprintf
#undef vsprintf
#undef asprintf
#undef vasprintf
#include "tests/unit/models.h"

size_t duct_model_strlen(const char *s)
{
	return strlen(s);
}
size_t duct_model_strnlen(const char *s, size_t max)
{
	return strnlen(s, max);
}
char *duct_model_strchr(const char *s, int c)
{
	return strchr(s, c);
}

/* Text for the model and the C library, compared whole, with what is returned and %n. */
static int same_print(const char *format, size_t size, int stars, int w, int p, ...)
{
	char x[400], y[400], *made = NULL;
	va_list ap, again;
	int n, want;

	memset(x, '#', sizeof x);
	memset(y, '#', sizeof y);
	va_start(ap, p);
	va_copy(again, ap);
	n = model_vsnprintf(x, size, format, ap);
	want = vsnprintf(y, size, format, again);
	va_end(again);
	va_end(ap);
	if (n != want || memcmp(x, y, sizeof x)) {
		printf("# %s (%d %d %d), room for %zu: %d \"%.*s\", not %d \"%.*s\"\n", format,
		    stars, w, p, size, n, (int)size, x, want, (int)size, y);
		return 0;
	}
	va_start(ap, p);
	n = model_vasprintf(&made, format, ap);
	va_end(ap);
	want = n == want && (n < 0 || n >= (int)size || !strcmp(made, y));
	if (n >= 0)
		free(made);
	return want;
}

static void random_directive(char *f, int stars)
{
	static const char *const sizes[] = { "hh", "h", "", "l", "ll", "j", "z", "t", "q", "" };

	*f++ = '<';
	*f++ = '%';
	for (unsigned n = below(4); n--;)
		*f++ = "-+ #0'"[below(6)];
	if (stars)
		*f++ = '*';
	else if (below(2))
		f += sprintf(f, "%u", below(12));
	if (stars)
		f += sprintf(f, ".*");
	else if (below(2))
		f += below(3) ? sprintf(f, ".%u", below(9)) : sprintf(f, ".");
	strcpy(f, sizes[below(10)]);
	f += strlen(f);
	*f++ = "diuoxXbB"[below(8)];
	strcpy(f, ">");
}

static unsigned long long random_value(void)
{
	static const unsigned long long edge[] = {
		0,
		1,
		9,
		10,
		99,
		100,
		127,
		128,
		255,
		256,
		32767,
		32768,
		65535,
		INT_MAX,
		INT_MAX + 1ull,
		UINT_MAX,
		999999999,
		1000000000,
		LLONG_MAX,
		LLONG_MAX + 1ull,
		ULLONG_MAX,
		9999999999999999999u,
		10000000000000000000u,
		0777,
	};
	unsigned long long v = edge[below(sizeof edge / sizeof *edge)];

	if (below(2))
		return below(2) ? v : -v;
	v = (unsigned long long)below(UINT_MAX) << 32 ^ below(UINT_MAX);
	return v >> below(64);
}

static int same_numbers(void)
{
	char f[80];
	int stars = (int)below(2), w = (int)below(30) - 10, p = (int)below(14) - 3;
	unsigned long long v = random_value();
	size_t size = below(2) ? below(20) : 300;

	random_directive(f, stars);
	return stars ? same_print(f, size, stars, w, p, w, p, v)
	             : same_print(f, size, stars, w, p, v);
}

static int same_texts(const char *s)
{
	static const char *const formats[] = {
		"%s",
		"[%10s]",
		"[%-10s]",
		"[%.3s]",
		"[%-7.2s]",
		"[%010s]",
		"%s%%",
		"[%.0s]",
		"[%'s]",
		"[%2s]",
	};
	const char *f = formats[below(10)];

	return same_print(f, below(14), 0, 0, 0, below(9) ? s : NULL);
}

static void prints(void)
{
	long x[2] = { 0 };
	int i = 0, good;

	FOR_ALL("snprintf of integers", "a", same_numbers());
	FOR_ALL("snprintf of strings", "ab", same_texts(a));
	FOR_ALL("snprintf of characters", "ab\xe4",
	    same_print(n % 2 ? "[%c]"
	            : n % 3  ? "[%-5c]"
	                     : "[%5c]",
	        20, 0, 0, 0, c));
	good = same_print("[%p]", 40, 0, 0, 0, "x") & same_print("[%20p]", 40, 0, 0, 0, "x")
	    & same_print("[%-20p]", 40, 0, 0, 0, NULL) & same_print("[%.3p]", 40, 0, 0, 0, NULL)
	    & same_print("[%+p]", 40, 0, 0, 0, "x") & same_print("[%020p]", 40, 0, 0, 0, "x")
	    & same_print("[%.20p]", 40, 0, 0, 0, "x") & same_print("[%020p]", 40, 0, 0, 0, NULL);
	ok(good, "snprintf of pointers");
	good = same_print("%2$d %1$d", 40, 0, 0, 0, 1, 2)
	    & same_print("%Lf|%5.1f|%g", 40, 0, 0, 0, 2.5L, 1.25, 1e30)
	    & same_print("%-8.3e|%+a|%05f", 60, 0, 0, 0, 1e-300, 0.1, -1.5)
	    & same_print("%", 40, 0, 0, 0) & same_print("a%qu", 40, 0, 0, 0, 1ll << 40)
	    & same_print("%*s", 40, 0, 0, 0, 1000, "a")
	    & same_print("%99999999999d", 40, 0, 0, 0, 1) & same_print("%d%m%d", 200, 0, 0, 0, 1, 2)
	    & same_print("%Zu", 40, 0, 0, 0, 7l) & same_print("%k", 40, 0, 0, 0, 7l)
	    & same_print("%d%5%", 40, 0, 0, 0, 7) & same_print("%.2147483648d", 40, 0, 0, 0, 7);
	ok(good, "snprintf of the rest");
	model_snprintf((char *)x, 0, "%s%hhn%d%n", "abc", (signed char *)x + 2, 45, &i);
	ok(x[0] == 3 << 16 && i == 5, "%n");
}

int main(void)
{
	prints();
	return finish();
}
