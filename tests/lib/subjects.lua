-- subjects: programs that tests go through, the same for all: f is called with { kind, name, source, entry, flags (of
-- the compiler), options (of instrument), seed } for each.
--   subjects.each(arg, folders, f)
-- where arg is `examples [NAME]` (share/examples), `sources` (tests/FOLDER/src), `generated FROM TO`
-- (tests/gen/gen.lua), `small FROM TO` or `wide FROM TO` (tests/prove/small.lua).
local agree = require "agree"
local tap = require "tap"
local quote = tap.quote
local M = {}

local function list(pattern)
	return io.popen("ls " .. tap.root .. pattern):lines()
end

local function examples(only, f)
	for path in list("/share/examples/*.c") do
		local t, name = agree.header(path), path:match("([^/]+)%.c$")
		local entry = (t.args or ""):match("%-%-entry%s+([%w_]+)") or "main"
		local options = "--entry " .. entry
		for option, value in (t.args or ""):gmatch("(%-%-%l+)[ =](%S+)") do
			if ("--len --string --null --may-alias --global"):find(option, 1, true) then
				options = options .. (" %s %s"):format(option, quote(value))
			end
		end
		if not only or name == only then
			f { kind = "examples", name = name, source = path, entry = entry, flags = t.flags or "", options = options,
				seed = 1 }
		end
	end
end

local function sources(folders, f)
	for _, folder in ipairs(folders) do
		for path in list(("/tests/%s/src/*.c"):format(folder)) do
			f { kind = "sources", name = path:match("([^/]+)%.c$"), source = path, entry = "test", flags = "",
				options = "--entry test", seed = 3 }
		end
	end
end

local flags = { generated = "-fwrapv -fno-strict-aliasing -ffp-contract=off", small = "-fwrapv", wide = "-fwrapv" }
local script = { generated = "gen/gen.lua %d", small = "prove/small.lua %d", wide = "prove/small.lua %d wide" }

local function generated(kind, from, to, f)
	for seed = from, to do
		local source = tap.scratch .. "/g.c"
		local run = ("lua5.4 %s/tests/%s"):format(tap.root, script[kind]:format(seed))
		assert(tap.run(("%s >%s"):format(run, source)) == 0, run)
		local _, names = tap.run(kind == "generated" and run .. " names" or "true")
		local len = names:match("%-%-len\t([^\n]+)")
		f { kind = kind, name = "seed " .. seed, source = source, entry = "test", flags = flags[kind], seed = seed,
			options = "--entry test" .. (len and " --len " .. len or "") }
	end
end

function M.each(arg, folders, f)
	if arg[1] == "examples" then
		examples(arg[2], f)
	elseif arg[1] == "sources" then
		sources(folders, f)
	else
		generated(arg[1], tonumber(arg[2]), tonumber(arg[3]), f)
	end
end

-- The subject's flow(5) as a file, of the instrumented program when it is asked for; nil and why.
function M.flow(subject, program)
	local file, source = tap.scratch .. "/x.flow", quote(subject.source)
	local command = program and "instrument -o %s/x.prog %s %s -- -w %s && duct cfg-dump %s/x.prog >%s" or ""
	command = program and command:format(tap.scratch, source, subject.options, subject.flags, tap.scratch, file)
		or ("duct cfg-dump %s -- -w %s >%s"):format(source, subject.flags, file)
	local status, _, err = tap.run(command)
	if status ~= 0 then return nil, err end
	return file
end

return M
