/* entry: f
 * class: arrays
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct packet { uint16_t kind, length; unsigned char body[28]; };

int
f(const void *data, size_t size)
{
	struct packet p;

	if (size < sizeof p)
		return -1;
	memcpy(&p, data, sizeof p);
	if (p.kind == 7 && p.length > 20)
		return 1;
	if (p.length <= 28 && p.body[27] == 0x5a)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct packet p = { 0 };

	f(&p, 3);
	f(&p, sizeof p);
	p.kind = 7;
	f(&p, sizeof p);
	p.length = 21;
	f(&p, sizeof p);
	p.kind = 1;
	p.body[27] = 0x5a;
	f(&p, sizeof p);
	p.length = 100;
	f(&p, sizeof p);
	return 0;
}
#endif
