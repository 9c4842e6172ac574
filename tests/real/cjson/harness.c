/* Parses standard input, prints it in both ways, copies and compares it. */
#include <stdio.h>
#include <stdlib.h>

#include "cJSON.h"

static void show(char *text)
{
	if (text)
		puts(text);
	free(text);
}

int main(void)
{
	static char text[4096];
	size_t n = fread(text, 1, sizeof text - 1, stdin);
	cJSON *json = cJSON_ParseWithLengthOpts(text, n, NULL, 1), *copy;

	if (!json)
		return 1;
	show(cJSON_Print(json));
	show(cJSON_PrintUnformatted(json));
	copy = cJSON_Duplicate(json, 1);
	if (!cJSON_Compare(json, copy, 1))
		puts("different");
	cJSON_Minify(text);
	puts(text);
	cJSON_Delete(copy);
	cJSON_Delete(json);
	return 0;
}
