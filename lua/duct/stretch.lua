-- stretch: inputs with long texts, for programs that do something else when a buffer is full or a line is longer than
-- some number of characters. Solving adds a character or two each time and takes hundreds of runs to get there.
--   stretch.run(session, grow)  when limits are about to be widened to `grow`: runs inputs that covered something, with
--                               one of their texts filled up to a length that occurs in the program. Returns the limits
--                               that the successful ones need. Other results are forgotten, as such long paths are slow
--                               to search.
--   stretch.pending(session)    are there lengths that were not tried yet?
local core = require "duct.core"
local limits = require "duct.limits"
local literals = require "duct.literals"

local stretch = {}

local least, most = 12, 4096       -- lengths
local at_once = 48                 -- inputs that are tried each time
local share = 0.1                  -- of the time that is left
local amounts = 16                 -- numbers that the program passes or stores, at most

local known = setmetatable({}, { __mode = "k" })

-- Adds those of the numbers that are lengths and were not there, in ascending order; at most so many.
local function add(list, seen, numbers, at_most)
	local new = {}
	for _, n in ipairs(numbers) do
		if n and n >= least and n <= most and not seen[n] then
			seen[n], new[#new + 1] = true, n
		end
	end
	table.sort(new)
	table.move(new, 1, math.min(#new, at_most), #list + 1, list)
end

-- Sizes of the program's character arrays and numbers in its conditions; and, as a second list, as they are many, those
-- that it passes to functions of libraries, as in malloc(100), and stores.
local function lengths(session)
	local flow = session.flow
	local of = known[flow]
	if of then
		return of[1], of[2]
	end
	local seen, numbers = {}, {}
	for unit = 0, flow:units() - 1 do
		for _, n in ipairs(flow:sizes(unit)) do
			numbers[#numbers + 1] = n
		end
	end
	for _, text in ipairs(literals.of(flow)) do
		numbers[#numbers + 1] = math.tointeger(tonumber(text))
	end
	of = { {}, {} }
	add(of[1], seen, numbers, #numbers)
	local whole <close> = core.flow(session.options.program, "records")
	add(of[2], seen, whole:amounts(session.options.entry), amounts)
	known[flow] = of
	return of[1], of[2]
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

-- The bytes of a text: up to its length, NULs replaced, as they would end a string; else up to its first NUL.
local function content(s)
	local bytes = {}
	for i = 1, s.length and math.min(s.length.value, most) or #s do
		if not s.length and (s[i] or 0) == 0 then
			break
		end
		bytes[i] = (s[i] or 0) ~= 0 and s[i] or 97
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

-- How many characters the line has: as many as the number, fewer by those that end a line and a text, one more, or more
-- than twice as many, for programs that read long lines in pieces.
local variants = {
	function(n) return n end, function(n) return 2 * n + 1 end, function(n) return n - 2 end, function(n) return n - 1 end,
	function(n) return n + 1 end,
}

-- The names of the texts that inputs which covered something have, sorted.
local function all_names(session)
	local seen, all = {}, {}
	for _, list in ipairs(session.good) do
		for _, name in ipairs(select(2, texts(list))) do
			if not seen[name] then
				seen[name], all[#all + 1] = true, name
			end
		end
	end
	table.sort(all)
	return all
end

-- One of the inputs that have this text, and its texts; nil: chance found none.
local function one_with(session, name)
	for _ = 1, 16 do
		local list = session.good[session.random:below(#session.good) + 1]
		local of = texts(list)
		if of[name] then
			return list, of
		end
	end
end

local function count(session, names)
	local all, passed = lengths(session)
	return #variants * #names * (#all + #passed)
end

-- The input number k to try: each text, of each length, in each variant; then the same with the second list of lengths.
-- nil: it would be no longer than it is.
local function input_of(session, k, names)
	local all, passed = lengths(session)
	local first = #variants * #names * #all
	if k >= first then
		k, all = k - first, passed
	end
	local name, rest = names[k % #names + 1], k // #names
	local length = variants[rest // #all + 1](all[rest % #all + 1])
	local list, of = one_with(session, name)
	local bytes = list and content(of[name])
	if not bytes or not fill(session.random, bytes, length) then
		return nil
	end
	if of[name].length and length < all[rest % #all + 1] then
		bytes[#bytes + 1] = 10                        -- with the line's end it fills a buffer
	end
	return stretched(list, name, of[name], bytes)
end

function stretch.pending(session)
	return #session.good > 0 and (session.stretched or 0) < count(session, all_names(session))
end

local function wider(grow, beyond)
	local more = {}
	for name, value in pairs(grow) do
		more[name] = value
	end
	for name, value in pairs(beyond or {}) do
		more[name] = math.max(more[name] or 0, value)
	end
	return more
end

-- At most so many inputs: { input, the limits that it is beyond }.
local function inputs_to_try(session, grow)
	local list, names, k = {}, all_names(session), session.stretched or 0
	for i = k, math.min(k + at_once, count(session, names)) - 1 do
		local input = input_of(session, i, names)
		local beyond, fixed = nil, nil
		if input then
			beyond, fixed = limits.of_input(session.options, grow, input)
		end
		if input and not fixed then
			list[#list + 1] = { input, beyond }
		end
	end
	session.stretched = k + at_once
	return list
end

function stretch.run(session, grow)
	local list, most_of = inputs_to_try(session, grow), grow
	if #list == 0 then
		return grow
	end
	for _, it in ipairs(list) do
		most_of = wider(most_of, it[2])
	end
	session:fresh()
	session.grow = most_of
	session:reopen(session.setup)
	local now = core.now()
	local till = now + share * ((session.deadline or now + 60) - now)
	for _, it in ipairs(list) do
		local before = session.news
		if session:over() or core.now() >= till then
			break
		end
		session:run(session:model_of(it[1]), nil, "replay")
		grow = session.news > before and wider(grow, it[2]) or grow
	end
	return grow
end

return stretch
