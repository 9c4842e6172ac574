/* As ISO C of 1989 has it, for tests that must be so, too. */
struct sample { float f; double d; char name[8]; unsigned long count; long double wide; };

static double scale = 0.5;
int read_sensor(int channel);

void set_up(void);
void set_up(void)
{
	scale = 0.25;
}

double weigh(struct sample *s, float f, double d, unsigned long n, struct sample by_value)
{
	s->d = f / 3 + d;
	if (n == 18446744073709551615ul && by_value.count == 4294967296ul)
		return 1e300 * d;
	if (f > 1.1f && f < 1.2f && d < -1e-310 && d > -1e-300)
		s->f = f * 1e-38f;
	if (s->wide > 0.1L && s->name[0] == '"')
		return -0.0 * s->count;
	return s->name[1] ? scale / 3 : read_sensor(2) / 7.0;
}
