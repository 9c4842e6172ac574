// elf: reads sections of object files, executables and archives.
#ifndef DUCT_FRONT_ELF_H
#define DUCT_FRONT_ELF_H

#include <string>

namespace duct
{

// The section's bytes (of all members of an archive). Empty with `error` set when the file cannot
// be read or has no such section.
std::string read_section(const std::string &path, const std::string &section, std::string &error);

} // namespace duct

#endif
