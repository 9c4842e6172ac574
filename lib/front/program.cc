// program: the harness of a program, its objects, and what nothing defines.
#include "lib/front/program.h"
#include "lib/front/elf.h"
#include "lib/front/once.h"
#include "lib/front/parallel.h"

extern "C" {
#include "lib/base/grow.h"
#include "lib/flow/flow.h"
#include "lib/harness/harness.h"
#include "lib/protocol/stamp.h"
#include "lib/summary/summary.h"
}

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace duct
{

static struct flow *read_flow(const std::string &text, const std::string &name)
{
	char *error = nullptr;
	FILE *f = fmemopen(const_cast<char *>(text.data()), text.size(), "r");
	if (!f)
		no_memory(text.size());
	struct flow *fl = flow_read(f, name.c_str(), &error);
	fclose(f);
	if (!fl) {
		complain(error);
		finish(exit_input);
	}
	return fl;
}

static void write_narrowing(const Settings &s, const char *text)
{
	if (s.narrowing.empty())
		return;
	std::ofstream f(s.narrowing);
	f << (text ? text : "");
	f.close();
	if (!f) {
		complain(s.narrowing + ": cannot write");
		finish(exit_system);
	}
}

// A harness plan as a field of a record of the program model.
static void tell(Settings &s, const std::string &key, const std::string &lines)
{
	s.compile.told.push_back(key + " " + escaped(lines));
}

struct flow *load_all(const Settings &s)
{
	Strings paths;
	std::stringstream all;
	if (s.flow)
		return s.flow;
	if (!s.flow_text.empty())
		return read_flow(s.flow_text, s.files[0]);
	for (const std::string &f : s.files)
		paths.push_back(
		    s.kept.empty() ? temporary(".flow") : kept_flow(s.kept, f, s.compile.flags));
	int status = in_parallel(s.files.size(),
	    [&](size_t i) { return load_kept(paths[i], s.files[i], s.compile.flags); });
	if (status != exit_done)
		finish(status);
	for (const std::string &path : paths)
		all << std::ifstream(path).rdbuf();
	return read_flow(all.str(), s.files[0]);
}

// Symbols that nothing defines are in libm, or get a stub.
static void take_undefined(Settings &s, const Strings &names)
{
	s.stubs = "";
	s.undefined.insert(s.undefined.end(), names.begin(), names.end());
	for (const std::string &name : s.undefined)
		if (!in_libm(name))
			s.stubs += (s.stubs.empty() ? "" : "\n") + name;
		else if (s.link.empty() || s.link.back() != "-lm")
			s.link.push_back("-lm");
}

namespace
{

// Texts about the program that the harness needs, and that the program model tells; "": none.
struct Facts {
	explicit Facts(const struct flow *fl, const struct harness_options *o, const Settings &s)
	    : watched(take(harness_watched(fl, o))),
	      libraries(take(harness_libraries(fl, s.entry.c_str(), s.stubs.c_str()))),
	      locale(take(harness_locale(fl, s.entry.c_str())))
	{
		if (s.entry == "main")
			return;
		setters = take(flow_setters(fl, s.entry.c_str()));
		casts = take(flow_casts(fl, s.entry.c_str()));
		shared = take(flow_compared(fl, s.entry.c_str()))
		    + take(summary_shared(fl, s.entry.c_str()));
	}

	std::string watched, setters, casts, shared, libraries, locale;

      private:
	static std::string take(char *text)
	{
		std::string out = text;
		free(text);
		return out;
	}
};

} // namespace

static void add_facts(struct flow *fl, const Facts &facts, const std::string &stubs)
{
	for (size_t i = 0; i < fl->units; i++) {
		fl->unit[i].watched = copied(facts.watched.c_str());
		fl->unit[i].setters = copied(facts.setters.c_str());
		fl->unit[i].casts = copied(facts.casts.c_str());
		fl->unit[i].shared = copied(facts.shared.c_str());
		fl->unit[i].libraries = copied(facts.libraries.c_str());
		fl->unit[i].locale = copied(facts.locale.c_str());
		fl->unit[i].stubs = stubs.empty() ? nullptr : copied(stubs.c_str());
	}
}

static void tell_facts(Settings &s, const Facts &facts, const char *narrowing)
{
	s.compile.told.clear();
	if (s.entry != "main") {
		tell(s, "entry", s.entry);
		tell(s, "narrowing", narrowing);
	}
	const std::pair<const char *, const std::string &> all[] = { { "stubs", s.stubs },
		{ "watched", facts.watched }, { "setters", facts.setters },
		{ "casts", facts.casts }, { "shared", facts.shared },
		{ "libraries", facts.libraries }, { "locale", facts.locale } };
	for (const auto &[name, text] : all)
		if (!text.empty())
			tell(s, name, text);
}

// The harness, and the index of the file to which it is appended.
static std::string harness(Settings &s, size_t &where)
{
	struct flow *fl = load_all(s);
	if (s.link.empty() && s.undefined.empty() && s.stub.empty())
		take_undefined(s, undefined_in(fl, s.files));
	char *undefined = harness_undefined(fl, s.entry.c_str(), s.stubs.c_str());
	s.stubs = undefined;
	free(undefined);
	tell_missing(s.stubs, fl);
	auto list = [](std::vector<const char *> l) {
		l.push_back(nullptr);
		return l;
	};
	std::vector<const char *> len = list(s.len), string = list(s.string), alias = list(s.alias),
	                          distinct = list(s.distinct), global = list(s.global),
	                          init = list(s.init), assume = list(s.assume),
	                          range = list(s.range), stub = list(s.stub);
	struct harness_options o = { s.entry.c_str(), len.data(), string.data(), alias.data(),
		distinct.data(), global.data(), init.data(), assume.data(), range.data(),
		stub.data() };
	const Facts facts(fl, &o, s);
	add_facts(fl, facts, s.stubs);
	char *narrowing = nullptr, *error = nullptr;
	char *text = harness_text(fl, &o, &narrowing, &error);
	if (!text) {
		complain(error ? error : "no harness");
		finish(exit_usage);
	}
	write_narrowing(s, narrowing);
	tell_facts(s, facts, narrowing);
	const struct flow_unit *unit = nullptr;
	flow_find(fl, s.entry.c_str(), &unit);
	where = unit ? unit - fl->unit : 0;
	s.compile.names = names_for_message(fl, s.entry);
	std::string out = text;
	free(text);
	free(narrowing);
	flow_free(fl);
	return out;
}

bool shares_code(const Settings &s)
{
	return !s.kept.empty() && !s.objects && !s.obligation && s.entry != "main"
	    && !s.compile.weave.abstract && !s.compile.weave.flows;
}

// Is the program just one C file, so that nothing outside of it can call its functions?
static bool is_alone(const Settings &s)
{
	return s.files.size() == 1 && s.link.empty() && !s.objects && !s.obligation
	    && !shares_code(s);
}

static std::string object_name(const std::string &file)
{
	size_t slash = file.rfind('/');
	std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
	return name.substr(0, name.size() - 2) + ".o";
}

int make_objects(const Settings &s, size_t where, Strings &objects, const Strings *beside)
{
	CompileOptions plain = s.compile;
	std::vector<Strings> of(s.files.size());
	bool kept = !s.kept.empty() && !s.objects && !is_alone(s), shares = shares_code(s);
	plain.appended = "";
	if (kept && s.entry != "main")
		plain.told.clear();
	for (size_t i = 0; i < s.files.size(); i++) {
		std::string path = kept_object(s.kept, s.files[i], plain);
		if (shares)
			of[i] = { path, own_object(path) };
		else if (kept && i != where)
			of[i] = { path };
		else
			of[i] = { !s.objects           ? temporary(".o")
				    : s.output.empty() ? object_name(s.files[i])
				                       : s.output };
	}
	int worst = in_parallel(s.files.size(), [&](size_t i) {
		return shares            ? compile_code(of[i][0], s.files[i], plain)
		    : kept && i != where ? compile_kept(of[i][0], s.files[i], plain)
		    : i == where         ? compile(s.files[i], of[i][0], s.compile)
		                         : compile(s.files[i], of[i][0], plain);
	});
	if (beside) {
		of[where] = *beside;
	} else if (worst == exit_done && shares) {
		std::string code = of[where][0];
		worst = compile_beside(code, s.files[where], temporary(".o"), s.compile, of[where]);
	}
	objects.clear();
	for (const Strings &own : of)
		objects.insert(objects.end(), own.begin(), own.end());
	return worst;
}

// Takes what is known of other programs that have the same code.
static void recall_undefined(Settings &s)
{
	s.shared_by = s.files;
	for (const Strings &more : { s.compile.flags, s.link })
		s.shared_by.insert(s.shared_by.end(), more.begin(), more.end());
	for (const std::vector<const char *> &texts : { s.global, s.init, s.assume, s.range })
		s.shared_by.insert(s.shared_by.end(), texts.begin(), texts.end());
	take_undefined(s, kept_undefined(s.kept, s.shared_by));
}

// Does a program without a harness state addresses of devices, which one would have to map?
static bool asks_for_devices(const Settings &s, const Strings &objects)
{
	std::string error;
	return s.entry == "main" && s.compile.appended.empty()
	    && std::any_of(objects.begin(), objects.end(), [&](const std::string &object) {
		       return read_section(object, ".duct_flow", error).find("\ndevice\t")
		           != std::string::npos;
	       });
}

// The harness behind file `where` has the stubs, which are told.
static bool resolve(Settings &s, const Strings &undefined, Strings &objects, size_t &where)
{
	take_undefined(s, undefined);
	if (shares_code(s))
		keep_undefined(s.kept, s.shared_by, s.undefined);
	if (s.stubs.empty() && !asks_for_devices(s, objects))
		return true;
	s.compile.appended = harness(s, where);
	if (shares_code(s))
		return make_objects(s, where, objects) == exit_done;
	objects[where] = temporary(".o");
	return compile(s.files[where], objects[where], s.compile) == exit_done;
}

static Strings defined_functions(Settings s)
{
	s.compile.flags.push_back("-w"); // warnings were printed before
	struct flow *fl = load_all(s);
	Strings names = functions_for_message(fl);
	flow_free(fl);
	return names;
}

static int refuse_without_main(const Settings &s)
{
	if (s.files.empty()) {
		complain("no main in " + joined(s.link));
		return exit_usage;
	}
	Strings names = defined_functions(s);
	complain("no main in " + joined(s.files)
	    + (names.empty() ? ": no function is defined there"
	                     : "; choose an entry with --entry: " + joined(names)));
	return exit_usage;
}

// Does an object refer to another version's runtime (lib/protocol/stamp.h)?
static bool is_of_another_version(const Strings &undefined)
{
	static const std::string ours = duct_stamp, begin = ours.substr(0, ours.rfind('_') + 1);
	return std::any_of(undefined.begin(), undefined.end(), [](const std::string &name) {
		return name != ours && name.compare(0, begin.size(), begin) == 0;
	});
}

int link_objects(Settings &s, Strings &objects, size_t where)
{
	std::string output = s.output.empty() ? "a.out" : s.output;
	Strings undefined;
	int status = link_program(output, objects, s.link, s.compile.weave.flows, &undefined);
	if (status == exit_done ? !asks_for_devices(s, objects) : undefined.empty())
		return status;
	if (std::find(undefined.begin(), undefined.end(), "main") != undefined.end())
		return refuse_without_main(s);
	if (is_of_another_version(undefined)) {
		complain(
		    "another version of duct compiled some of the objects: compile them again");
		return exit_input;
	}
	if (!resolve(s, undefined, objects, where))
		return exit_input;
	return link_program(output, objects, s.link, s.compile.weave.flows);
}

// Is there just one file to compile, so that it can be parsed once for its program model and with
// the harness?
static bool parses_once(const Settings &s)
{
	return s.files.size() == 1 && s.kept.empty() && s.entry != "main";
}

// The harness, when the file has been parsed; again in each further attempt to compile it.
static const std::string &ask_harness(Settings &s)
{
	static const std::string nothing;
	size_t where;
	if (!s.compile.appended.empty())
		return s.compile.appended;
	int status = flow_so_far(s.flow_text);
	if (status == copy)
		return nothing;
	if (status != exit_done)
		finish(status);
	return s.compile.appended = harness(s, where);
}

void prepare(Settings &s, size_t &where)
{
	s.compile.weave.own = getenv("DUCT_OWN_CALLS") != nullptr;
	if (!s.kept.empty())
		mkdir(s.kept.c_str(), 0777);
	where = s.files.size();
	if (shares_code(s))
		recall_undefined(s);
	if (parses_once(s)) {
		where = 0;
		s.compile.ask = [&s]() -> const std::string & { return ask_harness(s); };
	} else if (s.entry != "main") {
		s.compile.appended = harness(s, where);
	}
	if (s.entry != "main") {
		s.compile.weave.entry = "duct_harness";
		s.compile.start = is_alone(s) ? "duct_harness" : "";
	} else {
		write_narrowing(s, "");
	}
}

} // namespace duct
