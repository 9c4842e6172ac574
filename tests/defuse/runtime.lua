-- runtime: which pairs runs exercise, as the program with probes tells it and as an interpreter of its own
-- model sees it: both must be the same, and all of them among defuse's.
--   runtime.lua examples            all share/examples
--   runtime.lua sources             tests/defuse/src
--   runtime.lua generated FROM TO   programs of tests/gen/gen.lua
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local trace_pairs = require "trace_pairs"
local flowrun = require "flowrun"
local subjects = require "subjects"
local quote = tap.quote
local folder = tap.folder("pairs")
local exercised, programs = 0, 0

local function request(id, inputs, random)
	local lines = { "input\t" .. id }
	for _, v in ipairs(inputs) do
		local value = random(0, 2) > 0 and random(-3, 9) or v.kind == "c" and random(32, 122) or random(-40, 200)
		if v.kind == "b" then value = random(0, 1) end
		if v.kind == "f" then
			value = string.unpack(v.width == 32 and "<I4" or "<i8", string.pack(v.width == 32 and "<f" or "<d", value))
		elseif v.kind == "n" then
			value = random(0, 1)
		end
		if v.width < 64 then value = value & (1 << v.width) - 1 end
		if v.width <= 64 then lines[#lines + 1] = ("v\t%s\t%s\t%d\t%x"):format(v.name, v.kind, v.width, value) end
	end
	lines[#lines + 1] = "run"
	return table.concat(lines, "\n"), #lines
end

-- `runs` runs on random inputs, whose names those before them told.
local function run(program, runs, seed)
	local _, out = tap.run("run-trace --default " .. program)
	local all = trace_pairs.traces(out)
	math.randomseed(seed, 7)
	for round = 1, 2 do
		local text, count = { "#inputs 1 test" }, 0
		for id = 1, runs // 2 do
			local lines, n = request(id, all[#all].inputs, math.random)
			text[#text + 1], count = lines, count + n
		end
		tap.spit(folder .. "/inputs", table.concat(text, "\n") .. ("\nend\t%d\n"):format(count))
		local status, more, err = tap.run(("run-trace --timeout 2 %s <%s/inputs"):format(program, folder))
		if status ~= 0 then return nil, err end
		table.move(trace_pairs.traces(more), 1, runs // 2, #all + 1, all)
	end
	return all
end

local function first_missing(a, b)
	local missing = {}
	for key in pairs(a) do
		if not b[key] then missing[#missing + 1] = key end
	end
	table.sort(missing)
	return missing
end

-- A run that ends where a pointer that came in as NULL is dereferenced is undefined: compilers move that access and leave it
-- out where nothing needs its value (gcc -O0 faults at another line than gcc -O1), so that no two of them need to have
-- come equally far. Inputs that are rejected, such as a pointer's choice of an object that is not there, are no run of the
-- program. Both count for nothing, and their pairs are only compared with those of defuse.
local function counts_nothing(t) return t.ended == "need" or t.ended == "rejected" end

local function compare(name, p, all, scope, entry, steps, set)
	local inter, seen, count, wrong, ended = scope == "inter", {}, 0, {}, 0
	for k, t in ipairs(all) do
		local told = trace_pairs.meaning(p, t, inter, entry)
		local found, how = flowrun.replay(p, inter, t.inputs, steps)
		local whole = how == "ended" and t.ended ~= "timeout" and not counts_nothing(t)
		ended = ended + (whole and 1 or 0)
		for _, key in ipairs(counts_nothing(t) and first_missing(told, set) or {}) do
			wrong[#wrong + 1] = ("run %d: told, and missed by defuse: %s"):format(k, key)
		end
		for _, key in ipairs(counts_nothing(t) and {} or first_missing(found, told)) do
			wrong[#wrong + 1] = ("run %d: not told: %s"):format(k, key)
		end
		for _, key in ipairs(whole and first_missing(told, found) or {}) do
			wrong[#wrong + 1] = ("run %d: told falsely: %s"):format(k, key)
		end
		for key in pairs(found) do
			if not seen[key] then
				seen[key], count = true, count + 1
				if not set[key] then wrong[#wrong + 1] = ("run %d: missed by defuse: %s"):format(k, key) end
			end
		end
	end
	exercised, programs = exercised + count, programs + 1
	tap.ok(#wrong == 0, ("%s: %s: %d pairs in %d runs, %d to their end"):format(name, scope, count, #all, ended),
		table.concat(wrong, "\n", 1, math.min(#wrong, 12)))
end

local function check(name, source, options, flags, entry, runs, steps, seed)
	local program, file = folder .. "/program", folder .. "/program.flow"
	local status, _, err = tap.run(("instrument --quick --pairs --check div -o %s %s %s -- -w %s && duct cfg-dump %s >%s"):format(program,
		quote(source), options, flags, program, file))
	if status ~= 0 then return tap.ok(false, name, err) end
	local all, why = run(program, runs, seed)
	if not all then return tap.ok(false, name, why) end
	local p = flowrun.load(tap.slurp(file))
	for _, scope in ipairs { "intra", "inter" } do
		local set, message = trace_pairs.known(scope, entry, file)
		if not set then return tap.ok(false, name, message) end
		compare(name, p, all, scope, entry, steps, set)
	end
end

local runs = { examples = 20, sources = 40, generated = 6 }
subjects.each(arg, { "defuse" }, function(s)
	check(s.name, s.source, s.options, s.flags, s.entry, runs[s.kind], s.kind == "generated" and 40000 or 20000, s.seed)
end)
tap.ok(exercised > 10 * programs, ("%d pairs exercised in %d checks"):format(exercised, programs))
tap.done()
