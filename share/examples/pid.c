/* A PID controller with a dead band, a limit on its output and no winding up, two steps of it. The
 * sensor's words are tenths of a degree, of which some mean that it failed.
 *
 * duct: concolic --entry control --search cfg --runs 40 --query-timeout 0.5
 * expect: failures=0 branches.unknown=0
 */
#include <math.h>

struct pid {
	float kp, ki, kd;
	float sum, last;
};

enum { HEAT = 1, COOL = 2, LIMITED = 4, FAILED = 8 };

static float limit(float x, float low, float high)
{
	return x < low ? low : x > high ? high : x;
}

static int step(struct pid *p, float target, short word, float *out)
{
	float value = (float)word / 10, error, u;

	if (word == -32768 || value > 1500)
		return FAILED;
	error = target - value;
	if (fabsf(error) < 0.25f)
		error = 0;
	u = p->kp * error + p->ki * (p->sum + error) + p->kd * (error - p->last);
	p->last = error;
	*out = limit(u, -100, 100);
	if (*out == u)
		p->sum += error;
	return (*out > 0 ? HEAT : *out < 0 ? COOL : 0) | (*out != u ? LIMITED : 0);
}

int control(float target, short first, short second)
{
	struct pid p = { 2.0f, 0.5f, 1.0f, 0, 0 };
	float out = 0;
	int did, then;

	if (!(target >= 5 && target <= 30))
		return -1;
	did = step(&p, target, first, &out);
	if (did & FAILED)
		return did;
	then = step(&p, target, second, &out);
	if ((did & HEAT) && (then & COOL) && p.sum > 20)
		return -2;
	return did | then << 4;
}
