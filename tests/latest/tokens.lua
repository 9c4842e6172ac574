-- tokens: the two parsers of share/examples as subjects, and the sequences of token kinds of inputs for them.
local json, tap = require "json", require "tap"
local tokens = {}

local subjects = {
	calculator = { entry = "calculate", abstract = "lex", option = "OPS", text = function(bound) return 2 * bound + 4 end },
	pl0 = { entry = "parse", abstract = "lex,compare", option = "TOKENS", text = function(bound) return 10 * bound end },
}
local keywords = {}
for word in ("const var procedure call begin end if then while do odd"):gmatch("%a+") do keywords[word] = word end

-- The options of a session on a subject: its file, entry, inputs and bound; without strategy.
function tokens.options(which, bound, rest)
	local s = subjects[which]
	return ("%s/share/examples/%s.c --entry %s --string text=%d --calls 1 --json --quiet %s -- -D%s=%d"):format(tap.root, which, s.entry,
		s.text(bound), rest, s.option, bound)
end

function tokens.abstract(which)
	return "--abstract " .. subjects[which].abstract
end

-- Kinds of the tokens of a text, up to its NUL.
local function kinds(text)
	local list = {}
	text = text:match("^[^\0]*")
	while true do
		text = text:match("^[ \t\n]*(.*)")
		local token = text:match("^%l[%l%d]*") or text:match("^%d+") or text:match("^[:<>]=") or text:match("^.")
		if not token then return table.concat(list, " ") end
		text = text:sub(#token + 1)
		list[#list + 1] = token:match("^%d") and "n" or token:match("^%l") and (keywords[token] or "id") or token
	end
end

local function text_of(inputs)
	local bytes = {}
	for _, v in ipairs(json.decode(inputs)) do
		local i = v[1]:match("^text%[(%d+)%]$")
		if i then bytes[i + 1] = string.char(tonumber(v[4]:gsub("^0x", ""), 16)) end
	end
	for i = 1, 200 do bytes[i] = bytes[i] or "\0" end
	return table.concat(bytes)
end

-- The valid sequences of a store's tests, as a set, how many, and the run that found the last one. results: what the
-- parser returns for them (0); of: their kinds, by a text.
function tokens.valid(store, results, of)
	local found, n, last = {}, 0, 0
	local _, list = tap.run(("sqlite3 -separator ' ' %s \"select run, inputs from test where result in (%s) order by number\""):format(store,
		results or "0"))
	for run, inputs in list:gmatch("(%d+) ([^\n]+)") do
		local sequence = (of or kinds)(text_of(inputs))
		if not found[sequence] then
			found[sequence], n, last = true, n + 1, tonumber(run)
		end
	end
	return found, n, last
end

return tokens
