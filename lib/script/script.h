/* script: the Lua layer. The only module that sees Lua. Scripts get the C modules as
 * `require "duct.core"` (man7 duct) and what was asked for as a table of options. */
#ifndef DUCT_SCRIPT_H
#define DUCT_SCRIPT_H

#include <stdbool.h>

struct script;

/* A state with the toolkit's Lua folders on its path. NULL with *error (caller frees). */
struct script *script_open(char **error);
void script_close(struct script *s);

/* Options, gathered in one table: a single value, or one more of a list. */
void script_flag(struct script *s, const char *name);
void script_string(struct script *s, const char *name, const char *value);
void script_number(struct script *s, const char *name, double value);
void script_integer(struct script *s, const char *name, long long value);
void script_append(struct script *s, const char *name, const char *value);

/* Calls the function that module `name` (e.g. "duct.main") returns with the table of options; its
 * result is the exit status. -1 with *error "file:line: message" (caller frees) when it failed. */
int script_call(struct script *s, const char *name, char **error);

/* After this, scripts see core.interrupted(): for signal handlers. */
void script_interrupt(int signal);

#endif
