/* Shared by tests/lib/paths.c and the enumerations in tests/examples/enumerate. */
#ifndef PATHS_H
#define PATHS_H

void enumerate(void);              /* the test's: tries every input */
void path_try(void (*run)(void));  /* run() calls the function under test once */

/* Call each() for all words of n numbers from low to high. */
void path_ints(int *word, int n, int low, int high, void (*each)(void));
/* Call each() for all strings of at most n letters of the alphabet. */
void path_text(char *word, int n, const char *alphabet, void (*each)(void));

#endif
