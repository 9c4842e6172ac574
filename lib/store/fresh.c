/* fresh: a new store is a copy of an empty one that the build made, because running the schema's
 * statements takes longer than a short session's other work with its store. If no such file fits,
 * the statements are run. */
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/base/home.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Places in the header of SQLite's file format. */
enum { HEADER_WRITE_VERSION = 18, HEADER_READ_VERSION, HEADER_USER = 60, HEADER_ID = 68 };
enum { HEADER_SIZE = 100, VERSION_LOG = 2 };

static uint32_t number_at(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Is the file newer than the present schema? */
static bool is_current(const char *file)
{
	char *schema = home_path("share", "schema.sql");
	struct stat a, b;
	bool current = schema && !stat(schema, &a) && !stat(file, &b)
	    && (a.st_mtim.tv_sec < b.st_mtim.tv_sec
	        || (a.st_mtim.tv_sec == b.st_mtim.tv_sec
	            && a.st_mtim.tv_nsec <= b.st_mtim.tv_nsec));

	free(schema);
	return current;
}

/* The content of the empty store; NULL: there is none with the present schema. */
static unsigned char *read_empty(size_t *size)
{
	char *path = home_path("lib", "empty.db");
	int fd = path && is_current(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct stat st;
	unsigned char *text = NULL;

	free(path);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_size > HEADER_SIZE
	    && (text = sqlite3_malloc64((sqlite3_uint64)st.st_size))) {
		*size = (size_t)st.st_size;
		if (read(fd, text, *size) != st.st_size
		    || number_at(text + HEADER_USER) != STORE_VERSION
		    || number_at(text + HEADER_ID) != STORE_APPLICATION) {
			sqlite3_free(text);
			text = NULL;
		}
	}
	close(fd);
	return text;
}

static bool write_all(int fd, const unsigned char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);
		if (n <= 0)
			return false;
		text += n;
		size -= (size_t)n;
	}
	return true;
}

bool store_fresh_file(const char *path)
{
	size_t size;
	unsigned char *text = access(path, F_OK) ? read_empty(&size) : NULL;
	char *part;
	bool made = false;

	if (!text)
		return false;
	text[HEADER_WRITE_VERSION] = text[HEADER_READ_VERSION] = VERSION_LOG;
	part = formatted("%s.XXXXXX", path);
	int fd = mkostemp(part, O_CLOEXEC);
	if (fd >= 0) {
		mode_t mask = umask(0);
		umask(mask);
		made = write_all(fd, text, size) && !fchmod(fd, 0644 & ~mask);
		made = !close(fd) && made
		    && !link(part, path); /* fails if another process made the file */
		unlink(part);
	}
	free(part);
	sqlite3_free(text);
	return made;
}

bool store_fresh_memory(sqlite3 *db)
{
	size_t size;
	unsigned char *text = read_empty(&size);
	sqlite3_backup *copy;
	sqlite3 *from = NULL;
	bool made = false;

	if (!text)
		return false;
	if (sqlite3_open_v2(":memory:", &from, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		sqlite3_free(text);
	else if (sqlite3_deserialize(from, "main", text, (sqlite3_int64)size, (sqlite3_int64)size,
	             SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
	        == SQLITE_OK
	    && (copy = sqlite3_backup_init(db, "main", from, "main"))) {
		made = sqlite3_backup_step(copy, -1) == SQLITE_DONE;
		made = sqlite3_backup_finish(copy) == SQLITE_OK && made;
	}
	sqlite3_close(from);
	return made;
}
