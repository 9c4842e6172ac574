-- cost: what a strategy costs beside plain concolic testing with the same search, where it cannot help: CPU a path, and
-- in all. Sessions of both by turns, the least of each counts: what else the machine does is for both alike.
local json, tap = require "json", require "tap"
local cost = {}

local sessions = 7

local function session(strategy, file, rest)
	local status, out, err = tap.run(("duct %s %s/share/examples/%s --json --quiet %s"):format(strategy, tap.root,
		file, rest))
	if status ~= 0 then error(err, 0) end
	local r = json.decode(out)
	r.all = r.cpu.run + r.cpu.solve + r.cpu.strategy
	return r
end

-- At most 1.3 times a path and twice in all: a result. program: file, and other arguments. The figures of both.
function cost.compare(strategy, plain, program)
	local with, without
	for _ = 1, sessions do
		local a, b = session(strategy, program[1], program[2]), session(plain, program[1], program[2])
		with = with and with.all < a.all and with or a
		without = without and without.all < b.all and without or b
	end
	local a_path, total = with.all / with.paths / (without.all / without.paths), with.all / without.all
	tap.ok(a_path <= 1.3 and total <= 2,
		("%s: %.2f times a path, %.2f times in all (%d and %d paths, %.3f and %.3f s)"):format(
		program[1], a_path, total, with.paths, without.paths, with.all, without.all))
	return with, without
end

return cost
