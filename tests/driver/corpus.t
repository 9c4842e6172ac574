#!/usr/bin/env lua5.4
-- Inputs from and to folders of files; programs that are built already.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local folder = tap.folder("corpus")
local source, program, seeds = folder .. "/magic.c", folder .. "/magic", folder .. "/seeds"
tap.spit(source, [[
#include <stdio.h>
int main(void)
{
	unsigned char b[6];
	unsigned n = fread(b, 1, sizeof b, stdin), sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum = sum * 31 + b[i];
	if (n == 5 && sum == 99162322)               /* "hello" */
		puts("found");
	return b[0] == 'x';
}
]])
tap.run(("mkdir %s && printf hello >%s/a && printf xyzxyzxyz >%s/b && printf . >%s/.hidden"):format(seeds,
	seeds, seeds, seeds))

local function duct(arguments)
	local status, out, err = tap.run("duct " .. arguments)
	local fine, result = pcall(json.decode, out)
	return fine and result or { branches = {} }, status, err
end

local function slurp(name) return tap.slurp(folder .. "/" .. name) end

local store = folder .. "/store"
local r, status = duct(("concolic %s --stdin 6 --runs 3 --keep all --corpus %s --store %s --json --quiet"):format(source, seeds, store))
tap.ok(status == 0 and r.runs == 3 and r.tests == 3, "zeros, and both files: what begins with a dot is none")
status = tap.run(("duct report --store %s --corpus %s/out"):format(store, folder))
tap.ok(status == 0 and slurp("out/test-000001") == "" and slurp("out/test-000002") == "hello"
	and slurp("out/test-000003") == "xyzxyz",
	"report --corpus gives them back, cut at the limit")
local _, out = tap.run(("gcc -o %s/plain %s && for f in %s/out/*; do %s/plain <$f; done"):format(folder, source,
	folder, folder))
tap.ok(out == "found\n", "and the untouched program takes them", out)

-- Without --stdin all of it, also more than sessions begin with; and so do mutations, which make texts longer.
local count, long = folder .. "/count.c", ("a b "):rep(6)
tap.spit(count, "#include <stdio.h>\nint main(void)\n{\n\tint c, n = 0, words = 0;\n\tfor (; (c = getchar()) != EOF; n++)\n"
	.. "\t\twords += c == ' ';\n\treturn words >= 7 && n > 14;\n}\n")
tap.run(("mkdir %s/long %s/short && printf '%s' >%s/long/a && printf 'a b ' >%s/short/a"):format(folder, folder, long,
	folder, folder))
duct(("concolic %s --runs 2 --keep all --corpus %s/long --store %s.w --quiet"):format(count, folder, store))
tap.run(("duct report --store %s.w --corpus %s/whole"):format(store, folder))
tap.is(slurp("whole/test-000002"), long, "without --stdin, files are standard input, whole")
r = duct(("concolic %s --search mutate --runs 3000 --corpus %s/short --json --quiet"):format(count, folder))
tap.is(r.branches.covered, r.branches.total, "and mutations make texts longer")

local data = folder .. "/data.c"
tap.spit(data, [[
#include <stdio.h>
int main(void)
{
	FILE *f = fopen("data", "r");
	return f && fgetc(f) == 'h' && fgetc(f) == 'e' ? 7 : 0;
}
]])
_, status = duct(("concolic %s --file data=4 --runs 2 --corpus %s --store %s.f --json --quiet"):format(data,
	seeds, store))
tap.run(("duct report --store %s.f --corpus %s/files"):format(store, folder))
tap.ok(status == 0 and slurp("files/test-000002") == "he\0\0",
	"the content of a file: what was read of it, and its length")

-- A function's parameters: a harness of three lines that reads them makes the same calls.
tap.spit(folder .. "/params.c", "struct pair { int a; char c; };\nint params(int x, const struct pair *p)\n"
	.. "{\n\treturn x == 77 && p->a == 1234567 && p->c == 'q';\n}\n")
tap.run(("duct concolic %s/params.c --entry params --len p=1 --store %s.p --quiet"):format(folder, store))
tap.run(("duct report --store %s.p --corpus %s/params"):format(store, folder))
tap.spit(folder .. "/fuzz.c", '#include "params.c"\n#include <stdio.h>\n'
	.. "int main(void) { int x; struct pair p; fread(&x, sizeof x, 1, stdin); fread(&p, 1, sizeof p, stdin); return params(x, &p); }\n")
_, out = tap.run(("gcc -o %s/fuzz %s/fuzz.c && for f in %s/params/*; do %s/fuzz <$f || echo $?; done"):format(folder, folder,
	folder, folder))
tap.is(out, "1\n", "memory of parameters")

status = tap.run(("duct instrument -o %s %s"):format(program, source))
r = duct(("concolic %s --stdin 6 --runs 20 --json --quiet --out %s/tests"):format(program, folder))
tap.ok(status == 0 and r.branches.covered > 2 and slurp("tests/test-000002"),
	"a program in place of its source; its tests are files", r.branches.covered)

-- Built with pairs, some of them through addresses that depend on inputs, for a session that has none as goals.
tap.spit(folder .. "/table.c", "#include <stdio.h>\nint main(void)\n{\n\tint t[8] = { 0 }, i = getchar() & 7, k = getchar() & 7;\n"
	.. "\tt[i] = 3;\n\treturn t[k] == 3;\n}\n")
tap.run(("duct cc --pairs -o %s/table %s/table.c"):format(folder, folder))
r, status = duct(("concolic %s/table --stdin 2 --json --quiet"):format(folder))
tap.ok(status == 0 and r.ended == "limits", "a program with pairs in a session without", r.ended)

for _, case in ipairs {
	{ "--out for a program without files as inputs", ("concolic %s --out %s/no"):format(program, folder), 2, "content of --stdin or --file" },
	{ "--corpus for a function", ("concolic %s --entry f --corpus %s"):format(source, seeds), 2, "needs --stdin or --file" },
	{ "no such corpus", ("concolic %s --stdin 3 --corpus no/such"):format(source), 2, "there is no folder no/such" },
	{ "a program and flags", ("concolic %s --stdin 3 -- -DX"):format(program), 2, "is a program" },
	{ "a program and an entry", ("concolic %s --entry f"):format(program), 2, "is a program" },
	{ "a program without probes", ("concolic %s/plain --stdin 3"):format(folder), 4, "not instrumented" },
	{ "a corpus of what reads nothing", ("report --store %s.e --corpus %s/no"):format(store, folder), 4,
		"are not standard input or a file" },
} do
	local name, arguments, expected, message = table.unpack(case)
	if name:find("reads nothing") then
		tap.spit(folder .. "/none.c", "int main(void) { return 0; }\n")
		duct(("concolic %s/none.c --runs 1 --quiet --store %s.e"):format(folder, store))
	end
	local got, _, err = tap.run("duct " .. arguments)
	tap.ok(got == expected and err:find(message, 1, true), name, got .. " " .. err)
end
tap.done()
