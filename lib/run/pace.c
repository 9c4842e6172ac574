/* pace: how long a run may still go on. Its time is CPU time, or wall clock while it sleeps: time
 * in which it waits for a processor does not count. */
#include "lib/base/clock.h"
#include "lib/base/tree.h"
#include "lib/run/internal.h"

#define LOOK_SECONDS 0.25 /* between two looks at a run */
#define LEAST_LOOK 0.01
#define PATIENCE 10 /* times its limit that a run may last by the clock */

enum { MOST_PROCESSES = 4096 };

static double limit_of(const struct runner *r)
{
	return r->most > 0 && r->most < r->o.timeout ? r->most : r->o.timeout;
}

void pace_begin(struct pace *p, const struct runner *r)
{
	*p = (struct pace){ .most = limit_of(r) - r->used, .looked = clock_now(), .began = -1 };
	p->end = p->looked + PATIENCE * p->most;
	if (r->end > 0 && r->end < p->end)
		p->end = r->end;
}

double pace_look(const struct pace *p)
{
	double now = clock_now(), look = p->killed ? PACE_DEATH : p->most - p->counted;

	if (p->end - now < look)
		look = p->end - now;
	if (look > LOOK_SECONDS) /* several of the same length */
		look /= 1 + (int)(look / LOOK_SECONDS);
	return look > LEAST_LOOK ? look : LEAST_LOOK;
}

/* Adds the time since the last look. CPU time is that of a process which may have served other runs
 * before; `began` is its CPU time at the start of this one, read once: the program could raise it
 * as it goes on. */
static void count(struct pace *p, const struct runner *r, double now)
{
	double wall = now - p->looked, cpu;
	pid_t pid[MOST_PROCESSES];
	bool ready;

	if (p->began < 0)
		p->began = (double)r->channel.map->cpu_began * 1e-6;
	cpu = tree_cpu(pid, tree_list(r->server.pid, pid, MOST_PROCESSES), &ready) - p->began;
	if (cpu < p->cpu || !ready || cpu - p->cpu > wall)
		p->counted += wall;
	else
		p->counted += cpu - p->cpu;
	if (cpu > p->cpu)
		p->cpu = cpu;
	p->looked = now;
}

bool pace_over(struct pace *p, struct runner *r)
{
	double now = clock_now();

	if (p->killed)
		return now >= p->end;
	count(p, r, now);
	if (r->end > 0 && now >= r->end)
		r->late = LATE_SESSION;
	else if (p->counted >= p->most)
		r->late = r->most > 0 && r->most < r->o.timeout ? LATE_MOST : LATE_TIMEOUT;
	else if (now >= p->end)
		r->late = LATE_MOST;
	else
		return false;
	return true;
}

void pace_killed(struct pace *p)
{
	p->killed = true;
	p->end = clock_now() + PACE_DEATH;
}

double pace_took(const struct pace *p, double cpu)
{
	double wall = clock_now() - p->looked, rest = cpu - p->cpu;

	return p->counted + (rest < 0 ? 0 : rest < wall ? rest : wall);
}
