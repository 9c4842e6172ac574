/* duct_failing.h: calls of the C library that a session lets fail (duct --faults, inputs(5)).
 *
 *   FAILING(type, name, (parameters), (arguments), result, error)
 *   LEAVING(...)     likewise; it does not return unless it fails
 *   MODELLED(...)    likewise, of a function that has a library model of its own in share/libc
 *
 * result and error: what a call that fails returns, and leaves in errno unless the test has another
 * number; 0: errno stays. Library models (share/libc/failing.c), emitted tests (duct_answers.c) and
 * their Makefile each take from this list what they need. */

/* ---- memory */
MODELLED(void *, malloc, (size_t n), (n), NULL, ENOMEM)
MODELLED(void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)
MODELLED(void *, realloc, (void *p, size_t n), (p, n), NULL, ENOMEM)
MODELLED(void *, reallocarray, (void *p, size_t n, size_t size), (p, n, size), NULL, ENOMEM)
MODELLED(void *, aligned_alloc, (size_t to, size_t n), (to, n), NULL, ENOMEM)
MODELLED(void *, memalign, (size_t to, size_t n), (to, n), NULL, ENOMEM)
MODELLED(int, posix_memalign, (void **p, size_t to, size_t n), (p, to, n), ENOMEM, 0)
MODELLED(char *, strdup, (const char *s), (s), NULL, ENOMEM)
MODELLED(char *, strndup, (const char *s, size_t n), (s, n), NULL, ENOMEM)
MODELLED(int, vasprintf, (char **s, const char *f, va_list ap), (s, f, ap), -1, ENOMEM)

/* ---- streams */
MODELLED(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EACCES)
MODELLED(FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL, EACCES)
MODELLED(int, fflush, (FILE * f), (f), EOF, ENOSPC)
MODELLED(int, fflush_unlocked, (FILE * f), (f), EOF, ENOSPC)
MODELLED(int, fseek, (FILE * f, long offset, int whence), (f, offset, whence), -1, ESPIPE)
MODELLED(int, fseeko, (FILE * f, off_t offset, int whence), (f, offset, whence), -1, ESPIPE)
MODELLED(long, ftell, (FILE * f), (f), -1, ESPIPE)
MODELLED(off_t, ftello, (FILE * f), (f), -1, ESPIPE)
MODELLED(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL, ENOMEM)
MODELLED(FILE *, tmpfile, (void), (), NULL, EACCES)

/* ---- descriptors */
MODELLED(int, fsync, (int fd), (fd), -1, EIO)
MODELLED(int, fdatasync, (int fd), (fd), -1, EIO)
MODELLED(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), -1, EIO)
MODELLED(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), -1, ENOSPC)
MODELLED(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n), -1, EIO)
MODELLED(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), -1, ENOSPC)
MODELLED(void *, mmap, (void *at, size_t n, int may, int how, int fd, off_t from),
    (at, n, may, how, fd, from), MAP_FAILED, ENOMEM)
MODELLED(void *, mmap64, (void *at, size_t n, int may, int how, int fd, off64_t from),
    (at, n, may, how, fd, from), MAP_FAILED, ENOMEM)
MODELLED(int, pipe, (int fd[2]), (fd), -1, EMFILE)
MODELLED(int, pipe2, (int fd[2], int flags), (fd, flags), -1, EMFILE)
MODELLED(int, dup, (int fd), (fd), -1, EMFILE)
FAILING(int, epoll_create1, (int flags), (flags), -1, EMFILE)
FAILING(
    int, epoll_ctl, (int set, int op, int fd, struct epoll_event *e), (set, op, fd, e), -1, ENOMEM)
FAILING(int, epoll_wait, (int set, struct epoll_event *e, int n, int timeout), (set, e, n, timeout),
    -1, EINTR)

/* ---- files */
MODELLED(DIR *, opendir, (const char *path), (path), NULL, EACCES)
MODELLED(int, access, (const char *path, int mode), (path, mode), -1, EACCES)
FAILING(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, EACCES)
FAILING(int, rmdir, (const char *path), (path), -1, EACCES)
FAILING(int, mkfifo, (const char *path, mode_t mode), (path, mode), -1, EACCES)
MODELLED(int, unlink, (const char *path), (path), -1, EACCES)
MODELLED(int, truncate, (const char *path, off_t n), (path, n), -1, EACCES)
MODELLED(int, truncate64, (const char *path, off64_t n), (path, n), -1, EACCES)
MODELLED(int, remove, (const char *path), (path), -1, EACCES)
MODELLED(int, rename, (const char *from, const char *to), (from, to), -1, EACCES)
FAILING(int, chmod, (const char *path, mode_t mode), (path, mode), -1, EPERM)
FAILING(int, fchmod, (int fd, mode_t mode), (fd, mode), -1, EPERM)
FAILING(int, chown, (const char *path, uid_t u, gid_t g), (path, u, g), -1, EPERM)
FAILING(int, fchown, (int fd, uid_t u, gid_t g), (fd, u, g), -1, EPERM)
FAILING(int, lchown, (const char *path, uid_t u, gid_t g), (path, u, g), -1, EPERM)
FAILING(int, link, (const char *from, const char *to), (from, to), -1, EACCES)
FAILING(int, symlink, (const char *from, const char *to), (from, to), -1, EACCES)
MODELLED(int, ftruncate, (int fd, off_t n), (fd, n), -1, EIO)
MODELLED(int, ftruncate64, (int fd, off64_t n), (fd, n), -1, EIO)
FAILING(int, mkstemp, (char *path), (path), -1, EACCES)
FAILING(int, mkstemp64, (char *path), (path), -1, EACCES)
FAILING(char *, mkdtemp, (char *path), (path), NULL, EACCES)

/* ---- processes, users, terminals */
MODELLED(pid_t, fork, (void), (), -1, EAGAIN)
LEAVING(int, execv, (const char *path, char *const *argv), (path, argv), -1, ENOENT)
LEAVING(int, execve, (const char *path, char *const *argv, char *const *env), (path, argv, env), -1,
    ENOENT)
LEAVING(int, execvp, (const char *file, char *const *argv), (file, argv), -1, ENOENT)
FAILING(int, kill, (pid_t pid, int number), (pid, number), -1, ESRCH)
FAILING(pid_t, setsid, (void), (), -1, EPERM)
FAILING(int, setuid, (uid_t u), (u), -1, EPERM)
FAILING(int, setgid, (gid_t g), (g), -1, EPERM)
FAILING(int, seteuid, (uid_t u), (u), -1, EPERM)
FAILING(int, setegid, (gid_t g), (g), -1, EPERM)
FAILING(int, chroot, (const char *path), (path), -1, EPERM)
MODELLED(int, setenv, (const char *name, const char *v, int over), (name, v, over), -1, ENOMEM)
MODELLED(int, putenv, (char *text), (text), -1, ENOMEM)
FAILING(int, pthread_create,
    (pthread_t * thread, const pthread_attr_t *how, void *(*f)(void *), void *p),
    (thread, how, f, p), EAGAIN, 0)

/* ---- network */
FAILING(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, EACCES)
FAILING(int, socketpair, (int domain, int type, int protocol, int fd[2]),
    (domain, type, protocol, fd), -1, EMFILE)
FAILING(int, bind, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), -1, EADDRINUSE)
FAILING(int, listen, (int fd, int n), (fd, n), -1, EADDRINUSE)
FAILING(int, accept, (int fd, struct sockaddr *from, socklen_t *n), (fd, from, n), -1, EINTR)
FAILING(
    int, connect, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), -1, ECONNREFUSED)
FAILING(int, setsockopt, (int fd, int level, int name, const void *p, socklen_t n),
    (fd, level, name, p, n), -1, EINVAL)
FAILING(int, shutdown, (int fd, int how), (fd, how), -1, ENOTCONN)
FAILING(
    ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), -1, ECONNRESET)
