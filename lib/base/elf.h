/* elf: sections of untrusted 64-bit ELF files. */
#ifndef DUCT_ELF_H
#define DUCT_ELF_H

#include <elf.h>
#include <stddef.h>

/* The first section of that name in the file, which lies in memory; NULL when it has none whose
 * bytes lie in the file, or is no such file. The result lives as long as the file. */
const Elf64_Shdr *elf_section(const unsigned char *file, size_t size, const char *name);

#endif
