/* Decisions of 5, 7, 8, 10 and 12 conditions; in the last two some conditions depend on each other. */
int permitted(int speed, int height, int gear, int flaps, unsigned mode)
{
	return speed > 120 && speed < 250 && (height >= 1500 || gear == 3) && (mode & 4 || flaps != 0);
}

/* 7: of each of two groups */
int alarm(int t1, int t2, int t3, int p1, int p2, int door, int test)
{
	if ((t1 > 90 || t2 > 90 || t3 > 90) && (p1 - p2 > 15 || p2 - p1 > 15) && door == 0 && test != 7)
		return 1;
	return 0;
}

/* 8: arithmetic over the same inputs */
int valid(int day, int month, int year)
{
	return month >= 1 && month <= 12 && day >= 1 && (day <= 28 || (day == 29 && (month != 2 || year % 4 == 0))
		|| (day == 30 && month != 2) || (day == 31 && (month == 7 || month % 2 == 1)));
}

/* 10: a character of a number as C has it */
int digit(const char *s)
{
	char c = s[0];

	return (c >= '0' && c <= '9') || ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) || (c == '_' && s[1] != 0)
		|| c == '.' || c == '\'';
}

/* 12 */
int resolve(int own, int other, int up, int down, int climb, int a, int b, int c, int d, int e)
{
	if ((own < other && up > 400 && !climb) || (other < own && down > 400 && climb) || (a == 17 && b == a + 5)
		|| (c > 1000 && d * 3 == 4242 && e != c) || own + other == 77)
		return 2;
	return 1;
}
