/* A priority scheduler, in the manner of the subject "schedule" of Su et al. (hybrid
 * data-flow testing), Table 2. Commands are bytes: 'n' and 'N' make a process of low and
 * high priority, 'b' blocks the running one, 'u' unblocks all, 'f' finishes the running
 * one, 'p' promotes the oldest of low priority. The result counts those that finished.
 *
 * duct: concolic --entry schedule --search dfs --string commands=2 --calls 1
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#include <stddef.h>

#define PROCESSES 8
#define LEVELS 2

struct process {
	struct process *next;
	int id;
	int level;
};

struct queue {
	struct process *head, *tail;
};

static struct process pool[PROCESSES];
static struct queue ready[LEVELS], blocked;
static int made, finished;

static void put(struct queue *q, struct process *p)
{
	p->next = NULL;
	if (q->tail != NULL)
		q->tail->next = p;
	else
		q->head = p;
	q->tail = p;
}

static struct process *take(struct queue *q)
{
	struct process *p = q->head;

	if (p == NULL)
		return NULL;
	q->head = p->next;
	if (q->head == NULL)
		q->tail = NULL;
	return p;
}

static struct process *running(void)
{
	int level;

	for (level = LEVELS - 1; level >= 0; level--) {
		struct process *p = take(&ready[level]);

		if (p != NULL)
			return p;
	}
	return NULL;
}

static void make(int level)
{
	struct process *p;

	if (made == PROCESSES)
		return;
	p = &pool[made];
	p->id = made++;
	p->level = level;
	put(&ready[level], p);
}

static void command(char c)
{
	struct process *p;

	switch (c) {
	case 'n':
		make(0);
		break;
	case 'N':
		make(1);
		break;
	case 'b':
		p = running();
		if (p != NULL)
			put(&blocked, p);
		break;
	case 'u':
		while ((p = take(&blocked)) != NULL)
			put(&ready[p->level], p);
		break;
	case 'f':
		if (running() != NULL)
			finished++;
		break;
	case 'p':
		p = take(&ready[0]);
		if (p != NULL) {
			p->level = 1;
			put(&ready[1], p);
		}
		break;
	default:
		break;
	}
}

int schedule(const char *commands)
{
	int i;

	for (i = 0; i < LEVELS; i++)
		ready[i].head = ready[i].tail = NULL;
	blocked.head = blocked.tail = NULL;
	made = finished = 0;
	for (; *commands != '\0'; commands++)
		command(*commands);
	return finished;
}
