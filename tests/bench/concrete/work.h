/* Programs of the concrete bench: work() is what is measured. With INPUT a few bytes are inputs of the
 * program, in memory that the work passes by. */
#ifndef WORK_H
#define WORK_H

#include <stdio.h>

unsigned work(void);

#ifdef INPUT
#include "share/duct.h"
static unsigned char input[64];
#endif

int main(void)
{
#ifdef INPUT
	duct_symbolic(input, sizeof input, "input");
#endif
	printf("%u\n", work());
	return 0;
}

#endif
