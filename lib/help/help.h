/* help: what `duct --help` and `duct COMMAND --help` print. */
#ifndef DUCT_HELP_H
#define DUCT_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* The commands that most people need, on one screen. */
void help_commands(FILE *f);
/* Options by purpose, a line each; `command`: what they are for ("test", "dft", "plan", ...). */
void help_options(FILE *f, const char *command);
/* Does the command take this option (its name without dashes)? */
bool help_takes(const char *command, const char *option);

#endif
