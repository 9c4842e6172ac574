/* entry: main
 * class: arguments
 * run: $P
 * run: $P 1 2 3 4 5 6 7 8 9 x
 * run: $P 100 300 2 200 0 0 1 1 600 400
 * run: $P 100 300 2 200 0 0 1 1 600 450
 * run: $P 100 300 2 200 0 0 1 1 600 550
 * run: $P 200 300 2 100 0 0 0 1 500 100
 * run: $P 200 300 2 100 0 0 9 1 100 500
 * run: $P 200 300 2 100 0 0 2 1 900 500
 * run: $P 200 700 2 100 0 0 2 1 900 500
 * run: $P 200 300 2 100 0 1 2 1 900 500
 * run: $P 200 300 2 100 0 1 2 0 900 500
 */
#include <stdlib.h>

static int own, rate, class, other, other_rate, equipped, layer, confident, up, down;

static int number(const char *s)
{
	char *end;
	long v = strtol(s, &end, 10);

	if (end == s || *end)
		exit(2);
	return (int)v;
}

static int threshold(void)
{
	if (layer == 0)
		return 400;
	if (layer == 1)
		return 500;
	return layer == 2 ? 640 : 740;
}

static int climb(void)
{
	if (up > down)
		return own >= other || down < threshold();
	return other < own && rate >= 300 && up >= threshold();
}

static int descend(void)
{
	if (up > down)
		return own < other && rate >= 300 && down >= threshold();
	return own <= other || up >= threshold();
}

int main(int argc, char **argv)
{
	if (argc < 11)
		return 3;
	own = number(argv[1]);
	rate = number(argv[2]);
	class = number(argv[3]);
	other = number(argv[4]);
	other_rate = number(argv[5]);
	equipped = number(argv[6]);
	layer = number(argv[7]);
	confident = number(argv[8]);
	up = number(argv[9]);
	down = number(argv[10]);
	if (!confident || rate > 600 || class < 2)
		return 4;
	if (equipped && other_rate == 0)
		return 5;
	if (climb() && own < other)
		return 6;
	if (descend() && own > other)
		return 7;
	return 0;
}
