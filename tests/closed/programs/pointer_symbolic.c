/* entry: f
 * class: pointers
 */
#include <stddef.h>
void duct_symbolic(void *p, size_t size, const char *name);

int
f(void)
{
	const int *p = NULL;

	duct_symbolic(&p, sizeof p, "p");
	if (!p)
		return 0;
	if (*p == 17)
		return 1;
	return 2;
}

#ifdef NATIVE
#include <string.h>
static int x = 17, y = 3, *give;
void duct_symbolic(void *p, size_t size, const char *name) { memcpy(p, &give, size); }
int
main(void)
{
	f();
	give = &x;
	f();
	give = &y;
	f();
	return 0;
}
#endif
