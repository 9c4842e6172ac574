/* entry: f
 * class: streams
 */
#include <stdio.h>

int
f(FILE *in)
{
	int c, depth = 0, most = 0;

	while ((c = getc(in)) != EOF) {
		if (c == '(' && ++depth > most)
			most = depth;
		else if (c == ')')
			depth--;
	}
	if (most > 6)
		return 1;
	if (depth != 0)
		return 2;
	return 0;
}

#ifdef NATIVE
#include <string.h>
int
main(void)
{
	const char *texts[] = { "x", "(", "()", "((((((((a))))))))" };

	for (int i = 0; i < 4; i++)
		f(fmemopen((char *)texts[i], strlen(texts[i]), "r"));
	return 0;
}
#endif
