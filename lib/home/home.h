/* home: where the toolkit's own parts are, in the source tree or installed. */
#ifndef DUCT_HOME_H
#define DUCT_HOME_H

/* Absolute path of "libexec/NAME", "share/NAME", "lua/NAME" or "lib/NAME" (the built runtime
 * archives), found from the running executable. Caller frees; NULL when it cannot be found. */
char *home_path(const char *part, const char *name);

#endif
