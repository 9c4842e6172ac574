/* The model that a program carries: an executable or object file of any content. What the mutator
 * makes is an ELF file whose section has records that are nearly sound, and whose headers say now
 * and then what cannot be. */
#define FUZZ_OWN_MUTATOR
#include "lib/base/elf.h"
#include "lib/flow/flow.h"
#include "tests/fuzz/records.h"

#include <sys/mman.h>
#include <unistd.h>

static const char names[] = "\0.duct_flow\0.shstrtab";
static const char section[] = ".duct_flow";

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* A file of three sections: none, the records, names. 0: there is no room. */
static size_t make_file(uint8_t *to, size_t most, const uint8_t *text, size_t n)
{
	enum { SECTIONS = 3 };
	size_t text_at = sizeof(Elf64_Ehdr), names_at = text_at + n;
	size_t table_at = (names_at + sizeof names + 7) & ~(size_t)7;
	Elf64_Shdr sh[SECTIONS] = { { .sh_name = 0 },
		{ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = text_at, .sh_size = n },
		{ .sh_name = sizeof section + 1,
		    .sh_type = SHT_STRTAB,
		    .sh_offset = names_at,
		    .sh_size = sizeof names } };
	Elf64_Ehdr eh = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64 },
		.e_shoff = table_at,
		.e_shentsize = sizeof *sh,
		.e_shnum = SECTIONS,
		.e_shstrndx = 2 };

	if (table_at + sizeof sh > most)
		return 0;
	if (rand() % 16 == 0)
		*(rand() % 2 ? &eh.e_shnum : &eh.e_shstrndx) = (uint16_t)(rand() % 8);
	if (rand() % 16 == 0)
		*(rand() % 2 ? &sh[1 + rand() % 2].sh_offset : &sh[1 + rand() % 2].sh_size) +=
		    (uint64_t)(rand() % 65 - 32) << (rand() % 56);
	memset(to, 0, table_at);
	memcpy(to, &eh, sizeof eh);
	memcpy(to + text_at, text, n);
	memcpy(to + names_at, names, sizeof names);
	memcpy(to + table_at, sh, sizeof sh);
	return table_at + sizeof sh;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	const Elf64_Shdr *sh = elf_section(data, size, section);
	uint8_t *text;
	size_t n;

	srand(seed);
	if (!sh || rand() % 32 == 0)
		return LLVMFuzzerMutate(data, size, most);
	n = sh->sh_size;
	if (!(text = malloc(most)))
		abort();
	memcpy(text, data + sh->sh_offset, n);
	n = fuzz_records(text, n, most);
	if (n && rand() % 16 == 0) /* padding by the linker, or where none belongs */
		text[(size_t)rand() % n] = 0;
	n = make_file(data, most, text, n);
	free(text);
	return n ? n : LLVMFuzzerMutate(data, size, most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct flow *(*const read[])(
	    const char *, char **) = { flow_read_program, flow_read_whole };
	char path[40], *error = NULL;
	int fd = memfd_create("program", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
		struct flow *fl = read[i](path, &error);

		if (!fl == !error)
			abort();
		flow_free(fl);
		free(error);
		error = NULL;
	}
	close(fd);
	return 0;
}
