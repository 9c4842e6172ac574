/* Standard input: a byte of flags of the parser, one of those of the printer, JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "jansson.h"

int main(void)
{
	static char text[4096];
	size_t n = fread(text, 1, sizeof text, stdin);
	json_error_t error;
	json_t *json, *copy;

	json_object_seed(1);
	if (n < 2)
		return 2;
	json = json_loadb(text + 2, n - 2, (unsigned char)text[0] & 31, &error);
	if (!json) {
		printf("%d: %s\n", error.position, error.text);
		return 1;
	}
	json_dumpf(json, stdout, JSON_ENCODE_ANY | (size_t)(unsigned char)text[1] << 3);
	copy = json_deep_copy(json);
	if (!json_equal(json, copy))
		puts("different");
	json_object_update(json, copy);
	json_decref(copy);
	json_decref(json);
	return 0;
}
