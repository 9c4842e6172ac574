union u {
	int i;
	float f;
	unsigned char c[4];
	struct {
		short a, b;
	} s;
};
struct b {
	unsigned a : 3, b : 5;
	signed c : 4;
};
int f(int n)
{
	union u u;
	struct b b = {0};
	u.i = n;
	int r = 0;
	if (u.c[0] == 7) /* taken */
		r = 1;
	if (u.s.b == -1) /* taken */
		r = 2;
	u.f = 1.0f;
	if (u.i == 0x3f800000) /* taken */
		r = 3;
	b.b = n;
	if (b.b == 31) /* taken */
		r = 4;
	b.c = n;
	if (b.c < 0) /* taken */
		r = 5;
	b.a = 9;
	if (b.a == 1) /* taken */
		r = 6;
	return r;
}
