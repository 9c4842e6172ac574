-- Random mutations of inputs that covered something, as in grey-box fuzzers. Without solving, a run may
-- take paths that negating a single condition does not reach, such as another order of commands.
local core = require "duct.core"
local limits = require "duct.limits"
local literals = require "duct.literals"

local mutate = {}

-- The elements up to the length; those that the run did not read are 0.
local function all_of(s)
	local n, all = 0, {}
	for i in pairs(s) do
		n = math.type(i) and math.max(n, i) or n
	end
	n = s.length and math.min(s.length.value, 1 << 16) or n
	for i = 1, n do
		all[i] = s[i] or 0
	end
	return core.sequence(all)
end

-- Splits inputs into sequences X[0], X[1], ... with the name X, and the length if there is
-- an input X.len, and single variables.
local function split(list, session)
	local parts, sequence = {}, {}
	local function of(name, kind, width)
		local s = sequence[name]
		if not s then
			s = { name = name, kind = kind, width = width }
			sequence[name], parts[#parts + 1] = s, s
		end
		return s
	end
	for _, v in ipairs(list) do
		local name, index = v.name:match("^(.*)%[(%d+)%]$")
		local whole = v.name:match("^(.*)%.len$")
		whole = whole and limits.most(session.options, session.grow, whole) and whole
		if v.kind == "o" then
			goto continue                              -- a fact about the run, no input
		elseif name then
			of(name, v.kind, v.width)[index + 1] = v.value
		elseif whole then
			of(whole, "c", 8).length = v               -- a sequence of bytes: standard input or a file
		else
			parts[#parts + 1] = { name = v.name, kind = v.kind, width = v.width, single = true, v.value }
		end
		::continue::
	end
	for _, s in pairs(sequence) do
		s.all = all_of(s)
	end
	return parts, sequence
end

local function set(model, name, v, value)
	if v.width <= 64 then
		value = value & (v.width == 64 and -1 or (1 << v.width) - 1)
	end
	model:set(name, v.kind, v.width, value, value < 0 and v.width > 64 and -1 or 0)
end

local function put(model, s, all)
	model:put(s.name, s.kind, s.width, all)
	if s.length then
		set(model, s.length.name, s.length, all:count())
	end
end

-- By list of inputs, which are mutated many times: its parts, by name its sequences, and both as values of the space.
local known = setmetatable({}, { __mode = "k" })

local function parts_of(list, session)
	local of = known[list]
	if not of then
		of = {}
		of.parts, of.sequences = split(list, session)
		known[list] = of
	end
	return of
end

local function model_of(of, space)
	if of.space ~= space then
		of.space, of.model = space, space:model()
		for _, s in ipairs(of.parts) do
			if s.single then
				set(of.model, s.name, s, s[1])
			else
				put(of.model, s, s.all)
			end
		end
	end
	return of.model:copy()
end

-- A number of the program as text, at the begin or elsewhere, mostly with an end.
local function put_number(session, s, words, most)
	local random = session.random
	local word = literals.beside(random, words[random:below(#words) + 1])
	local from = random:below(2) == 0 and 0 or random:below(s.all:count() + 1)
	local ending = random:below(4) > 0 and (s.length and 10 or 0) or nil
	return s.all:written(from, word, ending, s.length and most or nil)
end

local function change_sequence(session, s, other, most)
	local random = session.random
	if s.width == 8 then
		local numbers = literals.of(session.flow)
		if numbers[1] and random:below(8) == 0 then
			return put_number(session, s, numbers, most)
		end
		local word = random:below(8) == 0 and literals.word(session)
		if word then
			return s.all:worded(random, word, s.length and most or nil)
		end
	end
	return s.all:mutated(random, other and other.all, s.kind, s.width, s.length and most or nil)
end

-- Inputs that covered something, or that went further in loops than others before.
local function either(session)
	local varied = session.varied
	return #varied > 0 and session.random:below(2) == 1 and varied or session.kept
end

local tries = 8
local usual = 4                    -- runs that take so many times the geometric mean are as welcome as others

-- By list: how many inputs it had, and the sum of the logarithms of what their runs cost.
local logs = setmetatable({}, { __mode = "k" })

local function mean_log(list)
	local of = logs[list] or { n = 0, sum = 0 }
	logs[list] = of
	while of.n < #list do
		of.n = of.n + 1
		of.sum = of.sum + math.log(list[of.n].cost or 1)
	end
	return of.sum / of.n
end

-- One of a list. An input whose run is much longer than is usual among them is chosen as much more rarely, since most
-- of what is made from it takes as long.
local function one_of(random, list)
	local most, best = usual * math.exp(mean_log(list)), nil
	for _ = 1, tries do
		local it = list[random:below(#list) + 1]
		local cost = it.cost or 1
		if cost <= most or random:below(1 << 20) < most / cost * (1 << 20) then
			return it
		end
		best = best and (best.cost or 1) <= cost and best or it
	end
	return best
end

-- An input made from one of a list (inputs of runs, as by trace:inputs; nil: those of the session) and pieces of
-- another.
function mutate.input(session, list)
	local random, kept = session.random, list or either(session)
	local of = parts_of(one_of(random, kept), session)
	local others = parts_of(kept[random:below(#kept) + 1], session).sequences
	local parts, model = of.parts, model_of(of, session.space)
	local chosen = random:below(math.max(#parts, 1)) + 1
	for i, s in ipairs(parts) do
		if i ~= chosen and random:below(4) ~= 0 then
			goto unchanged
		elseif s.single then
			set(model, s.name, s, random:value(s.kind, s.width))
		else
			local most = limits.most(session.options, session.grow, s.name)
			put(model, s, change_sequence(session, s, others[s.name], most))
		end
		::unchanged::
	end
	return model
end

return mutate
