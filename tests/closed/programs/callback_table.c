/* entry: f
 * class: callbacks, NULL, tables
 */
struct command { const char *name; int (*run)(void *, int); };

int
f(const struct command *table, int n, void *context)
{
	int failed = 0;

	for (int i = 0; i < n && table[i].name; i++) {
		if (table[i].run && table[i].run(context, i) < 0)
			failed++;
	}
	if (failed > 2)
		return 1;
	if (failed == 1 && n > 3)
		return 2;
	return 0;
}

#ifdef NATIVE
#include <stddef.h>

static int fail(void *p, int i) { (void)p; (void)i; return -1; }
static int pass(void *p, int i) { (void)p; return i; }

int
main(void)
{
	struct command all[] = { { "a", fail }, { "b", NULL }, { "c", fail }, { "d", pass }, { "e", fail }, { NULL, fail } };

	f(all, 0, NULL);
	f(all, 1, NULL);
	f(all + 2, 2, NULL);
	f(all + 1, 3, NULL);
	f(all + 1, 4, NULL);
	f(all + 3, 2, NULL);
	f(all, 9, NULL);
	f(all + 4, 9, NULL);
	{
		struct command one[] = { { "a", pass }, { "b", pass }, { "c", fail }, { "d", pass } };
		f(one, 4, NULL);
	}
	return 0;
}
#endif
