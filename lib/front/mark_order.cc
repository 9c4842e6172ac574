// mark_order: the entries of the section duct_marks (abi.h) in the order of the instructions that
// they are about. LLVM leaves them in an order that differs from one process to the next, and with
// it the contents of whole programs.
#include "lib/front/mark_order.h"

#include "lib/protocol/abi.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <vector>

namespace duct
{
namespace
{

// An entry of the section: relocations of its addresses, then a struct duct_mark.
struct Entry {
	std::vector<Elf64_Rela> distances;
	std::vector<char> mark;
};

bool comes_first(const Entry &a, const Entry &b)
{
	const Elf64_Rela &x = a.distances.front(), &y = b.distances.front();
	return ELF64_R_SYM(x.r_info) != ELF64_R_SYM(y.r_info)
	    ? ELF64_R_SYM(x.r_info) < ELF64_R_SYM(y.r_info)
	    : x.r_addend < y.r_addend;
}

// The entries of the section; none if it has another form.
std::vector<Entry> entries_of(const char *section, size_t size, std::vector<Elf64_Rela> distances)
{
	std::vector<Entry> all;
	std::sort(distances.begin(), distances.end(),
	    [](const Elf64_Rela &a, const Elf64_Rela &b) { return a.r_offset < b.r_offset; });
	size_t at = 0;
	for (size_t i = 0; i < distances.size();) {
		Entry e;
		for (; i < distances.size() && distances[i].r_offset == at; i++, at += 4)
			e.distances.push_back(distances[i]);
		if (e.distances.empty() || at > size || size - at < sizeof(duct_mark))
			return {};
		e.mark.assign(section + at, section + at + sizeof(duct_mark));
		at += sizeof(duct_mark);
		all.push_back(e);
	}
	return at == size ? all : std::vector<Entry>();
}

void write_entries(const std::vector<Entry> &all, char *section, char *relocations)
{
	size_t at = 0;
	for (const Entry &e : all) {
		for (Elf64_Rela r : e.distances) {
			r.r_offset = at;
			memcpy(relocations, &r, sizeof r);
			relocations += sizeof r;
			memset(section + at, 0, 4);
			at += 4;
		}
		memcpy(section + at, e.mark.data(), e.mark.size());
		at += e.mark.size();
	}
}

} // namespace

void order_marks(llvm::MutableArrayRef<char> object)
{
	auto *eh = reinterpret_cast<const Elf64_Ehdr *>(object.data());
	if (object.size() < sizeof *eh || memcmp(eh->e_ident, ELFMAG, SELFMAG)
	    || eh->e_ident[EI_CLASS] != ELFCLASS64)
		return;
	auto *sh = reinterpret_cast<const Elf64_Shdr *>(object.data() + eh->e_shoff);
	const char *names = object.data() + sh[eh->e_shstrndx].sh_offset;
	for (size_t i = 0; i < eh->e_shnum; i++) {
		const Elf64_Shdr &marks = sh[sh[i].sh_info < eh->e_shnum ? sh[i].sh_info : 0];
		if (sh[i].sh_type != SHT_RELA || strcmp(names + marks.sh_name, DUCT_MARKS))
			continue;
		auto *first = reinterpret_cast<const Elf64_Rela *>(object.data() + sh[i].sh_offset);
		char *section = object.data() + marks.sh_offset;
		std::vector<Entry> all = entries_of(section, marks.sh_size,
		    std::vector<Elf64_Rela>(first, first + sh[i].sh_size / sizeof *first));
		std::stable_sort(all.begin(), all.end(), comes_first);
		write_entries(all, section, object.data() + sh[i].sh_offset);
	}
}

} // namespace duct
