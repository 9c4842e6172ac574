/* entry: f
 * class: globals
 */
#include <stddef.h>

enum mode { PLAIN, QUOTED, HEX };
static int verbose, width = 80;
static const char *separator = ",";
static char *name;
static enum mode mode;
static struct {
	int depth;
	unsigned char flags;
} limits;

int
f(int x)
{
	if (verbose > 1)
		return 1;
	if (x > width && width > 100)
		return 2;
	if (separator[0] == ';')
		return 3;
	if (name && name[0] == 'n' && name[1] == 0)
		return 4;
	if (limits.depth == 7 && limits.flags & 4)
		return 5;
	switch (mode) {
	case QUOTED: return 6;
	case HEX: return x == 9 ? 7 : 8;
	default: return 0;
	}
}

struct settings {
	int verbose, width, depth;
	const char *separator;
	char *name;
};

void
start(struct settings s)
{
	verbose = s.verbose;
	width = s.width;
	separator = s.separator;
	name = s.name;
	limits.depth = s.depth;
	limits.flags |= 4;
}

void
quoted(struct settings s)
{
	start(s);
	mode = QUOTED;
}

void
hex(struct settings s)
{
	start(s);
	mode = HEX;
}

#ifdef NATIVE
int
main(void)
{
	static char n[] = "n", nn[] = "nn";
	struct settings s[] = { { 2, 80, 0, ",", NULL }, { 0, 200, 0, ",", NULL }, { 0, 80, 0, ";", NULL },
		{ 0, 0, 0, ",", n }, { 0, 80, 0, ",", nn }, { 0, 80, 7, ",", NULL } };

	f(0);
	for (unsigned i = 0; i < sizeof s / sizeof *s; i++) {
		mode = PLAIN;
		start(s[i]);
		f(300);
		limits.flags = 0;
		f(9);
		quoted(s[i]);
		f(1);
		hex(s[i]);
		f(1);
		f(9);
	}
	return 0;
}
#endif
