// names: names of a program in messages about it.
#include "lib/front/build.h"

extern "C" {
#include "lib/flow/flow.h"
#include "lib/harness/harness.h"
}

#include <set>
#include <sstream>

namespace duct
{

// Does a unit that includes a header of the machine have the function from there?
static bool is_of_library(const struct flow *fl, const std::string &name)
{
	for (size_t i = 0; i < fl->units; i++)
		for (size_t k = 0; k < fl->unit[i].exts; k++)
			if (fl->unit[i].ext[k].of_library && name == fl->unit[i].ext[k].name)
				return true;
	return false;
}

void tell_missing(const std::string &stubs, const struct flow *fl)
{
	static std::set<std::string> told;
	std::string own, functions, variables, name;
	const std::string what =
	    ": nothing defines it: a stub, whose results and what it writes behind its pointers are inputs";
	for (std::istringstream names(stubs); std::getline(names, name);) {
		name.erase(0, name.find_first_not_of('-'));
		if (!told.insert(name).second)
			continue;
		std::string &list = harness_is_variable(fl, name.c_str()) ? variables
		    : is_of_library(fl, name)                             ? functions
		                                                          : own;
		list += (list.empty() ? "" : ", ") + name;
	}
	if (!own.empty())
		complain(own + what);
	if (!functions.empty())
		complain(functions + what + " (if a library does: -- -lNAME)");
	if (!variables.empty())
		complain(variables + ": nothing defines it: a variable whose value is an input");
}

std::string names_for_message(const struct flow *fl, const std::string &entry)
{
	const struct flow_unit *u = nullptr;
	const struct flow_func *f = flow_find(fl, entry.c_str(), &u);
	std::string names;
	for (size_t i = 0; f && i < f->params; i++)
		names += (i ? ", " : "") + std::string(u->var[f->param[i] - 1].name);
	return names.empty() ? entry + "() has no parameters; variables of its file can be used"
	                     : "parameters of " + entry + "(): " + names;
}

Strings functions_for_message(const struct flow *fl)
{
	const size_t most = 12;
	std::set<std::string> seen;
	Strings names;
	for (size_t i = 0; i < fl->units; i++) {
		for (size_t k = 0; k < fl->unit[i].funcs; k++) {
			const struct flow_func &f = fl->unit[i].func[k];
			if (!f.in_system && !f.is_harness && seen.insert(f.name).second)
				names.push_back(f.name);
		}
	}
	size_t more = names.size() > most ? names.size() - most : 0;
	if (more) {
		names.resize(most);
		names.back() += " and " + std::to_string(more) + " more";
	}
	return names;
}

std::string joined(const Strings &words)
{
	std::string text;
	for (const std::string &w : words)
		text += (text.empty() ? "" : ", ") + w;
	return text;
}

std::string escaped(const std::string &lines)
{
	std::string text;
	for (char c : lines)
		text += c == '\n' ? "\\n"
		    : c == '\t'   ? "\\t"
		    : c == '\\'   ? "\\\\"
		                  : std::string(1, c);
	return text;
}

} // namespace duct
