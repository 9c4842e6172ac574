/* tree: a process and all its descendants, as /proc lists them. */
#ifndef DUCT_BASE_TREE_H
#define DUCT_BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Writes the descendants of root to `out`, parents before children, at most `most`. Returns how
 * many. */
size_t tree_list(pid_t root, pid_t *out, size_t most);
/* How many of n processes are running or ready to run. */
size_t tree_running(const pid_t *pid, size_t n);
/* Seconds of CPU time that n processes, and children that they waited for, have used so far, to a
 * hundredth; *ready: is one of them running, ready to run, or waiting for a disk? */
double tree_cpu(const pid_t *pid, size_t n, bool *ready);
/* Bytes of anonymous memory that a process has in RAM; 0: the process has ended. Forked processes
 * that share pages are counted with all of them. */
uint64_t tree_bytes(pid_t pid);
/* The same, but each page is divided by the number of processes that share it (Pss_Anon); slower.
 */
uint64_t tree_part(pid_t pid);
/* Bytes of files and of shared memory that a process has mapped and in RAM. */
uint64_t tree_common(pid_t pid);
/* The same of shared memory and files in memory, divided as by tree_part; waits while the process
 * maps or forks. */
uint64_t tree_shared(pid_t pid);
/* Waits until the process has ended, a signal came, or the seconds are over; it is not reaped. */
void tree_await(pid_t pid, double seconds);
/* The first 15 characters of the name of its program; "": the process has ended. */
void tree_name(pid_t pid, char *name, size_t size);

#endif
