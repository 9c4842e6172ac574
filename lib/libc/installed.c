#include "lib/base/elf.h"
#include "lib/libc/libc.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

char *libc_folder(void)
{
	void *l = dlopen("libc.so.6", RTLD_LAZY);
	struct link_map *map;
	char *path = l && !dlinfo(l, RTLD_DI_LINKMAP, &map) ? realpath(map->l_name, NULL) : NULL;
	char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		*slash = 0;
	if (l)
		dlclose(l);
	return path;
}

/* Larger libraries are those of compilers, desktops and the like. */
enum { MOST_BYTES = 4 << 20 };

static bool is_function(const Elf64_Sym *s)
{
	int type = ELF64_ST_TYPE(s->st_info);

	return s->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* Is this symbol's name, in the table of strings, `name`? */
static bool has_name(const char *strings, size_t size, size_t at, const char *name)
{
	size_t length = strlen(name) + 1;

	return at < size && length <= size - at && !memcmp(strings + at, name, length);
}

static void search(
    const unsigned char *file, size_t size, const char *const *name, size_t n, bool *has)
{
	const Elf64_Shdr *symbols = elf_section(file, size, ".dynsym"),
	                 *strings = elf_section(file, size, ".dynstr");

	if (!symbols || !strings || symbols->sh_offset % 8)
		return;
	const Elf64_Sym *s = (const void *)(file + symbols->sh_offset);
	for (size_t i = 0; i < symbols->sh_size / sizeof *s; i++)
		for (size_t k = 0; is_function(&s[i]) && k < n; k++)
			has[k] |= has_name((const char *)file + strings->sh_offset,
			    strings->sh_size, s[i].st_name, name[k]);
}

void library_defines(const char *path, const char *const *name, size_t n, bool *has)
{
	struct stat st;
	void *file;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	memset(has, 0, n * sizeof *has);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size <= MOST_BYTES
	    && (file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0))
	        != MAP_FAILED) {
		search(file, (size_t)st.st_size, name, n, has);
		munmap(file, (size_t)st.st_size);
	}
	close(fd);
}
