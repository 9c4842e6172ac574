/* entry: f
 * class: cycles
 */
struct node { struct node *next; int mark; };

int
f(struct node *slow)
{
	struct node *fast = slow;

	while (fast && fast->next) {
		slow = slow->next;
		fast = fast->next->next;
		if (slow == fast)
			return slow->mark == 9 ? 2 : 1;
	}
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct node a = { 0, 9 }, b = { &a, 0 }, c = { &b, 0 };

	f(0);
	f(&a);
	f(&c);
	a.next = &a;
	f(&a);
	a.next = &c;
	f(&b);
	return 0;
}
#endif
