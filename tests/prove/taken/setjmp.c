#include <setjmp.h>
static jmp_buf b;
static int n;
static void back(void)
{
	longjmp(b, 3);
}
int main(void)
{
	volatile int x = 0;
	if (setjmp(b) == 3) /* taken */
		return 1;
	n++;
	x = 1;
	back();
	return 2;
}
