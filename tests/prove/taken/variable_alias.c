int w = 0;
extern int v __attribute__((alias("w")));
static int s[2];
extern int t[2] __attribute__((alias("s")));
int main(void)
{
	w = 1;
	if (v == 1) /* taken */
		w = 2;
	v = 5;
	if (w == 5) /* taken */
		w = 3;
	s[1] = 4;
	if (t[1] == 4) /* taken */
		return 1;
	return 0;
}
