// serve: programs that share a file's code, made by copies of one process that has parsed the file.
#ifndef DUCT_FRONT_SERVE_H
#define DUCT_FRONT_SERVE_H

#include <string>
#include <vector>

namespace duct
{

// Makes a socket of this path; requests wait there. Ends this process with the one that started it.
// A descriptor, -1: there is no such socket.
int listen_at(const std::string &path);
// Takes requests at the socket. Returns in a copy of this process for each of them, with the words
// of it; what the copy writes to its standard error goes to the asker (core.request).
void await_request(int at, std::vector<std::string> &words);
// In the copy, last: tells the asker its exit status. Otherwise nothing.
void answer_request(int status);

} // namespace duct

#endif
