-- edits.lua FIRST LAST: random programs of several functions and two entries, one function of which is then edited: an
-- entry that does not reach it keeps all that was proved, of one that does the proofs that hold are kept, and both have
-- the verdicts of a session that knows nothing.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("edits")
local random = math.random

local function pick(list)
	return list[random(#list)]
end

-- A condition on x and y, some of which never hold.
local function condition()
	local v, c = pick { "x", "y" }, random(0, 5)
	return pick { ("%s > %d"):format(v, c), ("(%s & 3) == %d"):format(v, c), ("%s %% 3 == %d"):format(v, c),
		("(%s | 4) < %d"):format(v, c), ("x + y == %d"):format(c) }
end

-- The text of function I: it calls some of those before it.
local function body(i)
	local out, calls = {}, {}
	for _ = 1, random(2, 3) do
		local then_do = ("r += %d;"):format(random(9))
		local callee = i > 1 and random(3) == 1 and random(i - 1)
		if callee then
			calls[callee] = true
			then_do = ("r += f%d(x, %d);"):format(callee, random(0, 3))
		end
		out[#out + 1] = ("\tif (%s)\n\t\t%s\n"):format(condition(), then_do)
	end
	return ("int f%d(int x, int y)\n{\n\tint r = 0;\n\n%s\treturn r;\n}\n"):format(i, table.concat(out)), calls
end

local function reaches(program, entry, target, seen)
	seen = seen or {}
	seen[entry] = true
	for callee in pairs(program[entry].calls) do
		if not seen[callee] then
			reaches(program, callee, target, seen)
		end
	end
	return seen[target] or false
end

local function write(program)
	local text = {}
	for i, f in ipairs(program) do
		text[i] = f.text
	end
	tap.spit(folder .. "/unit.c", table.concat(text, "\n"))
end

-- The report of a session, and its verdicts without what differs with the search.
local function session(entry, store)
	local command = ("cd %s && duct dft unit.c --entry f%d --prove --store %s --json --quiet --time 60"):format(
		tap.quote(folder), entry, store)
	local status, out, err = tap.run(command)
	if status ~= 0 then
		return nil, err
	end
	local lines = {}
	for _, what in ipairs { "--branches", "--pairs" } do
		local _, rows = tap.run(("duct report --store %s/%s --session latest %s"):format(folder, store, what))
		for row in rows:gmatch("[^\n]+") do
			lines[#lines + 1] = row:gsub("\t[^\t]*$", "")
		end
	end
	table.sort(lines)
	return json.decode(out), table.concat(lines, "\n")
end

local function infeasible(report)
	return report.branches.infeasible + report.pairs.infeasible
end

local kept, asked = 0, 0

local function try(seed)
	math.randomseed(seed)
	local program, before = {}, {}
	for i = 1, 5 do
		program[i] = {}
		program[i].text, program[i].calls = body(i)
	end
	local entries, edited = { 4, 5 }, random(5)
	tap.run("rm -f " .. folder .. "/all.db* " .. folder .. "/new.db*")
	write(program)
	for _, entry in ipairs(entries) do
		local report, why = session(entry, "all.db")
		if not report then return "before: " .. why end
		before[entry] = infeasible(report)
	end
	local old, calls = program[edited].text, program[edited].calls
	repeat
		program[edited].text, program[edited].calls = body(edited)
	until program[edited].text ~= old
	write(program)
	for _, entry in ipairs(entries) do
		local was = { table.unpack(program) }
		was[edited] = { calls = calls }
		local reached = reaches(program, entry, edited) or reaches(was, entry, edited)
		local report, verdicts = session(entry, "all.db")
		local fresh, expected = session(entry, "new.db")
		if not report or not fresh then return "after: " .. tostring(verdicts) .. tostring(expected) end
		local where = ("seed %d, f%d edited, entry f%d: "):format(seed, edited, entry)
		if verdicts ~= expected then return where .. "other verdicts:\n" .. verdicts .. "\n--- a fresh session\n" .. expected end
		if verdicts:find("\tunknown") then return where .. "not everything is decided:\n" .. verdicts end
		if not reached and (report.kept ~= before[entry] or report.cpu.prove > 0) then
			return ("%s%d of %d kept"):format(where, report.kept, before[entry])
		end
		kept, asked = kept + (reached and 0 or 1), asked + (reached and 1 or 0)
	end
end

for seed = tonumber(arg[1]), tonumber(arg[2]) do
	local wrong = try(seed)
	tap.ok(not wrong, "edits: seed " .. seed, wrong)
end
print(("# %d entries kept their verdicts, %d were asked again"):format(kept, asked))
if kept == 0 or asked == 0 then
	tap.ok(false, "edits: some entries reach what is edited, some do not")
end
tap.done()
