#!/usr/bin/env lua5.4
-- waits
-- The page: its data, that it needs nothing else, and a click through each feature where there is a browser.
-- limit: 600
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"
local store = require "madeup"

-- The page's data, and its text.
-- Makes a page and returns its data, its text, and the CPU seconds that it took.
local function page(options, folder)
	local status, _, err = tap.run(("duct report %s --html %s --force; s=$?; times >times; exit $s"):format(options, folder))
	local seconds = 0
	for minutes, rest in (tap.slurp "times" or ""):match("\n(.*)"):gmatch "(%d+)m([%d.]+)s" do
		seconds = seconds + 60 * tonumber(minutes) + tonumber(rest)
	end
	local text = tap.slurp(folder .. "/index.html") or ""
	local data = text:match('<script type="application/json" id="data">\n(.-)\n</script>')
	local fine, d = pcall(json.decode, data or "")
	tap.ok(status == 0 and fine, "a page has its data", err .. tostring(d))
	return d, text, seconds
end

-- Names that come from programs stay text.
os.execute("mkdir -p src")
tap.spit("src/y.c", 'one </script><b class="evil">\n\ttwo \xff <img src=x onerror="window.evil=1">\nthree\nfour')
local strange = store({ { { 1, 2, 3 }, {} } }, 6, 1, os.getenv("PWD") .. "/src/y.c")
local d, text = page(strange, "strange")
tap.ok(d.files[1][1] == "y.c" and d.files[1][2][1] == 'one </script><b class="evil">'
	and d.files[1][2][2]:find("\ttwo \u{ff}", 1, true)
	and d.strings[d.branches[4][8] + 1]:find("never taken") and #d.tests == 1 and d.tests[1][6][2] == 3,
		"what it tells is right")
tap.is(select(2, text:gsub("</script>", "")), 2, "a text does not end a script")
tap.ok(not text:find("@[%w.]+@\n") and not text:find("<script[^>]* src") and not text:find("<link")
	and not text:gsub("url%(#", ""):find("url%(")
	and not text:find("@import") and not text:gsub('"http://www.w3.org/2000/svg"', ""):find("https?://"),
		"it asks for nothing from outside")

-- A session: lines, control flow, tests in C.
tap.spit("page.c", tap.slurp(tap.root .. "/tests/report/src/page.c"))
tap.run("duct dft page.c --entry weigh --prove --runs 60 --seed 1 --quiet --store p.db --distinct all >log 2>&1")
d = page("p.db", "real")
tap.ok(#d.functions == 3 and d.strings[d.functions[3][1] + 1] == "weigh" and #d.files[1][3] > 20,
	"functions and lines that have code")
local sound, of, blocks = true, {}, 0
for _, g in ipairs(d.graphs) do
	blocks = blocks + #g[2]
	for i = 2, #g[5], 2 do of[g[5][i]] = true end           -- that choose a value
	for i = 3, #g[3], 3 do
		of[g[3][i]] = true
		sound = sound and g[3][i - 2] < #g[2] and g[3][i - 1] < #g[2]
	end
end
of[-1] = nil
local edges = 0
for _ in pairs(of) do edges = edges + 1 end
tap.ok(sound and #d.graphs == 3 and blocks > 16 and edges == #d.branches, "control flow with all outcomes",
	edges .. " of " .. #d.branches)
local whole = true
for _, t in ipairs(d.tests) do whole = whole and t[12] and t[12]:find("static void duct_test_", 1, true) end
tap.ok(#d.tests > 3 and whole, "each test in C")
local verdicts = {}
-- The page's pairs as it reads them: runs of pairs of one state.
local function pairs_of(data)
	local list, def, use = {}, 0, 0
	for _, run in ipairs(data.pairs.list) do
		for k = 2, #run, 2 do
			def, use = def + run[k], use + run[k + 1]
			list[#list + 1] = { def = data.pairs.defs[def + 1], use = data.pairs.uses[use + 1], state = data.pairs.states[run[1] + 1] }
		end
	end
	return list
end
local listed, told = {}, {}
for _, p in ipairs(pairs_of(d)) do
	verdicts[p.state[1]] = (verdicts[p.state[1]] or 0) + 1
	listed[#listed + 1] = ("%s\t%s:%d:%d\t%s:%d:%d"):format(d.strings[p.def[2] + 1], d.files[p.def[3] + 1][1], p.def[4], p.def[5],
		d.files[p.use[1] + 1][1], p.use[2], p.use[3])
end
local table_of = select(2, tap.run("duct report p.db --pairs"))
for line in table_of:gmatch("[^\n]+") do
	if line:sub(1, 1) ~= "#" then told[#told + 1] = line:match("^[^\t]*\t([^\t]*\t[^\t]*\t[^\t]*)") end
end
tap.is(table.concat(listed, "\n"), table.concat(told, "\n"), "each pair has the places that the table has, in its order")
for k, name in ipairs { "unknown", "covered", "infeasible" } do
	local n = select(2, table_of:gsub("\t" .. name .. "\t", ""))
	tap.is(verdicts[k - 1] or 0, n, ("as many pairs are %s as the table says"):format(name))
end

-- LATEST: a tree of calls.
tap.run("duct latest " .. tap.root .. "/share/examples/calculator.c --entry calculate --string text=2 --runs 200 --quiet --store l.db >log 2>&1")
d = page("l.db", "latest")
local function walk(list, depth, found)
	for _, n in ipairs(list) do
		found[n.name] = math.max(found[n.name] or 0, depth)
		found.runs = (found.runs or 0) + (n.name == "lex" and depth == 1 and n.executed + n.abstract or 0)
		walk(n.calls, depth + 1, found)
	end
	return found
end
local met = walk(d.extra.calls.tree, 1, {})
tap.ok(met.sum == 1 and met.product == 2 and met.is_space >= 2 and met.runs >= d.session.runs * 0.9, "which calls runs executed")

tap.run("duct flowtest " .. tap.root .. "/share/examples/page_free.c --entry page_free --len A=4 --len count=4 --calls 1 --quiet"
	.. " --store f.db -- -DN=4 >log 2>&1")
d = page("f.db", "blocks")
local twos = 0
for _, block in ipairs(d.extra.blocks) do twos = twos + (#block == 2 and 1 or 0) end
tap.is(twos, 4, "blocks of inputs")

-- Of all sessions: each test's C comes from its own.
tap.run("duct concolic page.c --entry weigh --runs 5 --seed 2 --len n=3 --quiet --store both.db --range 'n=1..2' >log 2>&1;"
	.. " duct concolic page.c --entry weigh --runs 5 --seed 2 --quiet --store both.db >log 2>&1")
d = page("both.db --all", "both")
whole = #d.tests > 1
for _, t in ipairs(d.tests) do whole = whole and type(t[12]) == "string" and t[12]:find("weigh(n, kind)", 1, true) end
tap.ok(whole, "of several sessions, too", #d.tests .. " tests")

-- Of a suite, whose names of files are relative to where it was recorded.
tap.spit("main.c", "int weigh(int, int);\nint main(void) { return weigh(3, 7) != 0 ? 0 : 1; }\n")
tap.spit("most.h", "#define MOST 100000\n#define OVER(x) ((x) > MOST ? 1 : 0)\n")
tap.run("mkdir -p suite/sub && cp most.h suite && { echo '#include \"../most.h\"'; cat page.c; echo 'int over(int x) { return OVER(x); }'; }"
	.. " >suite/sub/page.c && cp main.c suite && cd suite && duct cc --pairs -o t sub/page.c main.c >log 2>&1"
	.. " && duct cover --quiet --store s.db -- ./t >log 2>&1")
d = page("suite/s.db", "suite/html")
tap.ok(#d.graphs == 5 and #d.tests == 1, "control flow of a suite's programs", #d.graphs .. " functions")

-- A source that has changed since: no control flow is better than a wrong one.
os.execute("mkdir -p changed && cp page.c changed && cd changed && duct dft page.c --entry weigh --runs 5 --quiet --store c.db >log 2>&1"
	.. " && sed -i 's/i > 3/i >  3 \\&\\& n/' page.c")
d = page("changed/c.db", "changed/html")
whole = #d.graphs == 2
for _, g in ipairs(d.graphs) do whole = whole and d.strings[d.functions[g[1] + 1][1] + 1] ~= "weigh" end
tap.ok(whole, "the control flow of another text is not shown, that of functions that are the same is")

-- 20,000 pairs and 20,000 tests.
local many, lines = {}, {}
for t = 1, 20000 do many[t] = { { t % 2000 + 1 }, t % 3 > 0 and { t } or {} } end
for i = 1, 1000 do lines[i] = "\tline(" .. i .. ");" end
tap.spit("src/z.c", table.concat(lines, "\n") .. "\n")
local large = store(many, 2000, 20000, os.getenv("PWD") .. "/src/z.c")
local seconds
d, text, seconds = page(large, "many")
tap.ok(#pairs_of(d) == 20000 and #d.tests == 20000 and #text < 5000000 and seconds > 0 and seconds < 30,
	"20,000 pairs and tests", ("%d bytes, %.1f CPU seconds"):format(#text, seconds))

-- A browser: the page clicks through itself what a person would.
local browser = select(2, tap.run("command -v chromium-headless-shell || command -v chromium || command -v google-chrome")):match("%S+")
local function dom(file, size, how)
	return select(2, tap.run(("timeout 150 %s --headless --no-sandbox --disable-gpu --user-data-dir=%s/profile --window-size=%s %s"
		.. " --dump-dom 'file://%s/%s'"):format(browser, os.getenv("PWD"), size, how, os.getenv("PWD"), file)))
end
local function clicks(folder, trials, size)
	local name = folder .. "/clicks.html"
	tap.spit(name, (tap.slurp(folder .. "/index.html"):gsub("</body>%s*</html>%s*$", function()
		return ('<script>\nconst WANTED = "%s";\n%s</script></body></html>'):format(trials,
			tap.slurp(tap.root .. "/tests/report/clicks.js"))
	end)))
	local result = dom(name, size, "--virtual-time-budget=60000"):match('data%-trials="([^"]*)"') or "nothing came of it"
	tap.ok(result:find("^FINE"), ("%s at %s: %s"):format(folder, size:gsub(",", " x "), trials), result)
end
-- How long the page takes until it shows something, in real time; the least of six tries.
local function opening(folder)
	local name, least = folder .. "/timed.html", math.huge
	tap.spit(name, (tap.slurp(folder .. "/index.html"):gsub("</body>%s*</html>%s*$", "<script>document.body.offsetHeight;"
		.. " document.documentElement.dataset.opened = performance.now();</script></body></html>")))
	for _ = 1, 6 do
		least = math.min(least, tonumber(dom(name, "1400,900", ""):match('data%-opened="([%d.]+)"')) or math.huge)
		if least < 1000 then break end
	end
	return least
end
if browser then
	clicks("real", "start unrun gutter ruler covered ways infeasible unknown texts arcs lists search tests tree graph overview keys broken", "1400,900")
	clicks("real", "narrow", "400,850")
	clicks("latest", "calls", "1400,900")
	clicks("blocks", "blocks", "1400,900")
	clicks("strange", "strange", "1400,900")
	clicks("suite/html", "files", "1400,900")
	page(store({ { { 1 }, {} } }, 4, 2), "away")
	clicks("away", "missing", "1400,900")
	page(store({ { {}, {} } }, 0, 0), "none")
	clicks("none", "missing", "1400,900")
	clicks("many", "many", "1400,900")
	local small, took = opening("strange"), opening("many")
	-- a machine with other work is slower for both
	tap.ok(took < 1000 + 2 * small, ("20,000 pairs and tests open in %.0f ms, a page with nearly none in %.0f"):format(took, small))
else
	tap.ok(true, "clicks in a browser # SKIP there is no chromium")
end
tap.done()
