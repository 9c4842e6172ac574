/* cJSON parses and prints a document of its own. */
#include <stdlib.h>
#include <string.h>

#include "work.h"
#include "cJSON.h"

static const char piece[] = "{\"name\":\"some \\u00e9 \\\"text\\\"\",\"list\":[1,2,3,true,null,-4.5e3],\"object\":{\"a\":{},\"b\":[]}}";

unsigned work(void)
{
	static char text[400 * sizeof piece + 3];
	size_t n = 0;
	unsigned sum = 0;

	text[n++] = '[';
	for (int i = 0; i < 400; i++) {
		memcpy(text + n, piece, sizeof piece - 1);
		n += sizeof piece - 1;
		text[n++] = i < 399 ? ',' : ']';
	}
	for (int round = 0; round < 40; round++) {
		cJSON *json = cJSON_ParseWithLength(text, n);
		char *out = cJSON_PrintUnformatted(json);
		sum += (unsigned)strlen(out) + (unsigned)cJSON_GetArraySize(json);
		free(out);
		cJSON_Delete(json);
	}
	return sum;
}
