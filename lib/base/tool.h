/* tool: error messages, usage, help and the final check of stdout, for programs with options of
 * their own. */
#ifndef DUCT_TOOL_H
#define DUCT_TOOL_H

struct tool {
	const char *name;
	const char *usage, *help; /* with a final newline */
};
/* Defined by the program. */
extern const struct tool tool;

/* Prints "NAME: message" and exits with the status. */
_Noreturn void tool_die(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Ends the program because its output cannot be written, for the reason in errno: if the reader has
 * gone, by SIGPIPE without a message, as filters do; else with a message and status 4. */
_Noreturn void tool_unwritten(void);
_Noreturn void tool_usage(void); /* on stderr, exit status 2 */
struct option;
/* After getopt_long() has returned c, '?' or ':': says which option is unknown or needs a value. */
_Noreturn void tool_unknown(int c, char **argv, const struct option *options);
_Noreturn void tool_help(void);
_Noreturn void tool_version(void);
/* Flushes stdout; exits with an error if that fails, e.g. on a full disk. */
void tool_close_stdout(void);

#endif
