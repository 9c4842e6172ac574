// instrument: compiles C with probes and a shadow; as a filter for one program, and as a
// compiler for existing builds (--cc).
#include "lib/front/once.h"
#include "lib/front/program.h"
#include "lib/front/serve.h"

extern "C" {
#include "lib/flow/flow.h"
#include "lib/obligation/obligation.h"
}

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace duct;

// Writes, in place of the program, the verification task for the pair.
static int write_obligation(Settings &s, const std::string &program)
{
	char *error = nullptr;
	FILE *f = s.output.empty() ? stdout : fopen(s.output.c_str(), "w");
	s.pairs.alias.entry = s.entry.c_str();
	s.pairs.alias.may_alias = s.alias.size() > 1; // the last one ends the list
	int status = f ? obligation_of_program(f, program.c_str(), &s.pairs, s.obligation, &error)
	               : exit_system;
	if (!f || (f != stdout && fclose(f) != 0)) {
		complain(s.output + ": " + strerror(errno));
		return exit_system;
	}
	if (status) {
		complain(error);
		if (f != stdout)
			remove(s.output.c_str());
	}
	free(error);
	return status;
}

// The settings of a request; they refer to its words, of which this keeps a copy.
static Settings parse_request(const Strings &words)
{
	static Strings kept;
	kept = words;
	std::vector<char *> argv = { const_cast<char *>("instrument") };
	for (std::string &w : kept)
		argv.push_back(w.data());
	argv.push_back(nullptr);
	optind = 0;
	return settings_of(argv.size() - 1, argv.data());
}

// Makes programs that share the code of one file: each request is answered by a fork of this
// process. One that cannot make its program ends without an answer.
static int serve(const Settings &s)
{
	const std::string &file = s.files[0];
	CompileOptions o = s.compile;
	o.weave.entry = "duct_harness";
	std::string code = kept_object(s.kept, file, o);
	Settings own;
	size_t where = 0;
	Strings words, beside, objects;

	int at = listen_at(s.socket);
	if (at < 0)
		return exit_system;
	mkdir(s.kept.c_str(), 0777);
	setenv("TMPDIR", s.kept.c_str(), 1); // children may be killed
	int status = load_kept(kept_flow(s.kept, file, o.flags), file, o.flags);
	if (status != exit_done || (status = compile_code(code, file, o)) != exit_done)
		return status;
	struct flow *alone = load_all(s);
	o.ask = [&]() -> const std::string & {
		if (!words.empty())
			return o.appended;
		await_request(at, words);
		own = parse_request(words);
		if (own.files.size() == 1)
			own.flow = alone; // prepare() frees it
		else
			flow_free(alone);
		prepare(own, where);
		own.flow = nullptr;
		if (!shares_code(own) || where >= own.files.size() || own.files[where] != file
		    || kept_object(own.kept, file, own.compile) != code)
			_exit(exit_system);
		o.told = own.compile.told;
		o.names = own.compile.names;
		o.weave = own.compile.weave;
		return o.appended = own.compile.appended;
	};
	status = compile_own(code, file, o, beside);
	if (status == exit_done)
		status = make_objects(own, where, objects, &beside);
	if (status == exit_done)
		status = link_objects(own, objects, where);
	if (status != exit_done) {
		remove_temporaries();
		_exit(exit_system);
	}
	return status;
}

int main(int argc, char **argv)
{
	end_without_memory();
	if (argc > 1 && !strcmp(argv[1], "--cc"))
		return compile_as_asked(argc, argv);
	Settings s = settings_of(argc, argv);
	if (!s.socket.empty())
		finish(serve(s));
	size_t where;
	prepare(s, where);
	Strings objects;
	int worst = make_objects(s, where, objects);
	if (worst == exit_done && s.obligation) {
		Settings program = s;
		program.output = temporary("");
		worst = link_objects(program, objects, where);
		worst = worst == exit_done ? write_obligation(s, program.output) : worst;
	} else if (worst == exit_done && !s.objects) {
		worst = link_objects(s, objects, where);
	}
	finish(worst);
}
