#!/usr/bin/env lua5.4
-- What each test adds, a minimal subset, annotated sources and the page, of sessions that are made up.
-- limit: 300
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"

local made = 0

-- A store with tests that cover these branches and pairs: { { branch... }, { pair... } } each.
local function store(tests, branches, pairs, file)
	made = made + 1
	local path, sql = "s" .. made .. ".db", { tap.slurp(tap.root .. "/share/schema.sql"), "BEGIN;",
		"PRAGMA application_id = 1685414772; PRAGMA user_version = 8;",
		"INSERT INTO program VALUES (1, 'h', 'x.c'); INSERT INTO question VALUES (1, 'q', '');",
		"INSERT INTO function VALUES (1, 1, 'x.c', 'f', 'f', 'x.c', 1, 5, '');",
		"INSERT INTO session (id, program, question, strategy, search, entry, seed, plan, narrowing, started)"
		.. " VALUES (1, 1, 1, 'cover', '', 'main', '0', '', '', 1);",
		("INSERT INTO parameter VALUES (1, 'folder', 1, '%s');"):format(file and file:match("^(.*)/") or "/nowhere") }
	local name = file and file:match("[^/]+$") or "x.c"
	local function add(text, ...) sql[#sql + 1] = text:format(...) end
	local hit = { {}, {} }
	for _, t in ipairs(tests) do
		for kind = 1, 2 do for _, k in ipairs(t[kind]) do hit[kind][k] = (hit[kind][k] or 0) + 1 end end
	end
	for i = 1, branches do
		add("INSERT INTO branch VALUES (%d, 1, %d, '%s', NULL, 'x < %d', '%s', %d, 3, 'x.c', %d, %d);", i, (i + 1) // 2,
			i % 2 == 1 and "true" or "false", i, name, (i + 1) // 2, (i + 1) // 2, i - 1)
		add("INSERT INTO objective VALUES (1, %d, '%s', '%s', %d);", i, hit[1][i] and "covered" or "unknown",
			hit[1][i] and "suite: some" or "", hit[1][i] or 0)
	end
	for i = 1, pairs do
		add("INSERT INTO pair VALUES (%d, 1, 'default intra', '%016x', %d, 'v%d', 'c', '%s', %d, 1, '%s', %d, 2, '%d-%d');", i, i, i, i % 50,
			name, i % 900 + 1, name, i % 1000 + 1, i % 900 + 1, i % 900 + 3)
		add("INSERT INTO pair_objective VALUES (1, %d, '%s', '%s', %d);", i, hit[2][i] and "covered" or "unknown",
			hit[2][i] and "suite: some" or "", hit[2][i] or 0)
	end
	for i, t in ipairs(tests) do
		add("INSERT INTO test (id, session, number, run, origin, ending, line, status, signal, failure, fresh, output, inputs,"
			.. " pairs, branches) VALUES (%d, 1, %d, %d, 'suite', 'exit', 0, 0, 0, 0, 0, '', '[]', '[%s]', '[%s]');", i, i, i,
			table.concat(t[2], ","), table.concat(t[1], ","))
		add("INSERT INTO suite VALUES (%d, 'test <%d>', 1);", i, i)
	end
	sql[#sql + 1] = "COMMIT;"
	tap.spit("sql", table.concat(sql, "\n"))
	local status, _, err = tap.run(("rm -f %s && sqlite3 %s <sql"):format(path, path))
	if status ~= 0 then error(err) end
	return path
end

local function report(path, form) return select(2, tap.run(("duct report --store %s --%s"):format(path, form))) end

-- Fewest tests that cover what all do, by trying all subsets.
local function fewest(tests)
	local best, all = #tests, {}
	for i, t in ipairs(tests) do
		for kind = 1, 2 do for _, k in ipairs(t[kind]) do
			local e = kind .. "." .. k
			all[e] = (all[e] or 0) | 1 << i
		end end
	end
	for set = 0, (1 << #tests) - 1 do
		local n, whole = 0, true
		for i = 1, #tests do n = n + (set >> (i - 1) & 1) end
		if n < best then
			for _, holders in pairs(all) do whole = whole and holders & set << 1 ~= 0 end
			if whole then best = n end
		end
	end
	return next(all) and best or 0
end

math.randomseed(5)
local wrong = {}
for round = 1, 25 do
	local tests, elements = {}, math.random(1, 14)
	for i = 1, math.random(1, 10) do
		tests[i] = { {}, {} }
		for k = 1, elements do
			if math.random() < 0.3 then table.insert(tests[i][k % 2 + 1], (k + 1) // 2) end
		end
	end
	local path = store(tests, elements, elements)
	local out, covered, want = report(path, "minimal"), {}, {}
	local n, of, how = out:match("\n# (%d+) of (%d+) tests cover the same branches and pairs; ([^\n]+)\n")
	for number, name in out:gmatch("\n(%d+)\ttest <(%d+)>") do
		if number ~= name then wrong[#wrong + 1] = "name" end
		for kind = 1, 2 do for _, k in ipairs(tests[tonumber(number)][kind]) do covered[kind .. "." .. k] = true end end
	end
	for _, t in ipairs(tests) do for kind = 1, 2 do for _, k in ipairs(t[kind]) do want[kind .. "." .. k] = true end end end
	for e in pairs(want) do if not covered[e] then wrong[#wrong + 1] = round .. ": lost " .. e end end
	if tonumber(of) ~= #tests or how ~= "no fewer do" or tonumber(n) ~= fewest(tests) then
		wrong[#wrong + 1] = ("%d: %s, not %d of %d"):format(round, out, fewest(tests), #tests)
	end
end
tap.ok(#wrong == 0, "25 suites: as few tests as any subset needs, and nothing is lost", table.concat(wrong, "\n"))

local path = store({ { { 1, 2 }, { 1 } }, { { 2, 3 }, {} }, { { 2 }, { 1 } } }, 4, 2)
tap.is(report(path, "tests"), [[
#number	name	ending	branches	new	alone	pairs	new	alone
1	test <1>	exit	2	2	1	1	1	0
2	test <2>	exit	2	1	1	0	0	0
3	test <3>	exit	1	0	0	1	0	0
]], "what each test adds, and what it alone covers")

os.execute("mkdir -p src")
tap.spit("src/y.c", "one </script>\n\ttwo \xff\nthree\nfour")
path = store({ { { 1, 2, 3 }, {} } }, 6, 1, os.getenv("PWD") .. "/src/y.c")
tap.is(report(path, "annotate"), [[
==> y.c
+     1 | one </script>
~     2 | 	two ]] .. "\xff" .. [[

       |   ! 3: p:false of `x < 4` unknown: reached by 1 run, never taken; no proof was tried
       |   ! 2: v1 of y.c:2:1 c unknown
-     3 | three
       |   ! 3: p:true of `x < 5` unknown: its condition was never reached; no proof was tried
       |   ! 3: p:false of `x < 6` unknown: its condition was never reached; no proof was tried
      4 | four
]], "sources with what is not covered")

-- The page's data.
local function page(of)
	local status, _, err = tap.run(("duct report --store %s --html html"):format(of))
	local text = tap.slurp("html/index.html") or ""
	local data = text:match('<script type="application/json" id="data">\n(.-)\n</script>')
	local fine, d = pcall(json.decode, data or "")
	tap.ok(status == 0 and fine, "the page has its data", err .. tostring(d))
	return d, text
end
local d = page(path)
tap.ok(d.files[1][1] == "y.c" and d.files[1][2][1] == "one </script>" and d.files[1][2][2] == "\ttwo \u{ff}"
	and d.strings[d.branches[4][8] + 1]:find("never taken") and #d.tests == 1 and d.tests[1][6][2] == 3, "what it tells is right")

-- 20,000 pairs.
local many, lines = { {}, {} }, {}
for i = 1, 20000 do if i % 3 > 0 then table.insert(many[2], i) end end
for i = 1, 1000 do lines[i] = "\tline(" .. i .. ");" end
tap.spit("src/z.c", table.concat(lines, "\n") .. "\n")
path = store({ many, { { 1 }, { 3, 6 } } }, 2000, 20000, os.getenv("PWD") .. "/src/z.c")
local began = os.time()
d = page(path)
tap.ok(#d.pairs == 20000 and #tap.slurp("html/index.html") < 4000000 and os.time() - began < 20, "20,000 pairs")
tap.ok(select(2, report(path, "minimal"):gsub("\n", "")) == 4, "a minimal subset of 20,000 pairs")

-- A browser, where there is one: the page itself clicks through what a person would.
local browser = select(2, tap.run("command -v chromium-headless-shell || command -v chromium || command -v google-chrome")):match("%S+")
if browser then
	local _, text = page(path)
	tap.spit("html/click.html", (text:gsub("</html>%s*$", function() return [[
<script>
function check(what, good) { if (!good) { document.title = "WRONG " + what; throw what; } }
location.hash = "#pairs"; go();
check("rows", document.querySelectorAll("#list tbody tr").length == 200);
const started = performance.now();
const v = document.getElementById("filter-variable");
v.value = "v7"; v.dispatchEvent(new Event("input"));
let w = document.getElementById("filter-verdict");
w.value = "unknown"; w.dispatchEvent(new Event("change"));
check("20,000 pairs are filtered in two seconds", performance.now() - started < 2000);
const row = document.querySelector("#list tbody tr");
check("filter", [...document.querySelectorAll("#list tbody tr")].every(r => r.cells[1].textContent == "v7"
	&& r.cells[5].textContent == "unknown"));
row.click();
check("detail", document.getElementById("detail").textContent.includes("No test covers it"));
check("verdict and variable", /^v7$/m.test([...document.querySelectorAll("#detail dd")].map(d => d.textContent).join("\n"))
	&& !/object|null|undefined/.test(detail.textContent));
const lines = [...document.querySelectorAll("#detail pre")].pop().textContent.split("\n");
check("way", lines.length == 3 && lines.every(l => l.includes("line(")));
location.hash = document.getElementById("way").hash; go();
check("way in the source", document.querySelectorAll("tr.way").length == 3 && detail.textContent.includes("way on which"));
location.hash = "#pairs"; go();
w = document.getElementById("filter-verdict");
w.value = "covered"; w.dispatchEvent(new Event("change"));
document.querySelector("#list tbody tr").click();
check("covered", document.getElementById("detail").textContent.includes("test <1>"));
location.hash = "#tests"; go();
document.querySelector("#view tr.pick").click();
check("test", /^Test 1: /.test(detail.textContent) && detail.textContent.includes("Takes"));
location.hash = "#source/0/12"; go();
check("source", document.getElementById("L12").textContent.includes("line(12)"));
document.getElementById("L12").click();
check("line", document.querySelectorAll("#detail tr").length >= 20);
for (const tab of ["overview", "branches", "tests"]) { location.hash = "#" + tab; go(); check(tab, view.textContent.length > 20); }
document.title = "FINE";
</script></html>]] end)))
	local function look(how, what)
		return select(2, tap.run(("timeout 120 %s --headless --no-sandbox --disable-gpu %s 'file://%s/html/%s'"):format(browser, how,
			os.getenv("PWD"), what)))
	end
	local dom = look("--dump-dom", "click.html")
	tap.ok(dom:find("<title>FINE</title>"), "clicks in a browser", dom:match("<title>.-</title>"))
	look("--window-size=1200,800 --screenshot=shot.png", "index.html#pairs/7")
	local shot = tap.slurp("shot.png") or ""
	tap.ok(shot:sub(2, 4) == "PNG" and #shot > 30000, "a picture of the list and a pair", #shot .. " bytes")
else
	print("# no browser: clicks are not tried")
end
tap.done()
