volatile int v;
static volatile int w;
struct s {
	volatile int m;
	int n;
} t;
int main(void)
{
	int r = 0;
	volatile int l = 0;
	volatile int *p = (volatile int *)&t.n;
	if (v) /* taken */
		r = 1;
	if (w) /* taken */
		r = 2;
	if (l) /* taken */
		r = 3;
	if (t.m) /* taken */
		r = 3;
	if (*p) /* taken */
		r = 3;
	return r;
}
