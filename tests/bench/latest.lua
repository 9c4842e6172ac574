-- latest.lua SECONDS: sessions of latest, of the search dfs and of the default search, SECONDS each: valid sequences of
-- token kinds of the two parsers (of all there are), runs until the last one was found, CPU, branches. Where the paper has
-- as many tokens of PL/0, latest has 20 times as long, and half of the paper's runs. Then programs without calls, where
-- latest must not cost more than 1.3 times a path and twice in all.
package.path = ("%s/tests/lib/?.lua;%s/tests/latest/?.lua;"):format(os.getenv("ROOT"), os.getenv("ROOT")) .. package.path
local json, tap, cost = require "json", require "tap", require "cost"
local grammars, tokens = require "grammars", require "tokens"
local seconds = assert(tonumber(arg[1]), "usage: latest.lua SECONDS")

local function session(words)
	local status, out, err = tap.run("duct " .. words)
	if status ~= 0 then error(err, 0) end
	local r = json.decode(out)
	r.all = r.cpu.run + r.cpu.solve + r.cpu.strategy
	return r
end

local strategies = { { "latest", "latest" }, { "dfs", "concolic", "--search dfs" }, { "default", "concolic" } }

-- Runs for each valid sequence that the paper reports (Tables 2 and 3).
local paper = { calculator = { 34, 64, 96, 155 }, pl0 = { [7] = 995, [8] = 1123 } }

local function row(which, bound, s, count)
	local store = ("%s/%s%d.%s"):format(tap.scratch, which, bound, s[1])
	local limit = s[1] == "latest" and paper[which][bound]
	local long = limit and which == "pl0"
	local r = session(("%s %s"):format(s[2], tokens.options(which, bound, ("%s --keep all --store %s --time %g %s"):format(
		s[1] == "latest" and tokens.abstract(which) or s[3] or "", store, long and 20 * seconds or seconds,
		long and ("--runs %d"):format(limit * count // 2) or ""))))
	local _, n, last = tokens.valid(store)
	local spent = r.exhausted and r.runs or last
	os.remove(store)
	print(("%-10s %5d  %-7s %6d of %4d %8d %9s %6s %8.2f %4d of %3d  %s"):format(which, bound, s[1], n, count, spent,
		n > 0 and ("%.1f"):format(spent / n) or "-", limit or "-", r.all,
		r.branches.covered, r.branches.total, r.ended))
end

print("subject    bound  search   valid sequences     runs runs each  paper    CPU s     branches  ended")
for _, subject in ipairs { { "calculator", 1, 2, 3, 4 }, { "pl0", 1, 2, 3, 4, 7, 8 } } do
	for i = 2, #subject do
		local _, count = grammars[subject[1]](subject[i])
		for _, s in ipairs(strategies) do row(subject[1], subject[i], s, count) end
	end
end

-- Kinds of tokens of dash's arithmetic.
local function dash(text)
	local list = {}
	text = text:match("^[^\0]*")
	while true do
		text = text:match("^[ \t\n]*(.*)")
		local token = text:match("^%d+") or text:match("^[%a_][%w_]*") or text:match("^<<=") or text:match("^>>=") or text:match("^&&")
			or text:match("^||") or text:match("^<<") or text:match("^>>") or text:match("^[-+*/%%&|^<>=!]=") or text:match("^.")
		if not token then return table.concat(list, " ") end
		text = text:sub(#token + 1)
		list[#list + 1] = token:match("^%d") and "n" or token:match("^[%a_]") and "id" or token
	end
end

local work = os.getenv "WORK"
for _, s in ipairs(work and strategies or {}) do
	local store = ("%s/dash.%s"):format(tap.scratch, s[1])
	local r = session(("%s %s/tests/bench/dash.c %s/arith/arith_yacc.c %s/arith/arith_yylex.c --entry evaluate --string text=6 --json --quiet --keep all %s --store %s --runs 4000 --time %g -- -D_GNU_SOURCE -I%s/arith -include %s/tests/bench/dash.h")
		:format(s[2], tap.root, work, work, s[1] == "latest" and "--abstract yylex" or s[3] or "", store, seconds, work, tap.root))
	local _, n = tokens.valid(store, "0, 1", dash)
	os.remove(store)
	print(("%-10s %5d  %-7s %6d         %8d %9.1f %8.2f %4d of %3d  %s"):format("dash", 6, s[1], n, r.runs, r.runs / math.max(n, 1), r.all,
		r.branches.covered, r.branches.total, r.ended))
end

for _, p in ipairs {
	{ "bsort.c", "--entry bsort --len a=6 -- -DN=6" }, { "independent.c", "--entry independent --len a=9 -- -DN=9" },
	{ "sqrt.c", "--entry int_sqrt -- -DLIMIT=400" }, { "triangle.c", "--entry triangle" }, { "gcd.c", "--entry euclid" },
} do
	cost.compare("latest", "concolic", p)
end
tap.done()
