-- duct plan FILE.c...: the functions that can be entries, the inputs that each would get, what it asks of the outside, and what
-- stubs answer for.
local core = require "duct.core"
local outside = require "duct.outside"
local program = require "duct.program"
local setup = require "duct.setup"

-- By name: what each function calls directly.
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

-- What is called from here on and not defined, in order; does anything go through a pointer?
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

-- The options that were given are for whichever function has what they name; others do without.
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

-- By number: how C calls what pointers point to, which grows with what the function asks for.
local function targets(text)
	local of = {}
	for number, declarator, shape, size in text:gmatch("\ny\t(%d+)\t([^\t]*)\t([^\t]*)\t(%d+)") do
		local name = declarator:gsub("%s*%%s", "")
		of[number] = declarator == "" and "bytes" or shape == "S" and "a stream" or declarator:find("%(%%s%)") and "a function"
			or size == "0" and name .. ", whose content is not known" or name
	end
	return of
end

-- "12*4:i4" and the like in words.
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

-- What a function asks for: lists of texts.
local function describe(text, narrowing, of, name)
	local d = { inputs = {}, assumed = {}, limits = {}, absent = {} }
	local points_to = targets(text)
	for line in text:gmatch("[^\n]+") do
		local kind, input, _, shape = line:match("^(.)\t([^\t]*)\t([^\t]*)\t([^\t]*)")
		if kind == "i" then
			table.insert(d.inputs, ("%s: %s"):format(input, words(shape, points_to)))
		end
	end
	for line in (narrowing or ""):gmatch("[^\n]+") do
		local limit, value, of_what = line:match("^limit (%S+) (%d+) ?(.*)$")
		table.insert(limit and d.limits or d.assumed, limit and core.limit(limit, of_what, tonumber(value)) or line)
	end
	local list, pointer = missing(of, name)
	for _, callee in ipairs(list) do
		if not core.library_has(callee) and not callee:find("^llvm%.") and not text:find("\nf\t" .. callee .. "\t", 1, true) then
			table.insert(d.absent, callee)
		end
	end
	d.asks, d.pointer = outside(list), pointer
	return d
end

local function show(f, d)
	print(("%s  %s:%d"):format(f.name, f.file or "-", f.line))
	for _, input in ipairs(d.inputs) do
		print("  input   " .. input)
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
	if d.pointer then
		print("  calls through pointers: more may be called")
	end
end

-- A JSON object on a line.
local function show_json(f, d)
	print(('{"function": %s, "file": %s, "line": %d, "inputs": %s, "assumptions": %s, "limits": %s, "asks": %s, "absent": %s, "calls_pointers": %s}')
		:format(program.json(f.name), f.file and program.json(f.file) or "null", f.line, program.json(d.inputs),
			program.json(d.assumed), program.json(d.limits), program.json(d.asks), program.json(d.absent), d.pointer))
end

-- Shows the functions of one program: how many. Last: something has to be there.
local function show_program(o, only, last)
	local folder <close> = program.folder()
	local flow = program.model(o, folder.path)
	local of, shown = callees(flow), 0
	for unit = 0, flow:units() - 1 do
		for _, f in ipairs(flow:functions(unit)) do
			if not f.system and not f.harness and (not only or f.name == only) then
				local text, narrowing = plan(flow, setup.of(o, f.name), only)
				local print_plan = o.json and show_json or show
				print_plan(f, describe(text or "", narrowing, of, f.name))
				shown = shown + 1
			end
		end
	end
	if shown == 0 and only and last then
		plan(flow, o, true)
	elseif shown == 0 and last then
		program.fail(2, "%s: no function is defined there", table.concat(o.files, ", "))
	end
	return shown
end

local function main(o)
	if not o.files then
		program.fail(2, "no C file: duct plan FILE.c...")
	end
	program.need_files(o)
	local groups, shown = program.by_flags(o.files, o.database, o.flags), 0
	for i, group in ipairs(groups) do
		local own = {}
		for key, value in pairs(o) do
			own[key] = value
		end
		own.files, own.flags = group.files, group.flags
		shown = shown + show_program(own, o.entry, i == #groups and shown == 0)
	end
	return 0
end

return program.protected(main)
