#!/usr/bin/env lua5.4
-- The number of arguments: what needs more of them than runs have, or none, not even the program's name, is unknown within limits,
-- also behind a switch.
-- limit: 60
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

local programs = {
	none = "if (argc < 1) return 1; if (argc > 2) return 2; return 0;",
	behind = "for (int i = 1; i < argc; i++) if (!argv[i]) return 3; if (argc > 1) return 1; return argc == 1 ? 0 : 2;",
	zero = "switch (argc) { case 0: return 9; case 1: return 1; default: return 3; }",
	many = "switch (argc) { case 600: return 9; case 1: return 1; default: return 3; }",
	ended = "if (argc != 2) return 2; if (argc < 1) return 3; return 0;",
}
local open = { none = "argc is at least 1", behind = "argc is at least 1", zero = "argc is at least 1", many = "at most 256 arguments" }

for name, body in pairs(programs) do
	tap.spit(name .. ".c", ("int main(int argc, char **argv) { (void)argv; %s }\n"):format(body))
	for _, command in ipairs { "concolic", "dft --prove" } do
		local _, out, err = tap.run(("duct %s %s.c --json --quiet --time 10 --runs 400"):format(command, name))
		local fine, r = pcall(json.decode, out)
		local wrong = fine and r.branches.infeasible - ((name == "behind" or name == "ended") and 1 or 0) or -1
		tap.ok(fine and wrong <= 0 and (not open[name] or out:find(open[name], 1, true)),
			("%s %s: %s"):format(command, name, open[name] and "within limits" or "no number does that"), out .. err)
	end
end
local _, out = tap.run "duct concolic ended.c --prove --json --quiet --time 10"
tap.ok(json.decode(out).branches.infeasible == 1 and not out:find("argc is at least", 1, true), "a condition that another one decides", out)
tap.done()
