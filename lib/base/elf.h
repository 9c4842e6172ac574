/* elf: sections of untrusted 64-bit ELF files. */
#ifndef DUCT_ELF_H
#define DUCT_ELF_H

#include <elf.h>
#include <stddef.h>

/* The header of the first section of that name. `file`: the file's content, `size` bytes. NULL if
 * it is no 64-bit ELF file, has no such section, or the section's bytes exceed the file. The result
 * points into `file`. */
const Elf64_Shdr *elf_section(const unsigned char *file, size_t size, const char *name);

#endif
