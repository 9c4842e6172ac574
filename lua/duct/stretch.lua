-- stretch: inputs with long texts, for programs that do something else when a buffer is full or a line is longer than
-- some number of characters. Solving adds a character or two each time and takes hundreds of runs to get there.
-- And inputs with many elements or pieces of a text, for programs that count what they read.
--   stretch.run(session, grow)  when limits are about to be widened to `grow`: runs inputs that covered something with
--                               one of their sequences filled up to a length that the program knows, or with so many
--                               copies of a piece. Paths that long are slow to search, and are forgotten; what covered
--                               something is kept for a time when limits allow it.
--   stretch.pending(session)    are there lengths that were not tried yet?
local core = require "duct.core"
local limits = require "duct.limits"
local literals = require "duct.literals"

local stretch = {}

local least, most = 12, 4096       -- lengths
local longest = 1 << 13            -- values of a sequence
local rounds = 8                   -- with each length
local at_once = 96                 -- inputs that are tried each time; half of them where the user limits runs
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
	add(of[2], seen, literals.whole(session).amounts, amounts)
	known[flow] = of
	return of[1], of[2]
end

-- The sequences of an input: by name their elements, whether they have a length of their own, and what their inputs are
-- like; and their names.
local function sequences(list)
	local of, names = {}, {}
	for _, v in ipairs(list) do
		local name, index = v.name:match("^(.*)%[(%d+)%]$")
		local whole = v.name:match("^(.*)%.len$")
		if name and v.width % 8 == 0 and v.width <= 64 or whole then
			name = name or whole
			if not of[name] then
				of[name], names[#names + 1] = { width = 8 }, name
			end
			if whole then
				of[name].length = v
			else
				of[name].kind, of[name].width, of[name][index + 1] = v.kind, v.width, v.value
			end
		end
	end
	return of, names
end

-- The bytes of a text: up to its length, NULs replaced, as they would end a string; else up to its first NUL. Numbers:
-- all of them.
local function content(s)
	local values, text = {}, s.width == 8
	for i = 1, s.length and math.min(s.length.value, most) or #s do
		if text and not s.length and (s[i] or 0) == 0 then
			break
		end
		values[i] = (s[i] or 0) ~= 0 and s[i] or text and 97 or 0
	end
	return values
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

-- A piece of a text: from behind a separator, one of those that it has, to the next one, which is added at the end of a
-- text. Of numbers: one of them.
local function piece(random, values, text)
	if #values == 0 or not text then
		local at = random:below(math.max(#values, 1)) + 1
		return at, at, { values[at] or text and 10 or 0 }
	end
	local at, separator = random:below(#values) + 1, 10
	for _ = 1, 8 do
		local c = values[random:below(#values) + 1]
		if c == 10 or c == 32 or c == 44 or c == 59 then        -- a line's end, a blank, `,` or `;`
			separator = c
			break
		end
	end
	local from, to = at, at
	while from > 1 and values[from - 1] ~= separator do
		from = from - 1
	end
	while to < #values and values[to] ~= separator do
		to = to + 1
	end
	local of = table.move(values, from, to, 1, {})
	of[#of + 1] = of[#of] ~= separator and separator or nil
	return from, to, of
end

-- n copies of a piece, for programs that count what they read: in its place, or alone.
local function copies(random, values, n, text, alone)
	local from, to, of = piece(random, values, text)
	if n * #of > longest then
		return false
	end
	local rest = table.move(values, to + 1, #values, 1, {})
	for i = alone and 1 or from, #values do
		values[i] = nil
	end
	for _ = 1, n do
		table.move(of, 1, #of, #values + 1, values)
	end
	if not alone then
		table.move(rest, 1, #rest, #values + 1, values)
	end
	return true
end

-- Is another input a number that said how many numbers there were?
local function is_count(v, s, before)
	return s.width ~= 8 and before > 0 and v.value == before and v.kind ~= "o" and v.kind ~= "n"
end

-- The input with the values in the sequence.
local function stretched(list, name, s, values)
	local input, before = {}, #content(s)
	for _, v in ipairs(list) do
		if v.name:match("^(.*)%[%d+%]$") ~= name and v.name ~= name .. ".len" then
			input[#input + 1] = is_count(v, s, before) and { name = v.name, kind = v.kind, width = v.width, value = #values,
				high = 0 } or v
		end
	end
	local function put(i, value)
		input[#input + 1] = { name = ("%s[%d]"):format(name, i), kind = s.kind or "u", width = s.width, value = value,
			high = 0 }
	end
	for i, value in ipairs(values) do
		put(i - 1, value)
	end
	if s.length then
		local l = s.length
		input[#input + 1] = { name = l.name, kind = l.kind, width = l.width, value = #values, high = 0 }
	elseif s.width == 8 then
		put(#values, 0)
	end
	return input
end

-- How many characters the line has: as many as the number, fewer by those that end a line and a text, one more, or more
-- than twice as many, for programs that read long lines in pieces. How many copies of a piece there are.
local function line(more, times)
	return function(random, values, n, text)
		return text and fill(random, values, (times or 1) * n + more) and (times or 1) * n + more
	end
end

local function pieces(more, alone)
	return function(random, values, n, text)
		return copies(random, values, n + more, text, alone) and math.huge
	end
end

local variants = {
	line(0), line(1, 2), pieces(0, true), line(-2), pieces(1, false), line(-1), pieces(0, false), line(1),
}

-- The names of the sequences that inputs which covered something have, sorted.
local function all_names(session)
	local seen, all = {}, {}
	for _, list in ipairs(session.good) do
		for _, name in ipairs(select(2, sequences(list))) do
			if not seen[name] then
				seen[name], all[#all + 1] = true, name
			end
		end
	end
	table.sort(all)
	return all
end

-- One of the inputs that have this sequence, and its sequences; nil: chance found none.
local function one_with(session, name)
	for _ = 1, 16 do
		local list = session.good[session.random:below(#session.good) + 1]
		local of = sequences(list)
		if of[name] then
			return list, of
		end
	end
end

local function count(session, names)
	local all, passed = lengths(session)
	return #variants * #names * (#all + #passed)
end

-- The input number k to try: each sequence, with each length, in each variant; then the same with the second list of
-- lengths. nil: it would be no longer than it is.
local function input_of(session, k, names)
	local all, passed = lengths(session)
	local first = #variants * #names * #all
	k = k % count(session, names)
	if k >= first then
		k, all = k - first, passed
	end
	local name, rest = names[k % #names + 1], k // #names
	local list, of = one_with(session, name)
	if not list then
		return nil
	end
	local s, n = of[name], all[rest % #all + 1]
	local values = content(s)
	local length = variants[rest // #all + 1](session.random, values, n, s.width == 8)
	if not length then
		return nil
	end
	if s.length and length < n then
		values[#values + 1] = 10                      -- with the line's end it fills a buffer
	end
	return stretched(list, name, s, values)
end

function stretch.pending(session)
	return #session.good > 0 and (session.stretched or 0) < rounds * count(session, all_names(session))
end

-- At most so many inputs: { input, the limits that it is beyond }.
local function inputs_to_try(session, grow)
	local list, names, k = {}, all_names(session), session.stretched or 0
	local n = session.last_run and at_once // 2 or at_once
	for i = k, math.min(k + n, rounds * count(session, names)) - 1 do
		local input = input_of(session, i, names)
		local beyond, fixed = nil, nil
		if input then
			beyond, fixed = limits.of_input(session.options, grow, input)
		end
		if input and not fixed then
			list[#list + 1] = { input, beyond }
		end
	end
	session.stretched = k + n
	return list
end

function stretch.run(session, grow)
	local list, most_of = inputs_to_try(session, grow), grow
	if #list == 0 then
		return
	end
	for _, it in ipairs(list) do
		most_of = limits.join(most_of, it[2])
	end
	session:fresh()
	session.grow = most_of
	session:reopen(session.setup)
	local now = core.now()
	local till = now + share * ((session.deadline or now + 60) - now)
	for _, it in ipairs(list) do
		if session:over() or core.now() >= till then
			break
		end
		local before, input = #session.good, session:model_of(it[1])
		if session.blocks or not session:look(input) then
			session:run(input, nil, "replay")
		end
		for i = before + 1, #session.good do
			session.good[i].beyond = it[2]
		end
	end
end

return stretch
