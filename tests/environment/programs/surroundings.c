/* open: 2 (calls that fail)
 * Users, terminals, what a command writes, whether there is input. */
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>

static int waits(void)
{
	struct pollfd p = { 0, POLLIN, 0 };
	struct timeval none = { 0, 0 };
	fd_set s;

	if (poll(&p, 1, 100) == 0)
		return 1;
	if (p.revents & POLLHUP)
		return 2;
	FD_ZERO(&s);
	FD_SET(0, &s);
	if (select(1, &s, NULL, NULL, &none) == 0)
		return 3;
	return 0;
}

static int terminal(void)
{
	struct termios t;
	struct winsize w;

	if (ioctl(1, TIOCGWINSZ, &w) == 0 && w.ws_col < 40)
		return 1;
	if (tcgetattr(0, &t))
		return 2;
	if (t.c_lflag & ECHO)
		return 3;
	return 0;
}

int main(int argc, char **argv)
{
	struct passwd *p = getpwuid(1000);
	struct utsname u;
	char line[16];
	FILE *f;

	(void)argv;
	if (p && strcmp(p->pw_name, "joe") == 0)
		puts("joe");
	if (argc > 1)
		return waits();
	if (terminal())
		puts("terminal");
	uname(&u);
	if (strcmp(u.machine, "arm") == 0)
		puts("arm");
	if (!(f = popen("date", "r")))
		return 1;
	if (fgets(line, sizeof line, f) && line[0] == 'S')
		puts("Sunday");
	if (pclose(f))
		return 2;
	return 0;
}
