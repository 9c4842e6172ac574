-- stretch: inputs with long texts, for programs that do something else when a buffer is full or a line is longer than
-- some number of characters. Solving adds a character or two each time and takes hundreds of runs to get there.
--   stretch.add(session)      when limits are about to be widened: keeps (session:await) inputs that covered something,
--                             with one of their texts filled up to a length that the program knows
--   stretch.pending(session)  are there lengths that were not tried yet?
local limits = require "duct.limits"
local literals = require "duct.literals"

local stretch = {}

local least, most = 12, 4096       -- lengths
local at_once = 6                  -- inputs that are added each time

local known = setmetatable({}, { __mode = "k" })

-- Sizes of the program's character arrays and numbers in its conditions, in ascending order.
local function lengths(flow)
	local list, seen = known[flow], {}
	if list then
		return list
	end
	list = {}
	local function add(n)
		if n and n >= least and n <= most and not seen[n] then
			seen[n], list[#list + 1] = true, n
		end
	end
	for unit = 0, flow:units() - 1 do
		for _, n in ipairs(flow:sizes(unit)) do
			add(n)
		end
	end
	for _, text in ipairs(literals.of(flow)) do
		add(math.tointeger(tonumber(text)))
	end
	table.sort(list)
	known[flow] = list
	return list
end

-- The texts of an input: by name their bytes, whether they have a length of their own, and what their inputs are like.
local function texts(list)
	local of, names = {}, {}
	for _, v in ipairs(list) do
		local name, index = v.name:match("^(.*)%[(%d+)%]$")
		local whole = v.name:match("^(.*)%.len$")
		if name and v.width == 8 or whole then
			name = name or whole
			if not of[name] then
				of[name], names[#names + 1] = {}, name
			end
			if whole then
				of[name].length = v
			else
				of[name].kind, of[name][index + 1] = v.kind, v.value
			end
		end
	end
	return of, names
end

-- The bytes of a text: up to its length, else up to its first NUL.
local function content(s)
	local bytes = {}
	for i = 1, s.length and math.min(s.length.value, most) or #s do
		if not s.length and (s[i] or 0) == 0 then
			break
		end
		bytes[i] = s[i] or 0
	end
	return bytes
end

-- Makes the line at a place n characters long, by repeating one of its characters.
local function fill(random, bytes, n)
	local at = random:below(#bytes + 1) + 1
	local from, to = at, at
	while from > 1 and bytes[from - 1] ~= 10 do
		from = from - 1
	end
	while to <= #bytes and bytes[to] ~= 10 do
		to = to + 1
	end
	local c = bytes[at]
	c = c and c ~= 10 and c ~= 0 and c or random:below(4) == 0 and bytes[from] or nil
	c = c and c ~= 10 and c ~= 0 and c or 97
	local more = n - (to - from)
	if more <= 0 then
		return false
	end
	table.move(bytes, at, #bytes, at + more)
	for i = at, at + more - 1 do
		bytes[i] = c
	end
	return true
end

local function stretched(list, name, s, bytes)
	local input = {}
	for _, v in ipairs(list) do
		if v.name:match("^(.*)%[%d+%]$") ~= name and v.name ~= name .. ".len" then
			input[#input + 1] = v
		end
	end
	for i, c in ipairs(bytes) do
		input[#input + 1] = { name = ("%s[%d]"):format(name, i - 1), kind = s.kind or "u", width = 8, value = c, high = 0 }
	end
	if s.length then
		local l = s.length
		input[#input + 1] = { name = l.name, kind = l.kind, width = l.width, value = #bytes, high = 0 }
	else
		input[#input + 1] = { name = ("%s[%d]"):format(name, #bytes), kind = s.kind or "u", width = 8, value = 0, high = 0 }
	end
	return input
end

-- For the time when limits are wider; also what is within them now, unless all paths within them were run.
local function keep(session, input)
	local _, fixed = limits.of_input(session.options, session.grow, input)
	if not fixed and not session:await(input) and session.space:pending() > 0 then
		session.awaited = session.awaited or { grow = {}, inputs = {} }
		table.insert(session.awaited.inputs, input)
	end
end

-- Beyond the length by as much as programs that count the line's end and the NUL, or that read a line in pieces.
local function beyond(random, n)
	local how = random:below(4)
	return how == 0 and 2 * n or n + how - 1
end

local function one(session, n)
	local random, good = session.random, session.good
	local list = good[random:below(#good) + 1]
	local of, names = texts(list)
	if #names == 0 then
		return
	end
	local name = names[random:below(#names) + 1]
	local s = of[name]
	local bytes = content(s)
	if fill(random, bytes, beyond(random, n)) then
		keep(session, stretched(list, name, s, bytes))
	end
end

function stretch.pending(session)
	return #session.good > 0 and (session.stretched or 0) < 2 * #lengths(session.flow)
end

function stretch.add(session)
	local all = lengths(session.flow)
	for _ = 1, at_once do
		if not stretch.pending(session) then
			return
		end
		session.stretched = (session.stretched or 0) + 1
		one(session, all[(session.stretched - 1) % #all + 1])
	end
end

return stretch
