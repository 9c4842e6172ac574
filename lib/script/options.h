/* options: what the command line says to strategies and commands, as fields of the scripts' table.
 */
#ifndef DUCT_OPTIONS_H
#define DUCT_OPTIONS_H

#include <stdbool.h>

struct script;

/* Reads the options of argv, whose first word is the command. What is no option becomes the list
 * "files", what follows `--` the list "flags". Returns 0; -1 after --help, when nothing is left to
 * do; or the exit status after a message. is_known: there is such a command or strategy. */
int options_parse(struct script *s, const char *command, bool is_known, int argc, char **argv);
/* Lists for shell completion: "option_names", and those that each of the commands
 * (NULL-terminated) and strategies take, as "options NAME". */
void options_tell(struct script *s, const char *const *commands);
/* Says where flags for compilers belong; false if the word is none. */
bool options_told_flag(const char *word);

#endif
