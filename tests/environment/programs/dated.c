/* open: 1. The clock as text; a time beyond the years of an int is not found. */
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void)
{
	time_t now = time(NULL);
	struct tm none = { 0 }, *t = gmtime(&now);
	char text[64], name[16];
	size_t n;

	if (!t)
		t = &none;
	n = strftime(text, sizeof text, "%Y-%m-%d %H:%M", t);
	if (n == 16 && !strncmp(text, "2031-05-", 8))
		puts("May");
	if (!strftime(name, 9, "%B", t))
		puts("September needs 10 bytes");
	strftime(name, sizeof name, "%a %p", t);
	return strcmp(name, "Sat PM") ? 0 : 1;
}
