#include "lib/front/undeclared.h"

#include <clang/AST/Decl.h>

namespace duct
{

// Functions that do not return int. None needs a type from a header.
static const struct {
	const char *name, *before, *after;
} known[] = {
	{ "malloc", "void *", "(unsigned long)" },
	{ "calloc", "void *", "(unsigned long, unsigned long)" },
	{ "realloc", "void *", "(void *, unsigned long)" },
	{ "free", "void ", "(void *)" },
	{ "alloca", "void *", "(unsigned long)" },
	{ "exit", "void ", "(int)" },
	{ "abort", "void ", "(void)" },
	{ "getenv", "char *", "(const char *)" },
	{ "atof", "double ", "(const char *)" },
	{ "atol", "long ", "(const char *)" },
	{ "strtod", "double ", "(const char *, char **)" },
	{ "strtol", "long ", "(const char *, char **, int)" },
	{ "strtoul", "unsigned long ", "(const char *, char **, int)" },
	{ "qsort", "void ",
	    "(void *, unsigned long, unsigned long, int (*)(const void *, const void *))" },
	{ "memcpy", "void *", "(void *, const void *, unsigned long)" },
	{ "memmove", "void *", "(void *, const void *, unsigned long)" },
	{ "memset", "void *", "(void *, int, unsigned long)" },
	{ "memchr", "void *", "(const void *, int, unsigned long)" },
	{ "strlen", "unsigned long ", "(const char *)" },
	{ "strdup", "char *", "(const char *)" },
	{ "strcpy", "char *", "(char *, const char *)" },
	{ "strcat", "char *", "(char *, const char *)" },
	{ "strncpy", "char *", "(char *, const char *, unsigned long)" },
	{ "strncat", "char *", "(char *, const char *, unsigned long)" },
	{ "strchr", "char *", "(const char *, int)" },
	{ "strrchr", "char *", "(const char *, int)" },
	{ "strstr", "char *", "(const char *, const char *)" },
	{ "strpbrk", "char *", "(const char *, const char *)" },
	{ "strtok", "char *", "(char *, const char *)" },
	{ "strerror", "char *", "(int)" },
	{ "strspn", "unsigned long ", "(const char *, const char *)" },
	{ "strcspn", "unsigned long ", "(const char *, const char *)" },
	{ "sqrt", "double ", "(double)" },
	{ "pow", "double ", "(double, double)" },
	{ "fabs", "double ", "(double)" },
	{ "floor", "double ", "(double)" },
	{ "ceil", "double ", "(double)" },
	{ "sin", "double ", "(double)" },
	{ "cos", "double ", "(double)" },
	{ "exp", "double ", "(double)" },
	{ "log", "double ", "(double)" },
};

std::string declarations_of(const std::set<const clang::FunctionDecl *> &undeclared)
{
	std::set<std::string> names;
	for (const clang::FunctionDecl *f : undeclared)
		if (!f->isDefined())
			names.insert(f->getName().str());
	std::string out;
	for (auto &k : known)
		if (names.count(k.name))
			out += std::string(k.before) + k.name + k.after + ";\n";
	return out;
}

} // namespace duct
