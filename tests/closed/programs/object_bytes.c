/* entry: f
 * class: bytes of objects
 */
#include <string.h>
struct s { char c; short h; int i; char t[4]; };
int f(float x, struct s s, int off, const struct s *p, struct s *q)
{
	unsigned u;
	char *b = (char *)&s;

	memcpy(&u, &x, 4);
	if (x != x && (u & 1))
		return 1;
	if (u == 0x80000000)
		return 2;
	s.i = 0;
	b[off & 15] = 1;
	if (s.i == 256)
		return 3;
	if (s.h == 0x100)
		return 4;
	q->t[0] = 7;
	*q = *p;
	if (q->t[0] == 7)
		return 5;
	memmove(q->t, q->t + 1, 3);
	if (q->t[0] == q->t[3] && q->t[2] == 'x' && q->t[0] == 'q')
		return 6;
	return 0;
}
#ifdef NATIVE
#include "native.h"
int main(void)
{
	struct s a = { 0 }, b = { 0 };
	unsigned u = 0x7fc00001;
	float x;

	memcpy(&x, &u, 4);
	f(x, a, 0, &a, &b);
	f(-0.0f, a, 0, &a, &b);
	for (int i = 0; i < 16; i++)
		f(1, a, i, &a, &b);
	f(1, a, 0, &a, &a);
	memcpy(a.t, "zqqx", 4);
	f(1, a, 0, &a, &b);
	memcpy(a.t, "zqxx", 4);
	f(1, a, 0, &a, &b);
	memcpy(a.t, "zqqq", 4);
	f(1, a, 0, &a, &b);
	memcpy(a.t, "aqbx", 4);
	f(1, a, 0, &a, &b);
	return 0;
}
#endif
