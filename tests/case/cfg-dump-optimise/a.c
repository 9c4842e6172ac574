#include <string.h>
#include <ctype.h>
char b[8];
int f(const char *s) { strcpy(b, s); return isalpha(b[0]) && toupper(b[1]); }
