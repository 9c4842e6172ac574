/* A number of any length, digit by digit, with what was seen in flags that exclude one another.
 *
 * duct: dft --entry digits --string s=12
 */
int digits(const char *s)
{
	int value = 0, sign = 0, seen = 0, base = 10, bad = 0, point = 0;

	while (*s == ' ')
		s++;
	if (*s == '-' || *s == '+')
		sign = *s++ == '-' ? -1 : 1;
	if (s[0] == '0' && s[1] == 'x') {
		base = 16;
		s += 2;
	}
	for (; *s; s++) {
		int digit = *s >= '0' && *s <= '9' ? *s - '0' : *s >= 'a' && *s <= 'f' ? *s - 'a' + 10 : -1;
		if (*s == '.' && !point && base == 10) {
			point = 1;
			continue;
		}
		if (digit < 0 || digit >= base) {
			bad = 1;
			break;
		}
		seen++;
		value = value * base + digit;
	}
	if (bad && !seen)
		return -1;
	if (point && base == 16)
		value = 0;
	if (sign < -1 || sign > 1)
		bad = 2;
	if (bad == 2)
		return seen;
	if (!sign)
		sign = 1;
	return sign * value;
}
