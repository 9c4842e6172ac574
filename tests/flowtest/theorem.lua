-- FlowTest violates every assertion that plain concolic testing violates (Theorem 1), that is all that running
-- all inputs does, on generated programs, one result a seed. Where it ends with blocks that are complete.
--   lua5.4 theorem.lua FIRST LAST
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local first, last = math.tointeger(arg[1]), math.tointeger(arg[2])
local complete, apart, guarded, failing = 0, 0, 0, 0

local function must(command)
	local status, out, err = tap.run(command)
	if status ~= 0 then error({ command .. ": status " .. status .. "\n" .. err }, 0) end
	return out
end

-- Lines of the assertions that fail when the emitted tests run against the program.
local function found(dir)
	local lines = {}
	must(("gcc -w -fwrapv -O1 -DTESTED -o %s/tested %s/p.c"):format(dir, dir))
	for line in must(dir .. "/tested < " .. dir .. "/values"):gmatch("%d+") do lines[line] = true end
	return lines
end

-- The inputs of all tests, four hexadecimal numbers a line.
local function write_values(dir)
	local text = must(("sqlite3 -separator ' ' %s/store \"SELECT test, name, value FROM input ORDER BY test\""):format(dir))
	local tests, order = {}, {}
	for test, name, value in text:gmatch("(%S+) (%S+) (%S+)\n") do
		if not tests[test] then
			tests[test] = {}
			order[#order + 1] = test
		end
		tests[test][name] = value
	end
	local list = {}
	for i, test in ipairs(order) do
		local v = tests[test]
		list[i] = ("%s %s %s %s\n"):format(v.a or 0, v.b or 0, v.c or 0, v.d or 0)
	end
	tap.spit(dir .. "/values", table.concat(list))
end

local function check(seed)
	local dir = tap.folder("seed" .. seed)
	must(("lua5.4 %s/tests/flowtest/program.lua %d >%s/p.c"):format(tap.root, seed, dir))
	must(("gcc -w -fwrapv -O1 -DORACLE -o %s/oracle %s/p.c"):format(dir, dir))
	local r = json.decode(must(("duct flowtest %s/p.c --calls 1 --faults 0 --entry test --check none --json --quiet --runs 3000 --time 60 --store %s/store"):format(
		dir, dir)))
	write_values(dir)
	local have = found(dir)
	for line in must(dir .. "/oracle"):gmatch("%d+") do
		failing = failing + 1
		if r.partition.complete and not have[line] then
			error({ ("line %s fails, in no test; blocks %s, %d runs"):format(line, tostring(#r.blocks), r.runs) }, 0)
		end
	end
	complete = complete + (r.partition.complete and 1 or 0)
	apart = apart + (#r.blocks > 1 and 1 or 0)
	guarded = guarded + (#r.partition.guards > 0 and 1 or 0)
end

for seed = first, last do
	local ok, why = pcall(check, seed)
	tap.ok(ok, "seed " .. seed, not ok and (type(why) == "table" and why[1] or why))
end
local all = last - first + 1
tap.ok(complete * 4 >= all * 3, "three in four are complete", complete)
tap.ok(apart * 4 >= all, "one in four has several blocks", apart)
tap.ok(guarded > 0, "some have inputs that guard several blocks", guarded)
tap.ok(failing > 0, "assertions fail", failing)
print(("# %d programs: %d complete, %d of several blocks, %d with shared guards, %d assertions that fail"):format(all,
	complete, apart, guarded, failing))
tap.done()
