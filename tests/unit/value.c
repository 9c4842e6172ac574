/* value: numbers written for C are read back as exactly the same, and as few digits as do. */
#include "lib/report/value.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

/* Caller frees. */
static char *text_of(unsigned width, uint64_t lo, uint64_t hi)
{
	struct input_value v = {
		.kind = INPUT_FLOAT, .width = (uint8_t)width, .value = { lo, hi }
	};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	value_print(f, &v);
	if (!f || fclose(f))
		exit(1);
	return text;
}

static bool reads_back(unsigned width, uint64_t lo, uint64_t hi)
{
	char *text = text_of(width, lo, hi), *end;
	float f = strtof(text, NULL);
	double d = strtod(text, NULL);
	long double l = strtold(text, &end);
	bool same = width == 32 ? !memcmp(&f, &lo, 4)
	    : width == 64       ? !memcmp(&d, &lo, 8)
	                        : !memcmp(&l, &lo, 8) && !memcmp((char *)&l + 8, &hi, 2);

	if (!strncmp(text, "duct_bits", 9))
		same = strtoull(text + strcspn(text, "(") + 1, NULL, 16) == lo;
	else
		same &= !strcmp(end,
		            width == 32       ? "f"
		                : width == 64 ? ""
		                              : "L")
		    && strpbrk(text, ".e") && !strchr(text, 'x');
	if (!same)
		printf("# %u bits %llx %llx: %s\n", width, (unsigned long long)hi,
		    (unsigned long long)lo, text);
	free(text);
	return same;
}

static void is(unsigned width, uint64_t lo, uint64_t hi, const char *want)
{
	char *text = text_of(width, lo, hi);

	if (strcmp(text, want))
		printf("# %s\n", text);
	ok(!strcmp(text, want), want);
	free(text);
}

int main(void)
{
	bool same = true;

	for (int i = 0; i < 5000; i++) {
		uint64_t bits = draw();
		same &= reads_back(32, bits >> 32, 0) && reads_back(64, bits, 0);
		same &= reads_back(64, bits >> 12, 0) && reads_back(32, bits >> 41, 0);
		same &= reads_back(80, bits | (uint64_t)1 << 63, (draw() & 0x3fff) + 1);
	}
	ok(same, "random bits of float, double and long double, also subnormal");
	is(32, 0x3dcccccd, 0, "0.1f");
	is(64, 0x3fb999999999999a, 0, "0.1");
	is(64, 0x3fd5555555555555, 0, "0.3333333333333333");
	is(64, 0x4024000000000000, 0, "10.0");
	is(64, 0xc202a05f20000000, 0, "-1e+10");
	is(16, 0x4100, 0, "2.5");
	is(16, 0xbc00, 0, "-1.0");
	is(16, 1, 0, "5.9604644775390625e-08");
	is(16, 0x7c00, 0, "duct_bits(0x7ff0000000000000u)");
	is(64, 0x8000000000000000, 0, "-0.0");
	is(32, 0x80000000, 0, "-0.0f");
	is(64, 1, 0, "5e-324");
	is(32, 0x7f7fffff, 0, "3.4028235e+38f");
	is(64, 0xfff8000000000123, 0, "duct_bits(0xfff8000000000123u)");
	is(32, 0x7f800000, 0, "duct_bits_f(0x7f800000u)");
	is(80, 0x8000000000000000, 0x3fff, "1.0L");
	is(80, 0xcccccccccccccccd, 0x3ffb, "0.1L");
	return finish();
}
