/* library: pointer effects of C library functions, from lib/clib. */
#include "lib/alias/inner.h"

#include <string.h>

/* Does the table describe all pointer effects? True if the function keeps no pointer and calls
 * nothing back. */
static bool is_told(const struct clib *c)
{
	return !clib_has(c, "ck") && !clib_extends(c, "I") && !clib_does(c, "2jthlm")
	    && !strpbrk(c->points, "Cn+");
}

/* LLVM intrinsics without memory effects: annotations, saving and restoring the stack. */
static const struct clib intrinsic = { "llvm.", .args = "-", .points = "0x" };

const struct clib *alias_library(const char *name)
{
	static const char *const act[] = { "llvm.va_", "llvm.eh.", "llvm.x86.", "llvm.aarch64.",
		"llvm.masked." };
	bool plain = !strncmp(name, "llvm.", 5);
	for (size_t i = 0; i < sizeof act / sizeof *act; i++)
		plain &= strncmp(name, act[i], strlen(act[i])) != 0;
	const struct clib *c = plain ? &intrinsic : clib_find(name);
	return c && (plain || is_told(c)) ? c : NULL;
}

uint32_t alias_library_number(const struct clib *c)
{
	return c == &intrinsic ? UINT32_MAX : (uint32_t)(c - clib_table);
}

const struct clib *alias_library_at(uint32_t number)
{
	return number == UINT32_MAX ? &intrinsic : &clib_table[number];
}

/* Looks for %, then flags, width, precision and length, then a conversion in `last`. */
static bool has_conversion(const uint8_t *text, uint64_t n, const char *last)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t k = i + 1;
		while (text[i] == '%' && k < n && text[k]
		    && strchr("0123456789$*.#+- 'hljztL", text[k]))
			k++;
		if (text[i] == '%' && k < n && text[k] && strchr(last, text[k]))
			return true;
		if (text[i] == '%' && k == i + 1 && k < n && text[k] == '%')
			i++;
	}
	return false;
}

bool alias_text_has(const struct flow *fl, const char *conversions)
{
	for (size_t i = 0; i < fl->units; i++)
		for (size_t k = 0; k < fl->unit[i].contents; k++)
			if (has_conversion(fl->unit[i].bytes[k].bytes, fl->unit[i].bytes[k].known,
			        conversions))
				return true;
	return false;
}

char alias_effect(const struct alias_call *c, size_t argument)
{
	const struct clib *l = c->name && !c->unknown ? alias_library(c->name) : NULL;
	char access = l ? clib_arg(l, (unsigned)argument).access : 'b';
	return strchr("fy", access) ? 'b'
	    : access == 'g'         ? 'r'
	    : strchr("rwb", access) ? access
	                            : '-';
}
