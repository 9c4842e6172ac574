-- literals: texts of the numbers that a program's conditions compare with, for inputs that the program reads numbers
-- from: a path condition tells little about a number such as 123.456 unless the text has its length. And texts that
-- functions of the C library which the program calls accept, or do not: a random text is hardly ever an address.
--   literals.of(flow)              a list of texts; no number of one character
--   literals.beside(random, text)  the text, or that of a number close to it
--   literals.whole(session)        -> { amounts: numbers that the program passes to libraries and stores, words: string
--                                  literals, short ones without blanks, as texts are compared with }
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
