// serve: makes programs that share a file's code, in forks of one process that has parsed the file.
#ifndef DUCT_FRONT_SERVE_H
#define DUCT_FRONT_SERVE_H

#include <string>
#include <vector>

namespace duct
{

// Makes a socket with this path, at which requests arrive. This process ends with its parent.
// Returns a descriptor, or -1 on errors.
int listen_at(const std::string &path);
// Serves requests at the socket: forks for each of them, and returns in the child only, with the
// words of the request. The child's standard error goes to the client (core.request).
void await_request(int at, std::vector<std::string> &words);
// In the child, last: sends its exit status to the client. Does nothing in other processes.
void answer_request(int status);

} // namespace duct

#endif
