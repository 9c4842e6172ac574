-- duct plan FILE.c...: lists the functions that can be entries, with their inputs, the parts of the environment that
-- they read, undefined functions, which get stubs, and variables, which become inputs.
local asks = require "duct.asks"
local core = require "duct.core"
local functions = require "duct.functions"
local program = require "duct.program"
local setup = require "duct.setup"

-- By function name: the names of its direct callees, false for a call through a pointer.
local function callees(flow)
	local of = {}
	for unit = 0, flow:units() - 1 do
		local name = {}
		for _, f in ipairs(flow:functions(unit)) do
			name[f.id] = f.name
			of[f.name] = of[f.name] or {}
		end
		for _, call in ipairs(flow:calls(unit)) do
			table.insert(of[name[call.func]], call.callee or false)
		end
	end
	return of
end

-- The undefined functions that the entry may call, sorted; whether there is a call through a pointer.
local function missing(of, entry)
	local seen, list, todo, pointer = { [entry] = true }, {}, { entry }, false
	for _, name in ipairs(todo) do
		for _, callee in ipairs(of[name]) do
			pointer = pointer or not callee
			if callee and not seen[callee] then
				seen[callee] = true
				table.insert(of[callee] and todo or list, callee)
			end
		end
	end
	table.sort(list)
	return list, pointer
end

-- The plan of a function; options that name inputs that it does not have are left out, unless it is the only one.
local function plan(flow, o, only)
	local text, narrowing = flow:plan(o)
	if not text and only then
		program.fail(2, "%s", narrowing)
	elseif not text then
		text, narrowing = flow:plan { entry = o.entry, stub = o.stub }
	end
	return text, narrowing
end

local kinds = { i = "signed", u = "unsigned", c = "character", b = "truth value", f = "floating point" }

-- By number: the C types that pointers point to; such objects are created when the function accesses them.
local function targets(text)
	local of = {}
	for number, declarator, shape, size in text:gmatch("\ny\t(%d+)\t([^\t]*)\t([^\t]*)\t(%d+)") do
		local name = declarator:gsub("%s*%%s", "")
		of[number] = declarator == "" and "bytes" or shape == "S" and "a stream" or declarator:find("%(%%s%)")
			and "a function"
			or size == "0" and name .. ", whose content is not known" or name
	end
	return of
end

-- Memory at an address that the source states, by the names of inputs: what is there.
local function devices(text)
	local of = {}
	for name, declarator, shape, address in text:gmatch("\nd\t([^\t]*)\t([^\t]*)\t(%a+)m@(%d+)") do
		of[name] = ("memory at %#x: %s%s"):format(tonumber(address), shape:find("a", 1, true) and "elements " or "",
			(declarator:gsub("%s*%%s", "")))
	end
	return of
end

-- Translates shapes such as "12*4:i4" to words.
local function words(shape, points_to)
	local target = shape:match("^p8@(%d+)$")
	if target then
		return ("points to %s, or is NULL"):format(points_to[target] or "nothing")
	end
	local count, element = shape:match("^(%d+)%*%d+:(.*)$")
	local kind, size, names = (element or shape):match("^(%a)(%d+)(#?)%d*$")
	local what = (element or shape):find("^{") and "structure" or names == "#" and "enumeration" or kinds[kind] or "bytes"
	local of = size and ("%s, %d byte%s"):format(what, size, size == "1" and "" or "s") or what
	return count and ("%s of %s"):format(count, of) or of
end

-- Is it a function that duct or the compiler defines?
local function is_own(name)
	return name:find("^duct_") or name:find("^__VERIFIER_") or name:find("^llvm%.")
end

-- Does the object of a pointer input grow with the run? Not streams, functions, and objects of a stated size.
local function grows(input, shape, points_to, fixed)
	local target = points_to[shape:match("^p8@(%d+)$") or ""]
	return target and target ~= "a stream" and target ~= "a function" and not target:find("is not known", 1, true)
		and not fixed[input]
end

-- The facts about a function, as lists of texts.
local function describe(text, narrowing, of, name, variables)
	local d = { inputs = {}, grows = {}, assumed = {}, limits = {}, absent = {}, variables = {} }
	local seen = {}
	for variable in variables:gmatch "[^\n]+" do
		if not seen[variable] and not core.library_has(variable) and not is_own(variable) then
			seen[variable] = true
			table.insert(d.variables, variable)
		end
	end
	local fixed = {}
	for input in (narrowing or ""):gmatch("([^\n]-): %S+ elements\n") do
		fixed[input] = true
	end
	local points_to, device = targets(text), devices(text)
	for line in text:gmatch("[^\n]+") do
		local kind, input, _, shape = line:match("^(.)\t([^\t]*)\t([^\t]*)\t([^\t]*)")
		if kind == "i" then
			table.insert(d.inputs, ("%s: %s"):format(input, device[input] or words(shape, points_to)))
			table.insert(d.grows, grows(input, shape, points_to, fixed) and input or nil)
		end
	end
	for line in (narrowing or ""):gmatch("[^\n]+") do
		local limit, value, of_what = line:match("^limit (%S+) (%d+) ?(.*)$")
		table.insert(limit and d.limits or d.assumed, limit and core.limit(limit, of_what, tonumber(value)) or line)
	end
	local list, pointer = missing(of, name)
	for _, callee in ipairs(list) do
		if not core.library_has(callee) and not is_own(callee) and not text:find("\nf\t" .. callee .. "\t", 1, true) then
			table.insert(d.absent, callee)
		end
	end
	d.asks, d.pointer = asks(list), pointer
	return d
end

local function show(f, d)
	print(("%s  %s:%d"):format(f.name, f.file or "-", f.line))
	for _, input in ipairs(d.inputs) do
		print("  input   " .. input)
	end
	if #d.grows > 0 then
		print(("  grows   %s: elements, and objects that they point to, as the function asks"):format(
			table.concat(d.grows, ", ")))
	end
	for _, line in ipairs(d.assumed) do
		print("  assume  " .. line)
	end
	for _, line in ipairs(d.limits) do
		print("  limit   " .. line)
	end
	for _, line in ipairs(d.asks) do
		print("  asks    " .. line)
	end
	for _, name in ipairs(d.absent) do
		print("  stub    " .. name .. ": nothing defines it; its result, and what it writes through pointers, are inputs")
	end
	for _, name in ipairs(d.variables) do
		print("  extern  " .. name .. ": nothing defines it; its value is an input")
	end
	if d.pointer then
		print("  calls through pointers: further functions may be called")
	end
end

-- One JSON object, on one line.
local function show_json(f, d)
	print(('{"function": %s, "file": %s, "line": %d, "inputs": %s, "grows": %s, "assumptions": %s, "limits": %s, '
		.. '"asks": %s, "absent": %s, "variables": %s, "calls_pointers": %s}'):format(program.json(f.name),
			f.file and program.json(f.file) or "null", f.line, program.json(d.inputs),
			program.json(d.grows), program.json(d.assumed), program.json(d.limits), program.json(d.asks),
			program.json(d.absent), program.json(d.variables), d.pointer))
end

-- The compiler's error about an assumption on the entry; nil: it accepts the assumption.
local function objection(o, key, text, folder)
	local one = setmetatable({ assume = false, range = false }, { __index = o })
	one[key] = { text }
	local status, said = program.instrument(one, folder .. "/assumed", true)
	local place = (text:match("^@(%S+) ") or "--assume") .. ":"
	local at = status ~= 0 and said:find(place, 1, true)
	return at and said:sub(at)
end

-- Removes the assumptions that the compiler does not accept for the entry, as the names in them are unknown there.
-- heard: what it said, or true for those that it accepts for some function.
local function keep_accepted(o, folder, heard)
	program.defaults(o)
	for _, key in ipairs { "assume", "range" } do
		local kept = {}
		for _, text in ipairs(o[key] or {}) do
			local said = objection(o, key, text, folder)
			kept[#kept + 1] = not said and text or nil
			heard[text] = not said or heard[text] or said
		end
		o[key] = o[key] and kept
	end
end

-- The functions of one program, a list of { function, facts }; for the last program it is an error if there are none
-- at all.
local function functions_of(o, only, last, heard)
	local folder <close> = program.folder()
	local flow = program.flow(o, folder.path)
	local of, list = callees(flow), {}
	for f in functions.each(flow) do
		if not only or f.name == only then
			local own = setup.of(o, f.name)
			if flow:plan(own) then
				keep_accepted(own, folder.path, heard)
			end
			local text, narrowing = plan(flow, own, only)
			list[#list + 1] = { f, describe(text or "", narrowing, of, f.name, flow:absent(f.name)) }
		end
	end
	if #list == 0 and only and last then
		plan(flow, o, true)
	elseif #list == 0 and last then
		program.fail(2, "%s: no function is defined there", table.concat(o.files, ", "))
	end
	return list
end

local function main(o)
	if not o.files then
		program.fail(2, "no C file: duct plan FILE.c...")
	end
	program.need_files(o)
	local groups, list, heard = program.by_flags(o.files, o.database, o.flags), {}, {}
	for i, group in ipairs(groups) do
		local own = {}
		for key, value in pairs(o) do
			own[key] = value
		end
		own.files, own.flags = group.files, group.flags
		local more = functions_of(own, o.entry, i == #groups and #list == 0, heard)
		table.move(more, 1, #more, #list + 1, list)
	end
	for text, said in pairs(heard) do
		if said ~= true then                     -- no function has what the assumption names
			core.say(said)
			return text:find("^@") and 3 or 2    -- of a file, or of an option
		end
	end
	for _, entry in ipairs(list) do
		local print_plan = o.json and show_json or show
		print_plan(table.unpack(entry))
	end
	return 0
end

return program.protected(main)
