int f(unsigned a, int b, signed char c, unsigned short s)
{
	int r = 0;
	if (a + 1 < a) /* taken */
		r = 1;
	if (b + 1 < b) /* taken */
		r = 2;
	c++;
	if (c == -128) /* taken */
		r = 3;
	s--;
	if (s == 65535) /* taken */
		r = 4;
	if ((b << (a & 31)) == 0 && b) /* taken */
		r = 5;
	if (b / -1 == b && b) /* taken */
		r = 6;
	if (-b == b && b) /* taken */
		r = 7;
	if ((long)a * a > 0xffffffffL) /* taken */
		r = 8;
	if (b % 3 == -2) /* taken */
		r = 9;
	if ((b >> 1) == -1) /* taken */
		r = 10;
	if ((char)b == b && b < 0) /* taken */
		r = 11;
	return r;
}
