-- duct plan FILE.c...: the functions that can be entries, the inputs that each would get, and what is not there.
local core = require "duct.core"
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

-- "12*4:i4" and the like in words.
local function words(shape)
	local count, element = shape:match("^(%d+)%*%d+:(.*)$")
	local kind, size, names = (element or shape):match("^(%a)(%d+)(#?)%d*$")
	local what = (element or shape):find("^{") and "structure" or names == "#" and "enumeration" or kinds[kind] or "bytes"
	local of = size and ("%s, %d byte%s"):format(what, size, size == "1" and "" or "s") or what
	return count and ("%s of %s"):format(count, of) or of
end

local function show(f, text, narrowing, of)
	print(("%s  %s:%d"):format(f.name, f.file or "-", f.line))
	for line in text:gmatch("[^\n]+") do
		local kind, name, _, shape = line:match("^(.)\t([^\t]*)\t([^\t]*)\t([^\t]*)")
		if kind == "i" then
			print(("  input   %s: %s"):format(name, words(shape)))
		elseif kind == "c" then
			print(("  choice  %s: which of several objects, or none"):format(name))
		end
	end
	for line in (narrowing or ""):gmatch("[^\n]+") do
		local limit, value, name = line:match("^limit (%S+) (%d+) ?(.*)$")
		print(limit and "  limit   " .. core.limit(limit, name, tonumber(value)) or "  assume  " .. line)
	end
	local list, pointer = missing(of, f.name)
	for _, name in ipairs(list) do
		if not core.library_has(name) and not name:find("^llvm%.") and not text:find("\nf\t" .. name .. "\t", 1, true) then
			print("  absent  " .. name .. ": --stub " .. name)
		end
	end
	if pointer then
		print("  calls through pointers: more may be called")
	end
end

local function main(o)
	if not o.files then
		program.fail(2, "no C file: duct plan FILE.c...")
	end
	program.need_files(o)
	local only = o.entry
	local folder <close> = program.folder()
	local flow = program.model(o, folder.path)
	local of, shown = callees(flow), 0
	for unit = 0, flow:units() - 1 do
		for _, f in ipairs(flow:functions(unit)) do
			if not f.system and not f.harness and (not only or f.name == only) then
				local text, narrowing = plan(flow, setup.of(o, f.name), only)
				show(f, text, narrowing, of)
				shown = shown + 1
			end
		end
	end
	if shown == 0 and only then
		plan(flow, o, true)
	end
	return 0
end

return program.protected(main)
