#include "lib/front/serve.h"

#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace duct
{
namespace
{
int asker = -1; // the client whose request this process answers

// The words of a request, each with a NUL behind it.
bool read_words(int from, std::vector<std::string> &words)
{
	std::string text;
	char part[4096];
	ssize_t n;
	while ((n = read(from, part, sizeof part)) > 0)
		text.append(part, n);
	for (size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
		words.push_back(text.substr(at, end - at));
	return n == 0 && !words.empty();
}
} // namespace

int listen_at(const std::string &path)
{
	sockaddr_un at = {};
	at.sun_family = AF_UNIX;
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s < 0 || path.size() >= sizeof at.sun_path)
		return -1;
	memcpy(at.sun_path, path.c_str(), path.size());
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return bind(s, (const sockaddr *)&at, sizeof at) || listen(s, 16) ? -1 : s;
}

void await_request(int at, std::vector<std::string> &words)
{
	signal(SIGCHLD, SIG_IGN); // children leave no zombies
	for (;;) {
		int to = accept4(at, nullptr, nullptr, SOCK_CLOEXEC);
		pid_t parent = getpid();
		if (to < 0 || fork() != 0) {
			if (to >= 0)
				close(to);
			continue;
		}
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGCHLD, SIG_DFL);
		if (getppid() != parent || !read_words(to, words) || dup2(to, STDERR_FILENO) < 0)
			_exit(1);
		close(at);
		asker = to;
		return;
	}
}

void answer_request(int status)
{
	char last[] = { '\0', (char)status };
	if (asker >= 0 && write(asker, last, sizeof last) != (ssize_t)sizeof last)
		_exit(1); // the client sees the missing status
}

} // namespace duct
