/* Classes of characters in the C locale: functions without branches, and the tables that the
 * macros of <ctype.h> read through __ctype_b_loc and its kin. */
#define _GNU_SOURCE 1
#include <ctype.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

#undef isalnum
#undef isalpha
#undef isblank
#undef iscntrl
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef tolower
#undef toupper
#undef isascii
#undef toascii

#define LOWER(c) IN(c, 'a', 'z')
#define UPPER(c) IN(c, 'A', 'Z')
#define DIGIT(c) IN(c, '0', '9')
#define HEX(c) (DIGIT(c) | IN(c, 'a', 'f') | IN(c, 'A', 'F'))
#define GRAPH(c) IN(c, '!', '~')
#define ALNUM(c) (LOWER(c) | UPPER(c) | DIGIT(c))
#define SPACE(c) (((c) == ' ') | IN(c, '\t', '\r'))
#define BLANK(c) (((c) == ' ') | ((c) == '\t'))
#define CNTRL(c) (IN(c, 0, 31) | ((c) == 127))

/* Results are the bits that glibc's tables hold. */
#define CLASS(name, bit, test) \
	MODEL int name(int c) \
	{ \
		return bit * (int)(test); \
	}

CLASS(isalnum, _ISalnum, ALNUM(c))
CLASS(isalpha, _ISalpha, LOWER(c) | UPPER(c))
CLASS(isblank, _ISblank, BLANK(c))
CLASS(iscntrl, _IScntrl, CNTRL(c))
CLASS(isdigit, _ISdigit, DIGIT(c))
CLASS(isgraph, _ISgraph, GRAPH(c))
CLASS(islower, _ISlower, LOWER(c))
CLASS(isprint, _ISprint, IN(c, ' ', '~'))
CLASS(ispunct, _ISpunct, GRAPH(c) & !ALNUM(c))
CLASS(isspace, _ISspace, SPACE(c))
CLASS(isupper, _ISupper, UPPER(c))
CLASS(isxdigit, _ISxdigit, HEX(c))

MODEL int isascii(int c)
{
	return (c & ~0x7f) == 0;
}

MODEL int toascii(int c)
{
	return c & 0x7f;
}

/* glibc takes -128 .. -2 for the unsigned characters that they may have been. */
MODEL int tolower(int c)
{
	return duct_lower(c) + 256 * (int)IN(c, -128, -2);
}

MODEL int toupper(int c)
{
	return c - 32 * (int)IN(c, 'a', 'z') + 256 * (int)IN(c, -128, -2);
}

/* ---- tables for -128 .. 255, as the C library's: what is above 127 has no class. */

#define BITS(c) \
	((ALNUM(c) ? _ISalnum : 0) | ((LOWER(c) | UPPER(c)) ? _ISalpha : 0) \
	    | (BLANK(c) ? _ISblank : 0) | (CNTRL(c) ? _IScntrl : 0) | (DIGIT(c) ? _ISdigit : 0) \
	    | (GRAPH(c) ? _ISgraph : 0) | (LOWER(c) ? _ISlower : 0) \
	    | (IN(c, ' ', '~') ? _ISprint : 0) | (GRAPH(c) && !ALNUM(c) ? _ISpunct : 0) \
	    | (SPACE(c) ? _ISspace : 0) | (UPPER(c) ? _ISupper : 0) | (HEX(c) ? _ISxdigit : 0))
#define DOWN(c) (UPPER(c) ? (c) + 32 : (c))
#define UP(c) (LOWER(c) ? (c) - 32 : (c))
/* Below 0 the conversions are of the unsigned character, but for EOF. */
#define WIDE(f, c) ((c) < -1 ? f((c) + 256) : f(c))
#define WIDE_DOWN(c) WIDE(DOWN, c)
#define WIDE_UP(c) WIDE(UP, c)

#define R1(f, c) f(c)
#define R4(f, c) R1(f, c), R1(f, (c) + 1), R1(f, (c) + 2), R1(f, (c) + 3)
#define R16(f, c) R4(f, c), R4(f, (c) + 4), R4(f, (c) + 8), R4(f, (c) + 12)
#define R64(f, c) R16(f, c), R16(f, (c) + 16), R16(f, (c) + 32), R16(f, (c) + 48)
#define R384(f) R64(f, -128), R64(f, -64), R64(f, 0), R64(f, 64), R64(f, 128), R64(f, 192)

/* Woven code reads them without a call (lib/front/tables.cc). */
MODEL const unsigned short duct_model_classes[384] = { R384(BITS) };
MODEL const int32_t duct_model_lower[384] = { R384(WIDE_DOWN) };
MODEL const int32_t duct_model_upper[384] = { R384(WIDE_UP) };
MODEL const unsigned short *const duct_model_classes_at = duct_model_classes + 128;
MODEL const int32_t *const duct_model_lower_at = duct_model_lower + 128;
MODEL const int32_t *const duct_model_upper_at = duct_model_upper + 128;

MODEL const unsigned short **__ctype_b_loc(void)
{
	return (const unsigned short **)&duct_model_classes_at;
}

MODEL const int32_t **__ctype_tolower_loc(void)
{
	return (const int32_t **)&duct_model_lower_at;
}

MODEL const int32_t **__ctype_toupper_loc(void)
{
	return (const int32_t **)&duct_model_upper_at;
}
