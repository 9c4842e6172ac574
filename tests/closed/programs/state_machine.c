/* entry: event
 * class: static state
 */
static enum { START, OPEN, DATA, CLOSED } state;

int
event(int e)
{
	switch (state) {
	case START:
		if (e == 1)
			state = OPEN;
		break;
	case OPEN:
		if (e == 2)
			state = DATA;
		break;
	case DATA:
		if (e == 3)
			state = CLOSED;
		break;
	case CLOSED:
		return 1;
	}
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (int i = 1; i < 4; i++) {
		event(7);
		event(i);
	}
	event(0);
	return 0;
}
#endif
