#include "lib/base/elf.h"

#include <string.h>

const Elf64_Shdr *elf_section(const unsigned char *file, size_t size, const char *name)
{
	const Elf64_Ehdr *eh = (const void *)file;
	size_t length = strlen(name) + 1;

	if (size < sizeof *eh || memcmp(eh->e_ident, ELFMAG, SELFMAG)
	    || eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_shoff > size || eh->e_shoff % 8
	    || eh->e_shentsize != sizeof(Elf64_Shdr)
	    || eh->e_shnum > (size - eh->e_shoff) / sizeof(Elf64_Shdr)
	    || eh->e_shstrndx >= eh->e_shnum)
		return NULL;
	const Elf64_Shdr *sh = (const void *)(file + eh->e_shoff), *names = &sh[eh->e_shstrndx];
	if (names->sh_offset > size || names->sh_size > size - names->sh_offset)
		return NULL;
	for (size_t i = 0; i < eh->e_shnum; i++) {
		if (sh[i].sh_name > names->sh_size || names->sh_size - sh[i].sh_name < length
		    || memcmp(file + names->sh_offset + sh[i].sh_name, name, length))
			continue;
		return sh[i].sh_type == SHT_NOBITS || sh[i].sh_offset > size
		        || sh[i].sh_size > size - sh[i].sh_offset
		    ? NULL
		    : &sh[i];
	}
	return NULL;
}
