-- literals: texts of the numbers that a program's conditions compare with, for inputs that the program reads numbers
-- from: a path condition tells little about a number such as 123.456 unless the text has its length. And texts that
-- functions of the C library which the program calls accept, or do not: a random text is hardly ever an address.
--   literals.of(flow)              a list of texts; no number of one character
--   literals.beside(random, text)  the text, or that of a number close to it
--   literals.whole(session)        -> { amounts: numbers that the program passes to libraries and stores, words: string
--                                  literals, short ones without blanks, as texts are compared with }
--   literals.word(session)         -> one of these words, mostly of a condition that still has an uncovered outcome;
--                                  nil: there are none
local core = require "duct.core"

local literals = {}

local longest = 24                 -- characters of a word

-- A number at this place of a condition's text: what a program reads it from, and where it ends.
local function number_at(text, at)
	for _, pattern in ipairs { "^(0[xX]%x+)()", "^(%d+%.?%d*[eE][-+]?%d+)()", "^(%d*%.?%d+)()", "^(%d+)%.()" } do
		local word, behind = text:match(pattern, at)
		if word then
			return word, behind
		end
	end
end

local function add_all(list, seen, text)
	local at = 1
	while at <= #text do
		local word, behind = number_at(text, at)
		local name = not word and text:match("^[%a_][%w_]*()", at)
		if word and #word > 1 and not seen[word] then
			seen[word] = true
			list[#list + 1] = word
		end
		at = word and text:match("^[%w_]*()", behind) or name or at + 1
	end
end

local addresses = { "10.0.0.1", "192.168.100.200", "fe80::1", "::" }
local accepted = {
	inet_pton = addresses, inet_aton = { "10.0.0.1", "192.168.100.200" }, inet_addr = { "10.0.0.1", "192.168.100.200" },
	regcomp = { "(a)", "[", "b" }, fnmatch = { "*", "?", "[" },
}

local known = setmetatable({}, { __mode = "k" })

function literals.of(flow)
	local list = known[flow]
	if not list then
		local seen = {}
		list = {}
		for unit = 0, flow:units() - 1 do
			for _, b in ipairs(flow:branches(unit)) do
				add_all(list, seen, b.text or "")
			end
		end
		for _, name in ipairs(flow:called()) do
			for _, text in ipairs(accepted[name] or {}) do
				list[#list + 1] = text
			end
		end
		known[flow] = list
	end
	return list
end

local function words_of(texts)
	local list, seen = {}, {}
	for _, text in ipairs(texts) do
		if #text > 1 and #text <= longest and not text:find("[%s%%]") and not seen[text] then
			seen[text], list[#list + 1] = true, text
		end
	end
	return list
end

local all = setmetatable({}, { __mode = "k" })

function literals.whole(session)
	local of = all[session.flow]
	if not of then
		local whole <close> = core.flow(session.options.program, "records")
		of = { amounts = whole:amounts(session.options.entry), words = words_of(whole:texts()) }
		all[session.flow] = of
	end
	return of
end

-- By objective, the words in the text of its condition.
local function words_of_objectives(session, words)
	local is_word, list = {}, {}
	for _, word in ipairs(words) do
		is_word[word] = true
	end
	for i = 1, session.store:objectives() do
		local o = session.store:objective(i)
		local condition = o.branch and session:condition(o.unit, o.branch)
		for word in (condition and condition.text or ""):gmatch('"(.-)"') do
			list[#list + 1] = is_word[word] and { i, word } or nil
		end
	end
	return list
end

local opened = setmetatable({}, { __mode = "k" })

-- The words of conditions with an uncovered outcome.
local function open_words(session, words)
	local of = opened[session] or { objectives = words_of_objectives(session, words) }
	opened[session] = of
	if of.news ~= session.news then
		of.news, of.words = session.news, {}
		for _, it in ipairs(of.objectives) do
			of.words[#of.words + 1] = select(3, session.store:wanted(it[1])) and it[2] or nil
		end
	end
	return of.words
end

function literals.word(session)
	local words, random = literals.whole(session).words, session.random
	local open = words[1] and random:below(4) > 0 and open_words(session, words)
	words = open and open[1] and open or words
	return words[1] and words[random:below(#words) + 1]
end

function literals.beside(random, text)
	local how = random:below(6)
	if how == 0 then
		text = text .. random:below(10)
	elseif how == 1 then
		text = text:sub(1, -2) .. random:below(10)
	end
	return random:below(3) == 0 and "-" .. text or text
end

return literals
