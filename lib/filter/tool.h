/* tool: how a program with options of its own ends: messages, usage, help, a last look at what was written. */
#ifndef DUCT_TOOL_H
#define DUCT_TOOL_H

struct tool { const char *name, *usage, *help; };    /* usage, help: ended by a newline */
/* Defined by the program. */
extern const struct tool tool;

/* Ends with "NAME: message" and the status. */
_Noreturn void tool_die(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void tool_usage(void);     /* as an error */
_Noreturn void tool_help(void);
_Noreturn void tool_version(void);
/* What was printed has to have arrived: dies when it cannot be written. */
void tool_close_stdout(void);

#endif
