// undefined: finds names that nothing would define, before a program is linked.
#include "lib/front/build.h"

extern "C" {
#include "lib/flow/flow.h"
}

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace duct
{
namespace
{
// Adds the names in the index of an archive: a header of 60 bytes, the number of the names and, for
// each, where its object is, in big-endian words; then the names, each with a NUL behind it. False:
// it has none.
bool add_index(const std::string &path, std::set<std::string> &names)
{
	std::ifstream in(path, std::ios::binary);
	char head[8 + 60];
	unsigned char word[4];
	std::string name;
	if (!in.read(head, sizeof head) || std::string(head, 10) != "!<arch>\n/ "
	    || !in.read((char *)word, sizeof word))
		return false;
	uint32_t n = (uint32_t)word[0] << 24 | word[1] << 16 | word[2] << 8 | word[3];
	in.seekg(4 * (std::streamoff)n, std::ios::cur);
	for (; n > 0 && std::getline(in, name, '\0'); n--)
		names.insert(name);
	return n == 0;
}
} // namespace

// May assembly define names, or declarations have other ones for the linker?
static bool has_assembly(const std::string &file)
{
	std::ifstream in(file);
	std::string text(std::istreambuf_iterator<char>(in), {});
	return text.find("asm") != std::string::npos;
}

Strings undefined_in(const struct flow *fl, const Strings &files)
{
	static void *libc = dlopen("libc.so.6", RTLD_LAZY);
	std::set<std::string> known, told;
	Strings list;
	for (const std::string &file : files)
		if (has_assembly(file))
			return list;
	for (const std::string &path : linked_archives())
		if (!add_index(path, known))
			return list;
	char *called = flow_outside(fl);
	std::istringstream text(called);
	free(called);
	for (std::string name; libc && std::getline(text, name);)
		if (name[0] != '_' && name.compare(0, 5, "duct_") != 0
		    && name.compare(0, 5, "llvm.") != 0 && !known.count(name)
		    && !dlsym(libc, name.c_str()) && told.insert(name).second)
			list.push_back(name);
	return list;
}

} // namespace duct
