#include "lib/front/elf.h"

#include <llvm/Object/Archive.h>
#include <llvm/Object/Binary.h>
#include <llvm/Object/ObjectFile.h>

using namespace llvm;
using namespace llvm::object;

namespace duct
{
namespace
{

bool add_section(
    const ObjectFile &o, const std::string &section, std::string &out, std::string &error)
{
	bool found = false;
	for (const SectionRef &s : o.sections()) {
		Expected<StringRef> name = s.getName();
		if (!name) {
			error = toString(name.takeError());
			return false;
		}
		if (*name != section)
			continue;
		Expected<StringRef> bytes = s.getContents();
		if (!bytes) {
			error = toString(bytes.takeError());
			return false;
		}
		out += bytes->str();
		found = true;
	}
	return found;
}

void add_archive(const Archive &a, const std::string &section, std::string &out, std::string &error)
{
	Error failed = Error::success();
	for (const Archive::Child &child : a.children(failed)) {
		Expected<std::unique_ptr<Binary>> member = child.getAsBinary();
		if (!member)
			consumeError(member.takeError());
		else if (auto *o = dyn_cast<ObjectFile>(member->get()))
			add_section(*o, section, out, error);
	}
	if (failed)
		error = toString(std::move(failed));
}

} // namespace

std::string read_section(const std::string &path, const std::string &section, std::string &error)
{
	Expected<OwningBinary<Binary>> file = createBinary(path);
	std::string out;
	if (!file) {
		error = toString(file.takeError());
		return "";
	}
	if (auto *o = dyn_cast<ObjectFile>(file->getBinary()))
		add_section(*o, section, out, error);
	else if (auto *a = dyn_cast<Archive>(file->getBinary()))
		add_archive(*a, section, out, error);
	if (out.empty() && error.empty())
		error = "no program model in it: CC=\"duct cc\" builds it with one";
	return error.empty() ? out : "";
}

} // namespace duct
