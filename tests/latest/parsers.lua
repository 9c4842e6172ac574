-- LATEST on the two parsers: all valid sequences of token kinds within a bound are found, in fewer runs each than the
-- paper needs.
--   lua5.4 parsers.lua calculator|pl0 BOUND [MOST-RUNS-EACH] [PATHS]
-- MOST-RUNS-EACH may be `-`. PATHS: so many does the parser have.
package.path = ("%s/tests/lib/?.lua;%s/tests/latest/?.lua;"):format(os.getenv("ROOT"), os.getenv("ROOT")) .. package.path
local json, tap, grammars, tokens = require "json", require "tap", require "grammars", require "tokens"
local which, bound, most, paths = arg[1], math.tointeger(arg[2]), tonumber(arg[3]), math.tointeger(arg[4])

local store = tap.scratch .. "/store"
local status, out, err = tap.run("duct latest --keep all " .. tokens.options(which, bound,
	("%s --store %s --time 3600"):format(tokens.abstract(which), store)))
tap.ok(status == 0, "a session", err)
local r = json.decode(out)
tap.is(tap.whole(r), true, "exhausted")
local valid, count = grammars[which](bound)
local found, n = tokens.valid(store)
for sequence in pairs(found) do
	tap.ok(valid[sequence], "a valid one is one of the grammar: " .. sequence)
end
for sequence in pairs(valid) do
	if not found[sequence] then tap.ok(false, "not found: " .. sequence) end
end
tap.is(n, count, "all that are valid")
print(("# %s %d: %d valid, %d runs, %.1f each, %.1f s"):format(which, bound, count, r.runs, r.runs / math.max(count, 1), r.seconds))
-- what is asked of callers (the text is not NULL) ends a path of its own
if paths then tap.is(r.paths, paths + math.min(#r.needs, 1), "all paths of the parser") end
if most then tap.ok(r.runs <= most * count, ("at most %g runs each"):format(most), r.runs / count) end
tap.done()
