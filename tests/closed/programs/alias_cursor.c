/* entry: f
 * class: aliasing
 */
struct input {
	const char *at, *end;
};

int
f(struct input *in, unsigned n)
{
	unsigned spaces = 0;

	if (in->end - in->at < (long)n)
		return -1;
	if (n == 20)
		return 1;
	while (in->at < in->end)
		if (*in->at++ == ' ')
			spaces++;
	if (spaces > 2)
		return 2;
	if (n > 40)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	static const char text[] = "a text of more than forty characters, with spaces";
	struct input in;

	for (unsigned n = 0; n < sizeof text; n++)
		for (unsigned size = 0; size < sizeof text; size++) {
			in.at = text;
			in.end = text + size;
			f(&in, n);
		}
	return 0;
}
#endif
