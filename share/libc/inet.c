/* Addresses of the Internet as text, and the byte order of networks. */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

#undef htonl
#undef htons
#undef ntohl
#undef ntohs
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define big_endian_32(v) (v)
#define big_endian_16(v) (v)
#else
#define big_endian_32(v) __builtin_bswap32(v)
#define big_endian_16(v) __builtin_bswap16(v)
#endif

/* ---- inet_pton: four decimal numbers without leading zeros, or up to eight hexadecimal ones */

static int parse_4(const char *s, unsigned char *to)
{
	unsigned count = 0, digits = 0, v = 0;
	unsigned char parts[4] = { 0 };

	for (; *s; s++) {
		if (IN(*s, '0', '9')) {
			if (digits && !v)
				return 0;
			v = v * 10 + (unsigned)(*s - '0');
			if (v > 255 || (!digits && ++count > 4))
				return 0;
			digits++;
			parts[count - 1] = (unsigned char)v;
		} else if (*s == '.' && digits && count < 4) {
			digits = v = 0;
		} else {
			return 0;
		}
	}
	if (count < 4)
		return 0;
	memcpy(to, parts, 4);
	return 1;
}

static int hex(char c)
{
	if (IN(c, '0', '9'))
		return c - '0';
	return IN(c | 32, 'a', 'f') ? (c | 32) - 'a' + 10 : -1;
}

struct groups {
	unsigned char byte[16];
	int n, gap; /* bytes so far; where :: stands, or -1 */
};

static int add(struct groups *g, unsigned v)
{
	if (g->n + 2 > 16)
		return 0;
	g->byte[g->n++] = (unsigned char)(v >> 8);
	g->byte[g->n++] = (unsigned char)v;
	return 1;
}

static int close_gap(struct groups *g)
{
	int i, behind = g->n - g->gap;

	if (g->gap < 0)
		return g->n == 16;
	if (g->n == 16)
		return 0;
	for (i = 1; i <= behind; i++) {
		g->byte[16 - i] = g->byte[g->n - i];
		g->byte[g->n - i] = 0;
	}
	return 1;
}

static int parse_6(const char *s, unsigned char *to)
{
	struct groups g = { { 0 }, 0, -1 };
	const char *number;
	unsigned v = 0, digits = 0;
	int d;

	if (!*s || (*s == ':' && *++s != ':'))
		return 0;
	for (number = s; *s; s++) {
		if ((d = hex(*s)) >= 0) {
			if (digits++ == 4)
				return 0;
			v = v << 4 | (unsigned)d;
		} else if (*s == ':' && !digits) {
			if (g.gap >= 0)
				return 0;
			g.gap = g.n;
			number = s + 1;
		} else if (*s == ':') {
			if (!s[1] || !add(&g, v))
				return 0;
			number = s + 1;
			v = digits = 0;
		} else if (*s == '.' && g.n + 4 <= 16 && parse_4(number, g.byte + g.n)) {
			g.n += 4;
			digits = 0;
			break;
		} else {
			return 0;
		}
	}
	if ((digits && !add(&g, v)) || !close_gap(&g))
		return 0;
	memcpy(to, g.byte, 16);
	return 1;
}

MODEL int inet_pton(int family, const char *s, void *to)
{
	NATIVE(inet_pton, family, s, to);
	switch (family) {
	case AF_INET: return parse_4(s, to);
	case AF_INET6: return parse_6(s, to);
	default: errno = EAFNOSUPPORT; return -1;
	}
}

/* ---- inet_aton: up to four numbers, as C writes them; a blank ends the text */

static int parse_old(const char *s, struct in_addr *to)
{
	uint32_t before = 0;
	unsigned parts = 0;

	for (;;) {
		int error = errno;
		unsigned long v;
		char *end;

		if (!IN(*s, '0', '9'))
			return 0;
		v = strtoul(s, &end, 0);
		errno = error;
		s = end;
		if (*s != '.') {
			if (v > 0xffffffff >> 8 * parts || (*s && !IS_SPACE((unsigned char)*s)))
				return 0;
			if (to)
				to->s_addr = big_endian_32(before | (uint32_t)v);
			return 1;
		}
		if (parts > 2 || v > 0xff)
			return 0;
		before |= (uint32_t)v << (24 - 8 * parts++);
		s++;
	}
}

MODEL int inet_aton(const char *s, struct in_addr *to)
{
	NATIVE(inet_aton, s, to);
	return parse_old(s, to);
}

MODEL in_addr_t inet_addr(const char *s)
{
	struct in_addr a;

	NATIVE(inet_addr, s);
	return parse_old(s, &a) ? a.s_addr : INADDR_NONE;
}

/* ---- as text; of IPv6 it is the C library's */

static size_t write_4(const unsigned char *from, char text[16])
{
	return (size_t)sprintf(text, "%u.%u.%u.%u", from[0], from[1], from[2], from[3]);
}

MODEL const char *inet_ntop(int family, const void *from, char *to, socklen_t size)
{
	char text[16];
	size_t n;

	NATIVE(inet_ntop, family, from, to, size);
	if (family != AF_INET)
		return CALL_REAL(inet_ntop, family, from, to, size);
	n = write_4(from, text);
	if (n >= size) {
		errno = ENOSPC;
		return NULL;
	}
	memcpy(to, text, n + 1);
	return to;
}

MODEL char *inet_ntoa(struct in_addr a)
{
	static char text[16];

	NATIVE(inet_ntoa, a);
	write_4((const unsigned char *)&a, text);
	return text;
}

/* ---- byte order */

MODEL uint32_t htonl(uint32_t v)
{
	return big_endian_32(v);
}

MODEL uint16_t htons(uint16_t v)
{
	return big_endian_16(v);
}

MODEL uint32_t ntohl(uint32_t v)
{
	return big_endian_32(v);
}

MODEL uint16_t ntohs(uint16_t v)
{
	return big_endian_16(v);
}
