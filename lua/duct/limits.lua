-- limits: limits on the size of inputs. A limit that runs reached is doubled while objectives are open, unless the user
-- set it. lib/limits says which limits can be doubled, and up to which value.
--   limits.first(options)                 -> { NAME = N } as in run-trace --grow, from the options
--   limits.most(options, grow, name)      -> the most bytes of standard input or a file; nil: it is neither
--   limits.wider(options, grow, touched, asked, idle)  -> the same with touched limits doubled; nil if none can be
--   limits.join(grow, beyond)             -> the larger values of both
--   limits.of_input(options, grow, input)  -> the limits that the input is beyond; whether the user set one of these
--   limits.setup(grow)                    -> entries for the runner
--   limits.refuse(options)                -> why a number in the options is more than runs can have; nil: none is
local core = require "duct.core"
local corpus = require "duct.corpus"

local limits = {}

local options_of = { objects = "objects", depth = "pointer_depth", calls = "calls", args = "args", faults = "faults" }
local lists_of = { size = { "len", "string" }, arg = { "arg", "argv" }, env = { "env" }, file = { "file" },
	stdin = { "stdin" } }

-- Whether one of the options NAME=VALUE names it; not one whose value is a name, that of the parameter with its length.
-- A number applies to all names.
local function names(list, name)
	for _, option in ipairs(type(list) == "table" and list or {}) do
		if option:match("^(.*)=[^%a_]") == name then
			return true
		end
	end
	return list ~= nil and type(list) ~= "table"
end

local function is_fixed(o, limit)
	if options_of[limit.kind] and o[options_of[limit.kind]] then
		return true
	end
	for _, list in ipairs(lists_of[limit.kind] or {}) do
		if names(o[list], limit.name) then
			return true
		end
	end
	return false
end

function limits.first(o)
	local grow = {}
	for name, option in pairs(options_of) do
		grow[name] = o[option]
	end
	-- Calls of other functions than the entry; what flows from that choice is not followed.
	grow.between = not o.calls and not o.partition and o.strategy ~= "flowtest" and 1 or nil
	if o.corpus and not (o.stdin or o.file) then
		local _, _, name, first, most = core.limit("stdin", "stdin")
		grow[name] = math.min(math.max(first, corpus.longest(o.corpus)), most)
	end
	return grow
end

-- Bytes that the sequence of inputs NAME[i] has at most: standard input or a file; nil: it is another one, without a
-- length of its own.
function limits.most(o, grow, name)
	if name ~= "stdin" or o.stdin then
		return corpus.size(o, name)
	end
	local _, _, limit, first = core.limit("stdin", "stdin")
	return grow[limit] or first
end

-- Limits that no run can reach.
local untold = { calls = true, global = true, state = true, faults = true, name = true }

-- The first value of a limit that was 0, where it is not 1: enough bytes for a small header.
local first_wider = { before = 32 }

-- How much wider a limit gets each time, where it is not twice.
local factor = { ahead = 8 }

-- The larger of both values of each limit; beyond: nil, or as from limits.of_input.
function limits.join(grow, beyond)
	local more = {}
	for name, value in pairs(grow) do
		more[name] = value
	end
	for name, value in pairs(beyond or {}) do
		more[name] = math.max(more[name] or 0, value)
	end
	return more
end

-- Widens limits that runs reached, and the number of calls, although no run can show that it needs more.
-- A limit whose value is the most that there is stays.
-- asked: values that these have at least then; nil: none. idle: has the search nothing left to try? While there is
-- something, one failing call is enough: with more there are many more paths, which hardly ever show anything else.
function limits.wider(o, grow, touched, asked, idle)
	local more, any = limits.join(grow, asked), asked ~= nil
	for _, l in ipairs(touched) do
		local _, _, name, first, most = core.limit(l.kind, l.name)
		if name and (l.runs > 0 or untold[l.kind]) and not is_fixed(o, l) then
			local now = math.max(grow[name] or first, asked and asked[name] or 0)
			if now < most and l.value < most and (idle or name ~= "faults" or now == 0) then
				now = (factor[name] or 2) * now
				more[name], any = math.min(math.max(now, first_wider[name] or 1), most), true
			end
		end
	end
	return any and more or nil
end

-- Which limit bounds the elements NAME[i] of a sequence of inputs: its kind, and what it is called there.
local function of_sequence(name)
	for prefix, kind in pairs { ["^file%.(.*)"] = "file", ["^env%.(.*)"] = "env", ["^argv%[(%d+)%]"] = "arg" } do
		local of = name:match(prefix)
		if of then
			return kind, of
		end
	end
	if name == "stdin" then
		return "stdin", name
	end
	return "size", name:match("^[%a_][%w_]*") or name
end

-- By sequence of inputs how many bytes it has.
local function lengths(input)
	local of = {}
	for _, v in ipairs(input) do
		local name, index = v.name:match("^(.*)%[(%d+)%]$")
		local whole = v.name:match("^(.*)%.len$")
		if name and v.width % 8 == 0 then
			of[name] = math.max(of[name] or 0, (index + 1) * v.width // 8)
		elseif whole then
			of[whole] = math.max(of[whole] or 0, v.value)
		end
	end
	return of
end

-- The limits that an input { { name, value, width }, ... } is beyond, as { NAME = N }; nil: it is within
-- all, or, with true behind it, the user set one.
function limits.of_input(o, grow, input)
	local beyond, any = {}, nil
	for sequence, n in pairs(lengths(input)) do
		local kind, of = of_sequence(sequence)
		local _, _, name, first, most = core.limit(kind, of)
		if n > (grow[name] or first) and n <= most then
			if is_fixed(o, { kind = kind, name = of }) then
				return nil, true
			end
			beyond[name], any = math.max(beyond[name] or 0, n), true
		end
	end
	return any and beyond
end

-- The largest numbers that options may have: the runtime's capacity, and values at which runs would not end.
local most_of = { faults = 64, calls = 4096, objects = select(5, core.limit("objects", "")),
	pointer_depth = select(5, core.limit("depth", "")), args = select(5, core.limit("args", "")), jobs = 256 }

function limits.refuse(o)
	for option, most in pairs(most_of) do
		if (o[option] or 0) > most then
			return ("--%s: %d is too many: at most %d"):format((option:gsub("_", "-")), o[option], most)
		end
	end
end

function limits.setup(grow)
	local list = {}
	for name, value in pairs(grow) do
		list[#list + 1] = ("grow:%s=%d"):format(name, value)
	end
	table.sort(list)
	return list
end

return limits
