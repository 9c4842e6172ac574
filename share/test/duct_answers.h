/* duct_answers.h: what the files that answer the program's calls share. Included first. */
#ifndef DUCT_ANSWERS_H
#define DUCT_ANSWERS_H

#include <stddef.h>

#include "duct_test.h"

/* The number of this call of a function, from 0 on. Each group counts for itself. */
unsigned duct_count_call(const char *group, const char *function);
/* The value of a call, or of a member of it; 0 when there is none. */
unsigned long long duct_answer(
    const char *group, const char *function, unsigned call, const char *member);
/* Does this call fail? error: errno then, unless the test has another one; 0: errno stays. */
int duct_fails(const char *function, int error);
/* A text, whose bytes are numbered. Returns its size with the NUL. */
size_t duct_text_of(const char *function, char *to, size_t room);
/* Standard input is another than at the start. */
extern int duct_other_input;

#endif
