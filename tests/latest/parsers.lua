-- LATEST on the two parsers: all valid sequences of token kinds within a bound are found, in fewer runs each than the
-- paper needs.
--   lua5.4 parsers.lua calculator|pl0 BOUND [MOST-RUNS-EACH]
package.path = ("%s/tests/lib/?.lua;%s/tests/latest/?.lua;"):format(os.getenv("ROOT"), os.getenv("ROOT")) .. package.path
local json, tap, grammars = require "json", require "tap", require "grammars"
local which, bound, most = arg[1], math.tointeger(arg[2]), tonumber(arg[3])

local subjects = {
	calculator = { entry = "calculate", abstract = "lex", option = "OPS", text = 2 * bound + 4 },
	pl0 = { entry = "parse", abstract = "lex,compare", option = "TOKENS", text = 10 * bound },
}
local keywords = {}
for word in ("const var procedure call begin end if then while do odd"):gmatch("%a+") do keywords[word] = word end

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

local s = subjects[which]
local store = tap.scratch .. "/store"
local status, out, err = tap.run(("duct latest %s/share/examples/%s.c --entry %s --abstract %s --string text=%d --store %s --json --quiet --time 3600 -- -D%s=%d")
	:format(tap.root, which, s.entry, s.abstract, s.text, store, s.option, bound))
tap.ok(status == 0, "a session", err)
local r = json.decode(out)
tap.is(r.exhausted, true, "exhausted")
local valid, count = grammars[which](bound)
local found, n = {}, 0
local _, list = tap.run(("sqlite3 -separator ' ' %s \"select inputs from test where result = 0 order by number\""):format(store))
for inputs in list:gmatch("[^\n]+") do
	local sequence = kinds(text_of(inputs))
	if not found[sequence] then
		found[sequence], n = true, n + 1
		tap.ok(valid[sequence], "a valid one is one of the grammar: " .. sequence)
	end
end
for sequence in pairs(valid) do
	if not found[sequence] then tap.ok(false, "not found: " .. sequence) end
end
tap.is(n, count, "all that are valid")
print(("# %s %d: %d valid, %d runs, %.1f each, %.1f s"):format(which, bound, count, r.runs, r.runs / count, r.seconds))
tap.ok(r.runs <= most * count, ("at most %g runs each"):format(most), r.runs / count)
tap.done()
