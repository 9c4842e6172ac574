/* entry: f
 * class: state that other functions of the file set
 */
#include <stddef.h>
static int (*handler)(int);
static const char *name = "none";
static int stack[10], depth;
void set_handler(int (*h)(int)) { handler = h; }
void set_name(const char *n) { name = n; }
void push(int x) { stack[depth % 10] = x; depth = depth % 10 + 1; }
static int pop(void) { return depth ? stack[--depth] : -1; }
int f(int x)
{
	if (handler && handler(x) == 9)
		return 1;
	if (name[0] == 'q')
		return 2;
	if (pop() == 5)
		return 3;
	if (depth == 9)
		return 4;
	return 0;
}
#ifdef NATIVE
static int plus(int x) { return x + 1; }
int main(void)
{
	f(0);
	push(5);
	f(0);
	for (int i = 0; i < 10; i++)
		push(i);
	f(0);
	set_handler(plus);
	f(0);
	f(8);
	set_name("q");
	f(0);
	return 0;
}
#endif
