/* For the program model: structures, unions, pointers, calls of many kinds. */
#include <stdlib.h>
#include <string.h>

struct item {
	struct item *next;
	union {
		int number;
		char text[8];
	} value;
	unsigned flag : 3, rest : 5;
};
static struct item *head, pool[3];
static int (*chosen)(struct item *, int);
double ratio = 0.5;

static int count(struct item *i, int n)
{
	return i && n > 0 ? 1 + count(i->next, n - 1) : 0;
}

static int sum(struct item *i, int n)
{
	int total = 0;

	for (; i && n-- > 0; i = i->next)
		if (!i->flag || (i->rest && i->value.number > total))
			total += i->value.number;
	return total;
}

int add(const char *text, int number)
{
	struct item *i = text ? malloc(sizeof *i) : &pool[number & 1], copy;

	if (!i)
		abort();
	memset(i, 0, sizeof *i);
	if (text)
		strcpy(i->value.text, text);
	else
		i->value.number = number;
	i->next = head;
	copy = *i;
	head = i;
	chosen = number & 1 ? count : sum;
	while (number-- > 0 && copy.next)
		copy = *copy.next;
	return chosen(head, copy.value.number) + (int)(ratio * number);
}
