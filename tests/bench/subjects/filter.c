/* A packet filter, written anew after the shape of FlowTest's subject snort: a datagram that is no
 * UDP is left at once; then fields are looked at one by one, each for itself. */
#include <assert.h>

enum { ALERTS = 10 };

static int alert[ALERTS];

static int word(const unsigned char *p)
{
	return p[0] << 8 | p[1];
}

static int is_udp(const unsigned char *p)
{
	return p[0] >> 4 == 4 && p[9] == 17;
}

static void tell(int what)
{
	alert[what] = 1;
}

void filter(const unsigned char p[28])
{
	if (!is_udp(p))
		return;
	if (p[1] & 0xfc) /* kind of service */
		tell(0);
	if (p[8] < 2) /* time to live */
		tell(1);
	if (p[12] == 127) /* source: this host, or everybody */
		tell(2);
	else if (p[12] >= 224)
		tell(3);
	if (p[16] == 10) /* destination: a private net */
		tell(4);
	if (word(p + 20) == 0) /* port from which */
		tell(5);
	switch (word(p + 22)) { /* port to which */
	case 53:
	case 69: tell(6); break;
	case 31337: tell(7); break;
	}
	if (word(p + 24) < 8) /* length */
		tell(8);
	if (p[6] & 0x80) /* a reserved flag */
		tell(9);
	assert(!alert[6] || !alert[7]);
}
