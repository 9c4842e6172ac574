/* home: finds duct's own files in the source tree or installation. */
#ifndef DUCT_HOME_H
#define DUCT_HOME_H

/* Absolute path of "libexec/NAME", "share/NAME", "lua/NAME" or "lib/NAME" (runtime archives),
 * relative to the running executable. Caller frees; NULL when not found. */
char *home_path(const char *part, const char *name);

#endif
