/* Jumps into blocks, past what initialises their variables, and back to where these begin. */
int test(int n, int m)
{
	int r = 0, turns = 0;
	if (n > 3)
		goto inside;
	for (int k = 0; k < 2; k++) {
		int v = n + 1, w = 1;
inside:
		w = w == 1 ? 2 : w;
		v = m;
		r += v + w;
		if (r > 20)
			break;
	}
again:
	{
		int fresh;
		if (turns > 0)
			fresh = m;
		else
			fresh = 7;
		if (turns++ < 2 && fresh == 7)
			goto again;
		if (fresh == 7 && turns > 1 && m != 7)
			r = 3;
	}
	switch (n) {
		int late;
	case 1:
		late = 4;
		r += late;
		break;
	default:
		late = r;
		if (late != r)
			r = 5;
	}
	return r;
}
