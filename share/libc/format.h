/* format: common parts of the formats of printf and scanf. */
#ifndef DUCT_FORMAT_H
#define DUCT_FORMAT_H

/* Reads the length modifier at f: 'H' for hh, 'h', 'l', 'q' for ll and others of 64 bits, 'L', 0
 * for none. Returns the position after it. */
static inline const char *format_size(const char *f, char *size)
{
	switch (*f) {
	case 'h': *size = f[1] == 'h' ? 'H' : 'h'; return f + (f[1] == 'h' ? 2 : 1);
	case 'l': *size = f[1] == 'l' ? 'q' : 'l'; return f + (f[1] == 'l' ? 2 : 1);
	case 'L': *size = 'L'; return f + 1;
	case 'q':
	case 'j':
	case 'z':
	case 'Z':
	case 't': *size = 'q'; return f + 1;
	}
	return f;
}

#endif
