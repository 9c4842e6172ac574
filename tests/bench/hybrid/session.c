/* The states of a connection, driven by as many events as come: each number of them is a path of its own.
 *
 * duct: dft --entry serve
 */
enum { CLOSED, HELLO, AUTH, OPEN, DATA, CLOSING };

int serve(unsigned events, unsigned script)
{
	int state = CLOSED, key = 0, failed = 0, sent = 0, error = 0;

	for (unsigned i = 0; i < events; i++) {
		unsigned event = script >> i % 16 * 2 & 3;
		switch (state) {
		case CLOSED:
			key = 0;
			sent = 0;
			state = event == 1 ? HELLO : CLOSED;
			break;
		case HELLO:
			if (key)
				error = 1;
			state = event == 2 ? AUTH : event == 3 ? CLOSED : HELLO;
			break;
		case AUTH:
			if (event == 3) {
				failed++;
				if (failed > 2)
					state = CLOSED;
			} else if (event == 1) {
				key = 7;
				state = OPEN;
			}
			break;
		case OPEN:
			if (!key)
				error = 2;
			failed = 0;
			state = event == 2 ? DATA : event == 3 ? CLOSING : OPEN;
			break;
		case DATA:
			if (failed)
				error = 3;
			sent++;
			state = event == 0 ? OPEN : DATA;
			break;
		case CLOSING:
			if (key != 7)
				error = 4;
			key = 0;
			state = CLOSED;
			break;
		default:
			error = 5;
		}
	}
	if (error > 2)
		return -2;
	if (error)
		return -1;
	if (state == OPEN && !key)
		return -3;
	return sent + failed;
}
