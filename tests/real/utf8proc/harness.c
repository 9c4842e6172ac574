/* Standard input: two bytes of options, UTF-8. */
#include <stdio.h>
#include <stdlib.h>

#include "utf8proc.h"

int main(void)
{
	static unsigned char text[4096];
	size_t n = fread(text, 1, sizeof text, stdin);
	utf8proc_uint8_t *mapped = NULL;
	utf8proc_ssize_t length;

	if (n < 2)
		return 2;
	length = utf8proc_map(text + 2, (utf8proc_ssize_t)n - 2, &mapped, (utf8proc_option_t)(text[0] | text[1] << 8));
	if (length < 0)
		puts(utf8proc_errmsg(length));
	else
		printf("%s\n", (char *)mapped);
	free(mapped);
	return 0;
}
