/* Recording (record.h): moves coverage into shared files before the program starts. Does nothing
 * without DUCT_COVER in the environment. */
#include "lib/protocol/record.h"
#include "lib/runtime/process.h"
#include "lib/runtime/writers.h"
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

enum { COMMAND = 4096, UP = 64, FEW_PAIRS = 1024, MORE_PAIRS = 8192 };

static struct {
	char folder[PATH_MAX]; /* empty: not recording */
	struct record *first;  /* records of this process */
	uint64_t id, root, parent, began;
	uint32_t modules, units;
	struct record *pairs; /* where they are told, NULL none yet */
} here;

static bool failed(long result)
{
	return result < 0 && result > -4096;
}

static const char *variable(char *const *env, const char *name)
{
	size_t n = duct_length(name);

	for (; env && *env; env++) {
		size_t i = 0;

		while (i < n && (*env)[i] == name[i])
			i++;
		if (i == n && (*env)[n] == '=')
			return *env + n + 1;
	}
	return NULL;
}

static uint64_t read_hex(const char *s)
{
	uint64_t v = 0;

	for (; *s; s++)
		v = v << 4 | (uint64_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
	return v;
}

static void write_hex(char *to, uint64_t v)
{
	for (int i = RECORD_DIGITS; i-- > 0; v >>= 4)
		to[i] = "0123456789abcdef"[v & 15];
}

static size_t append(char *to, size_t at, const char *text)
{
	for (; *text && at < PATH_MAX - 1; text++)
		to[at++] = *text;
	to[at] = 0;
	return at;
}

/* Appends the hexadecimal number to FOLDER/; *end is the end of the path. */
static char *path_of(char *path, uint64_t hex, size_t *end)
{
	char digits[RECORD_DIGITS + 1] = { 0 };

	write_hex(digits, hex);
	*end = append(path, append(path, append(path, 0, here.folder), "/"), digits);
	return path;
}

/* Is the size within the limit? A file that grew beyond it would raise a signal. */
static bool allowed(uint64_t size)
{
	struct rlimit l;

	return !sys4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &l) && size <= l.rlim_cur;
}

/* Makes a new file of the folder and reserves its room: a write to a mapping on a full disk would
 * be fatal. */
static int new_file(uint64_t id, uint32_t number, uint64_t size)
{
	char path[PATH_MAX], digits[21] = { '-' };
	size_t end;
	long fd, r;

	if (!allowed(size))
		return -1;
	digits[1 + duct_digits(digits + 1, number)] = 0;
	path_of(path, id, &end);
	append(path, append(path, end, digits), ".record");
	fd = sys4(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (failed(fd))
		return -1;
	r = sys4(SYS_fallocate, fd, 0, 0, size);
	if (r == -95 || r == -38) /* EOPNOTSUPP, ENOSYS */
		r = sys2(SYS_ftruncate, fd, size);
	if (!failed(r))
		return (int)fd;
	sys1(SYS_close, fd);
	return -1;
}

static struct record *map_file(int fd, uint64_t size)
{
	long p = sys6(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	sys1(SYS_close, fd);
	return failed(p) ? NULL : (struct record *)p;
}

static uint64_t clock_now(void)
{
	struct timespec t = { 0 };

	sys2(SYS_clock_gettime, CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t name_space(void)
{
	struct stat st = { 0 };

	return failed(sys4(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &st, 0)) ? 0 : st.st_ino;
}

/* Assigns an identity to this process. */
static void new_process(uint64_t parent)
{
	here.began = clock_now();
	here.parent = parent;
	here.id = here.began ^ (uint64_t)sys0(SYS_getpid) << 44;
	here.modules = 0;
}

static void fill_process(struct record *r)
{
	r->id = here.id;
	r->root = here.root;
	r->parent = here.parent;
	r->began = here.began;
	r->space = name_space();
	r->pid = (uint32_t)sys0(SYS_getpid);
	r->end = RECORD_RUNS;
}

static size_t read_file(const char *path, char *to, size_t room)
{
	long fd = sys3(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), n;
	size_t got = 0;

	while (!failed(fd) && got < room && (n = sys3(SYS_read, fd, to + got, room - got)) > 0)
		got += (size_t)n;
	if (!failed(fd))
		sys1(SYS_close, fd);
	return got;
}

/* Finds the path of the file that an address was loaded from, in the kernel's list. */
static bool find_module(const void *address, char *path)
{
	static const char *const list = "/proc/self/maps";
	long fd = sys3(SYS_openat, AT_FDCWD, list, O_RDONLY | O_CLOEXEC), n;
	char part[1024];
	uint64_t bound[2] = { 0, 0 };
	size_t length = 0;
	int field = 0; /* 0 from, 1 to, 2 what is between, 3 path */

	while (!failed(fd) && (n = sys3(SYS_read, fd, part, sizeof part)) > 0)
		for (long i = 0; i < n; i++) {
			char c = part[i];

			if (c == '\n') {
				path[length] = 0;
				if (length && (uintptr_t)address >= bound[0]
				    && (uintptr_t)address < bound[1])
					return sys1(SYS_close, fd), true;
				bound[0] = bound[1] = length = 0;
				field = 0;
			} else if (field < 2 && (c == '-' || c == ' ')) {
				field++;
			} else if (field < 2) {
				bound[field] = bound[field] << 4
				    | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
			} else if (field == 3 || c == '/') {
				field = 3;
				if (length < PATH_MAX - 1)
					path[length++] = c;
			}
		}
	if (!failed(fd))
		sys1(SYS_close, fd);
	return false;
}

static bool copy_bytes(const char *from, int to)
{
	long fd = sys3(SYS_openat, AT_FDCWD, from, O_RDONLY | O_CLOEXEC), n = -1;
	struct stat st = { 0 };

	if (failed(fd))
		return false;
	if (!failed(sys2(SYS_fstat, fd, &st)) && allowed((uint64_t)st.st_size))
		while ((n = sys4(SYS_sendfile, to, fd, NULL, 1 << 30)) > 0)
			;
	sys1(SYS_close, fd);
	return n == 0;
}

/* Keeps a copy of the program model, which is read after the program has ended: the file may have
 * been moved or removed by then. */
static void keep_model(uint64_t model, const char *from)
{
	char path[PATH_MAX], part[PATH_MAX];
	size_t end;
	long fd;

	path_of(path, model, &end);
	append(path, end, ".model");
	if (!failed(sys3(SYS_faccessat, AT_FDCWD, path, 0)))
		return;
	append(part, append(part, 0, path_of(part, here.id, &end)), ".part");
	fd = sys4(SYS_openat, AT_FDCWD, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (failed(fd))
		return;
	if (copy_bytes(from, (int)fd))
		sys4(SYS_renameat, AT_FDCWD, part, AT_FDCWD, path);
	else
		sys3(SYS_unlinkat, AT_FDCWD, part, 0);
	sys1(SYS_close, fd);
}

/* Appends a text to the layout; returns its offset. */
static uint64_t put_text(struct record *r, uint64_t *at, const char *text, size_t n)
{
	char *to = (char *)r + *at;

	for (size_t i = 0; i < n; i++)
		to[i] = text[i] ? text[i] : ' ';
	to[n] = 0;
	*at += n + 1;
	return *at - n - 1;
}

/* The units of a module; units of library models are left out. */
struct module {
	struct duct_unit *from, *to;
	uint64_t units, cover, model; /* how many, their coverage in bytes, hash of their keys */
};

static struct module measure(struct duct_unit *from, struct duct_unit *to)
{
	struct module m = { from, to, 0, 0, 0xcbf29ce484222325u };

	for (struct duct_unit *u = from; u < to; u++)
		if (!(u->flags & 1)) {
			m.units++;
			m.cover += ((uint64_t)u->outcomes + u->blocks + 7) & ~(uint64_t)7;
			m.model = (m.model ^ u->key) * 0x9e3779b97f4a7c15u;
			m.model ^= m.model >> 32;
		}
	return m;
}

/* Moves coverage that exists already: constructors may have run. */
static void move_units(struct record *r, const struct module *m)
{
	struct channel_unit *to = (struct channel_unit *)((char *)r + r->unit);
	uint64_t at = r->cover;

	for (struct duct_unit *u = m->from; u < m->to; u++) {
		uint64_t size = (uint64_t)u->outcomes + u->blocks;
		uint8_t *cover = (uint8_t *)r + at;

		if (u->flags & 1)
			continue;
		*to++ = (struct channel_unit){ u->key, u->branches, u->outcomes, u->blocks, 0, at };
		for (uint64_t i = 0; i < size; i++)
			cover[i] |= u->cover[i];
		u->cover = cover;
		at += (size + 7) & ~(uint64_t)7;
	}
}

static void record_module(const struct module *m, const char *program, const char *test)
{
	char command[COMMAND];
	size_t words = read_file("/proc/self/cmdline", command, sizeof command);
	size_t name = duct_length(program), label = test ? duct_length(test) : 0;
	uint64_t at = sizeof(struct record), size;
	struct record *r;
	int fd;

	words -= words && !command[words - 1];
	size = at + m->units * sizeof(struct channel_unit) + words + name + label + 3;
	size = ((size + 7) & ~(uint64_t)7) + m->cover;
	if ((fd = new_file(here.id, here.modules, size)) < 0 || !(r = map_file(fd, size)))
		return;
	here.modules++;
	fill_process(r);
	r->version = RECORD_VERSION;
	r->size = size;
	r->units = (uint32_t)m->units;
	r->first_unit = here.units;
	here.units += r->units;
	r->from = m->from;
	r->to = m->to;
	r->model = m->model;
	r->unit = at;
	at += m->units * sizeof(struct channel_unit);
	r->command = put_text(r, &at, command, words);
	r->program = put_text(r, &at, program, name);
	r->test = test ? put_text(r, &at, test, label) : 0;
	r->cover = size - m->cover;
	move_units(r, m);
	r->next = here.first;
	here.first = r;
	__atomic_store_n(&r->magic, RECORD_MAGIC, __ATOMIC_RELEASE);
}

/* FOLDER:ROOT. */
static bool parse_setting(char *value)
{
	size_t n = duct_length(value);
	char *root = value + n - RECORD_DIGITS;

	if (n < RECORD_DIGITS + 2 || n - RECORD_DIGITS >= PATH_MAX || root[-1] != ':')
		return false;
	for (size_t i = 0; i + RECORD_DIGITS + 1 < n; i++)
		here.folder[i] = value[i];
	new_process(0);
	here.root = read_hex(root);
	if (!here.root) {
		here.root = here.id;
		write_hex(root, here.root);
	}
	return true;
}

/* The value of a variable in an environment in the form of /proc. */
static bool in_text(const char *text, size_t n, const char *name, char *value)
{
	size_t length = duct_length(name);

	for (size_t i = 0, k; i < n; i++) {
		for (k = 0; k < length && i + k < n && text[i + k] == name[k]; k++)
			;
		if (k == length && i + k < n && text[i + k] == '=' && (i == 0 || !text[i - 1])) {
			for (i += k + 1, k = 0; i < n && text[i] && k < PATH_MAX; i++)
				value[k++] = text[i];
			value[k] = 0;
			return k < PATH_MAX && i < n;
		}
		while (i < n && text[i])
			i++;
	}
	return false;
}

static const char *process_file(char *path, uint64_t pid, const char *file)
{
	size_t end = append(path, 0, "/proc/");

	append(path, end + duct_digits(path + end, pid), file);
	return path;
}

/* The parent of a process, or 0: the fourth field, after a name that may contain anything. */
static uint64_t parent_of(uint64_t pid)
{
	char path[PATH_MAX], text[512];
	size_t n = read_file(process_file(path, pid, "/stat"), text, sizeof text), i;
	uint64_t v = 0;

	for (i = n; i > 0 && text[i - 1] != ')'; i--)
		;
	for (i += 3; i < n && text[i] >= '0' && text[i] <= '9'; i++)
		v = v * 10 + (uint64_t)(text[i] - '0');
	return v;
}

/* A program that was started with an empty environment uses the environment of its ancestors. */
static bool inherited(char *value)
{
	size_t room = (size_t)1 << 21, n;
	uint64_t pid = (uint64_t)sys0(SYS_getppid);
	char path[PATH_MAX], *text = duct_reserve(room);
	bool found = false;

	for (int i = 0; text && pid > 1 && !found && i < UP; i++, pid = parent_of(pid)) {
		n = read_file(process_file(path, pid, "/environ"), text, room);
		found = in_text(text, n, "DUCT_COVER", value);
	}
	if (text)
		sys2(SYS_munmap, text, room);
	return found;
}

bool duct_served(char **env)
{
	return variable(env, "DUCT_CHANNEL");
}

bool duct_record_start(char **env)
{
	static char far[PATH_MAX + 1];
	char *value;

	if (duct_served(env))
		return true;
	value = (char *)variable(env, "DUCT_COVER");
	if (!value && !variable(env, "PATH") && inherited(far))
		value = far;
	return value && parse_setting(value);
}

void duct_record(struct duct_unit *from, struct duct_unit *to, char **env, bool program)
{
	struct module m = measure(from, to);
	char path[PATH_MAX];
	long n;

	if (!here.folder[0] || !m.units)
		return;
	if (!program && !find_module(from, path))
		return;
	keep_model(m.model, program ? "/proc/self/exe" : path);
	n = sys4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 1);
	path[failed(n) ? 0 : n] = 0;
	record_module(&m, path, variable(env, "DUCT_TEST"));
}

/* Replaces the parent's record in memory by a copy for a new process. If none can be made, both
 * processes count in the parent's record. */
static bool renew(struct record *r)
{
	int fd = new_file(here.id, here.modules, r->size);
	struct record *copy = fd < 0 ? NULL : map_file(fd, r->size);

	if (!copy)
		return false;
	for (uint64_t i = sizeof r->magic; i < r->cover; i++)
		((char *)copy)[i] = ((char *)r)[i];
	fill_process(copy);
	__atomic_store_n(&copy->magic, RECORD_MAGIC, __ATOMIC_RELEASE);
	here.modules++;
	return !failed(
	    sys6(SYS_mremap, copy, r->size, r->size, MREMAP_MAYMOVE | MREMAP_FIXED, r, 0));
}

void duct_record_forked(void)
{
	if (!here.first)
		return;
	new_process(here.id);
	for (struct record *r = here.first; r; r = r->next)
		if (renew(r))
			here.pairs = NULL;
	if (!here.pairs)
		duct_record_objectives_forget();
	duct_last_forked();
}

/* ---- pairs */

static struct record *new_pairs(void)
{
	uint32_t room = here.pairs ? MORE_PAIRS : FEW_PAIRS;
	uint64_t size = sizeof(struct record) + room * sizeof(struct channel_pair);
	int fd = new_file(here.id, here.modules, size);
	struct record *r = fd < 0 ? NULL : map_file(fd, size);

	if (!r)
		return NULL;
	here.modules++;
	fill_process(r);
	r->version = RECORD_VERSION;
	r->size = r->cover = size;
	r->unit = r->pair = sizeof *r;
	r->room = room;
	__atomic_store_n(&r->magic, RECORD_MAGIC, __ATOMIC_RELEASE);
	return r;
}

/* Processes that could not make files of their own share one. */
struct channel_pair *duct_record_pair(void)
{
	struct record *r = here.pairs;
	uint32_t i = r ? __atomic_fetch_add(&r->pairs, 1, __ATOMIC_RELAXED) : 0;

	if (!here.first)
		return NULL;
	if (!r || i >= r->room) {
		if (!(r = new_pairs()))
			return NULL;
		here.pairs = r;
		i = __atomic_fetch_add(&r->pairs, 1, __ATOMIC_RELAXED);
	}
	return (struct channel_pair *)((char *)r + r->pair) + i;
}

bool duct_record_on(void)
{
	return here.first;
}

uint32_t duct_record_unit(const struct duct_unit *u)
{
	for (struct record *r = here.first; r; r = r->next) {
		uint32_t n = r->first_unit;

		if (u < (struct duct_unit *)r->from || u >= (struct duct_unit *)r->to)
			continue;
		for (const struct duct_unit *k = r->from; k < u; k++)
			n += !(k->flags & 1);
		return u->flags & 1 ? UINT32_MAX : n;
	}
	return UINT32_MAX;
}

void duct_record_threads(void)
{
	if (here.first)
		here.first->threads = 1;
}

void duct_record_end(enum record_end how, int status)
{
	uint32_t unit = here.first && how != RECORD_RETURN && duct_block_unit
	    ? duct_record_unit(duct_block_unit)
	    : UINT32_MAX;

	for (struct record *r = here.first; r; r = r->next)
		if (r->end == RECORD_RUNS) {
			r->status = status;
			r->end_unit = unit;
			r->end_block = unit == UINT32_MAX ? 0 : duct_block;
			r->end = how;
		}
}
