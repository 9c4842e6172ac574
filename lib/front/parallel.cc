#include "lib/front/parallel.h"

#include "lib/front/build.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace duct
{
namespace
{
const size_t MOST = 8; // at once: each may take 300 MiB

struct Job {
	FILE *messages = nullptr; // NULL: it runs in this process
	int status = exit_done;
};

size_t processors()
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

// The process of a job; 0 when it ran here, as no process could be made.
pid_t start(Job &j, size_t i, const std::function<int(size_t)> &job)
{
	pid_t parent = getpid(), pid = -1;
	fflush(nullptr);
	if ((j.messages = tmpfile()) && (pid = fork()) == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent || dup2(fileno(j.messages), STDERR_FILENO) < 0)
			_exit(exit_system);
		int status = job(i);
		fflush(nullptr);
		_exit(status);
	}
	if (pid > 0)
		return pid;
	if (j.messages)
		fclose(j.messages);
	j.messages = nullptr;
	j.status = job(i);
	return 0;
}

void await_one(std::map<pid_t, size_t> &running, std::vector<Job> &all)
{
	int status;
	pid_t pid = waitpid(-1, &status, 0);
	auto at = running.find(pid);
	if (pid < 0 && errno != EINTR) { // their exit statuses are lost
		for (const auto &lost : running)
			all[lost.second].status = exit_system;
		running.clear();
	}
	if (pid <= 0 || at == running.end())
		return;
	Job &j = all[at->second];
	j.status = WIFEXITED(status) ? WEXITSTATUS(status) : exit_system;
	if (WIFSIGNALED(status))
		fprintf(j.messages, "the compiler was killed: %s\n", strsignal(WTERMSIG(status)));
	running.erase(at);
}

void tell(FILE *messages)
{
	char text[4096];
	rewind(messages);
	for (size_t n; (n = fread(text, 1, sizeof text, messages)) > 0;)
		fwrite(text, 1, n, stderr);
	fclose(messages);
}
} // namespace

int in_parallel(size_t n, const std::function<int(size_t)> &job)
{
	std::vector<Job> all(n);
	std::map<pid_t, size_t> running;
	size_t most = std::min({ n, processors(), MOST });
	int worst = exit_done;
	signal(SIGCHLD, SIG_DFL); // if it were ignored, waitpid() would give no status
	for (size_t i = 0; i < n; i++) {
		if (most < 2) {
			all[i].status = job(i);
		} else if (pid_t pid = start(all[i], i, job)) {
			running[pid] = i;
		}
		while (most > 1 && running.size() >= most)
			await_one(running, all);
	}
	while (!running.empty())
		await_one(running, all);
	for (Job &j : all) {
		worst = std::max(worst, j.status);
		if (j.messages)
			tell(j.messages);
	}
	return worst;
}
} // namespace duct
