/* switch: fall through, several labels, negative and large values, ranges, no default, nested.
 *
 * duct: concolic --entry switches
 * expect: exhausted=true failures=0 branches.unknown=0
 */
int switches(int a, unsigned long b, signed char c)
{
	int r = 0;

	switch (a) {
	case -5:
	case 1:
		r = 1;
		/* fall through */
	case 2:
		r += 2;
		break;
	case 1000000:
		return 3;
	default:
		r = 9;
	}
	switch (b) {
	case 0xffffffffffffffff:
		r += 100;
		break;
	case 7:
		switch (c) {
		case -128:
			return 77;
		case 'a' ... 'c':
			return 78;
		}
		r += 200;
	}
	return r;
}
