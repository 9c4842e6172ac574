/* Digits that two functions tell apart in different ways. */
static int is_hex(int c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static int value(int c)
{
	switch (c) {
	case '0': return 0;
	case '1': return 1;
	case '9': return 9;
	case 'a': return 10;
	case 'B': return 11;
	case 'E': return 14;
	}
	return 5;
}
int escape(const char *s)
{
	int n = 0;
	for (int i = 0; i < 10 && s[i]; i++) {
		if (s[i] == '\\' && s[i + 1] == 'x' && is_hex(s[i + 2]) && is_hex(s[i + 3])) {
			if (value(s[i + 2]) == 14 && value(s[i + 3]) == 11)
				return -1;
			i += 3;
		} else if (s[i] == '"' || s[i] == ' ') {
			n++;
		}
	}
	return n;
}
