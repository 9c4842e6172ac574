/* Texts of error numbers. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "share/libc/model.h"
#include "share/libc/names.h"
#include "share/libc/stream.h"

/* errno can be an input (lib/runtime/inject.c): which text it has is looked up in a table, as the
 * program itself would do. */
MODEL char *strerror(int error)
{
	static char *text[134];
	int i, n = (int)(sizeof text / sizeof *text);

	if (!duct_rt_symbolic(&error, sizeof error) || error < 0 || error >= n)
		return CALL_REAL(strerror, error);
	for (i = 0; i < n && !text[i]; i++)
		text[i] = INNER(strdup(CALL_REAL(strerror, i)));
	return text[error];
}
