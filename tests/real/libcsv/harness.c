/* Standard input: a byte of options, the delimiter, the quote, text. Fields are written as CSV again. */
#include <stdio.h>

#include "csv.h"

static void field(void *text, size_t n, void *count)
{
	++*(int *)count;
	csv_fwrite(stdout, text, n);
	putchar(',');
}

static void row(int c, void *count)
{
	printf("%d %d\n", c, *(int *)count);
}

int main(void)
{
	static char text[4096];
	size_t n = fread(text, 1, sizeof text, stdin);
	struct csv_parser p;
	int count = 0;

	if (n < 3 || csv_init(&p, (unsigned char)text[0]))
		return 2;
	csv_set_delim(&p, (unsigned char)text[1]);
	csv_set_quote(&p, (unsigned char)text[2]);
	if (csv_parse(&p, text + 3, n - 3, field, row, &count) != n - 3 || csv_fini(&p, field, row, &count))
		puts(csv_strerror(csv_error(&p)));
	csv_free(&p);
	return 0;
}
