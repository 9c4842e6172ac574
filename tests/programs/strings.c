/* The C library's string and character functions.
 *
 * duct: concolic --entry strings --string s=5
 * expect: failures=0 branches.unknown=0
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int strings(const char *s)
{
	char copy[8];

	if (strcmp(s, "get") == 0)
		return 1;
	if (strlen(s) == 5 && strchr(s, ':') == s + 2)
		return 2;
	if (strncmp(s, "put", 3) == 0 && isdigit((unsigned char)s[3]))
		return 3;
	strcpy(copy, s);
	if (toupper((unsigned char)copy[0]) == 'Q' && copy[1] == '\0')
		return 4;
	if (atoi(s) == 42)
		return 5;
	if (strstr(s, "xy") != NULL)
		return 6;
	return 0;
}
