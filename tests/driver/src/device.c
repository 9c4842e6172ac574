#include <string.h>
extern int read_sensor(int channel);
struct cfg { int limit; char mode; };
static struct cfg cfg;
int errors;
void reset(void) { cfg.limit = 5; errors = 0; }
enum level { LOW, MID, HIGH };
enum level poll(int n, const char *name, unsigned char data[], int len)
{
	int sum = 0;
	if (n > 100) { errors++; return HIGH; }
	for (int i = 0; i < n; i++) {
		int v = read_sensor(i);
		if (v > cfg.limit)
			sum++;
	}
	if (name[0] == 'x' && data[1] > 9)
		return HIGH;
	return sum > 1 ? MID : LOW;
}
