/* help: the output of `duct --help` and `duct COMMAND --help`. */
#ifndef DUCT_HELP_H
#define DUCT_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* The most common commands, on one screen. */
void help_commands(FILE *f);
/* The options of a command ("test", "dft", "plan", ...), grouped by purpose, one a line. */
void help_options(FILE *f, const char *command);
/* Does the command accept this option? `option`: its name without dashes. */
bool help_takes(const char *command, const char *option);

#endif
