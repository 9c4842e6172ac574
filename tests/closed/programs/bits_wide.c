/* entry: f
 * class: bit-fields, compilers
 * compilers: differ
 */
struct wide { unsigned long value : 40; };

int
f(unsigned long v)
{
	struct wide w;

	w.value = v;
	if (w.value << 24 >> 24 == w.value)
		return 1;
	if (w.value + 0xffffffffff > 0xffffffffff)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0);
	f(1);
	f(0xffffffffff);
	f(0x10000000000);
	return 0;
}
#endif
