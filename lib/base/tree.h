/* tree: the processes that descend from one, as the kernel lists them. */
#ifndef DUCT_TREE_H
#define DUCT_TREE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Lists them, parents before children, no more than `most`; how many. */
size_t tree_list(pid_t root, pid_t *out, size_t most);
/* How many of them run or want to. */
size_t tree_running(const pid_t *pid, size_t n);
/* Bytes of memory that a process has of its own; 0: it is gone. */
uint64_t tree_bytes(pid_t pid);
/* The same, with a part of what it shares with others that were forked from it; slower. */
uint64_t tree_part(pid_t pid);
/* The name of its program, the first 15 characters; "": it is gone. */
void tree_name(pid_t pid, char *name, size_t size);

#endif
