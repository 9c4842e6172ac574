/* A scheduler of jobs in three queues by priority, written anew after what the papers tell of their
 * subject schedule: commands make jobs, raise, block and release them, end a quantum, finish a job,
 * flush. Returns how many were finished. */
#define MOST 6

enum {
	NEW = 'n',
	UPGRADE = 'u',
	BLOCK = 'b',
	UNBLOCK = 'r',
	QUANTUM = 'q',
	FINISH = 'f',
	FLUSH = 'x'
};

struct queue {
	int job[MOST], n;
};

static struct queue ready[4], blocked; /* by priority 1 to 3 */
static int jobs, finished;

static int put(struct queue *q, int job)
{
	if (q->n == MOST)
		return 0;
	q->job[q->n++] = job;
	return 1;
}

/* Takes out the job at this place; -1: there is none. */
static int take(struct queue *q, int at)
{
	int job;

	if (at < 0 || at >= q->n)
		return -1;
	job = q->job[at];
	for (int i = at; i + 1 < q->n; i++)
		q->job[i] = q->job[i + 1];
	q->n--;
	return job;
}

static struct queue *current(void)
{
	for (int i = 3; i > 0; i--)
		if (ready[i].n > 0)
			return &ready[i];
	return 0;
}

static int command(char what, int priority, int ratio)
{
	struct queue *q = current();
	int job;

	switch (what) {
	case NEW:
		if (priority < 1 || priority > 3)
			return 0;
		return put(&ready[priority], ++jobs);
	case UPGRADE:
		if (priority < 1 || priority > 2
		    || (job = take(&ready[priority], ready[priority].n * ratio / 10)) < 0)
			return 0;
		return put(&ready[priority + 1], job);
	case BLOCK:
		if (!q || (job = take(q, 0)) < 0)
			return 0;
		return put(&blocked, job);
	case UNBLOCK:
		if ((job = take(&blocked, blocked.n * ratio / 10)) < 0)
			return 0;
		return put(&ready[job % 3 + 1], job);
	case QUANTUM:
		if (!q || (job = take(q, 0)) < 0)
			return 0;
		return put(q, job);
	case FINISH:
		if (!q || take(q, 0) < 0)
			return 0;
		finished++;
		return 1;
	case FLUSH:
		while ((q = current()) && take(q, 0) >= 0)
			finished++;
		return 1;
	default: return -1;
	}
}

/* Each command: a letter, a digit for the priority, a digit for the place in tenths of the queue.
 */
int schedule(const char *text)
{
	for (int i = 0; text[i] != '\0' && text[i + 1] != '\0' && text[i + 2] != '\0'; i += 3)
		if (command(text[i], text[i + 1] - '0', text[i + 2] - '0') < 0)
			break;
	return finished;
}
