#!/usr/bin/env lua5.4
-- --jobs: several processes find what one finds, and what is killed or interrupted keeps what it had.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local folder = tap.folder("jobs")
local examples = tap.root .. "/share/examples/"
local bsort = examples .. "bsort.c --entry bsort --len a=%d --quiet --json -- -DN=%d"

local function duct(words, size)
	local keep = words:find("--keep", 1, true) and " " or " --keep all "
	local status, out, err = tap.run("duct " .. words .. keep .. bsort:format(size, size))
	local fine, r = pcall(json.decode, out)
	return fine and r or { branches = {}, pairs = {} }, status, err
end

-- Objectives with their verdicts, and paths as sets of inputs' order.
local function verdicts(store)
	local lines = {}
	for _, kind in ipairs { "branches", "pairs" } do
		for line in select(2, tap.run(("duct report --%s --store %s"):format(kind, store))):gmatch("[^\n]+") do
			lines[#lines + 1] = line:match("^(.*)\t[^\t]*$")
		end
	end
	table.sort(lines)
	return table.concat(lines, "\n")
end

local one, three = folder .. "/one.db", folder .. "/three.db"
local a = duct("dft --prove --store " .. one, 5)
local b, status, err = duct("dft --prove --jobs 3 --store " .. three, 5)
tap.ok(status == 0 and tap.whole(a) and tap.whole(b) and a.paths == 120 and b.paths == 120 and b.tests == 120,
	"all paths, each once", ("%s paths, %s tests %s"):format(b.paths, b.tests, err))
tap.ok(b.pairs.infeasible == 7 and b.pairs.unknown == 0 and verdicts(one) == verdicts(three),
	"the same verdicts", verdicts(three))
tap.is(select(2, tap.run(("sqlite3 %s \"SELECT count(*) FROM objective WHERE kind = 'pair' AND evidence = 'exhaustion' AND session < "
	.. "(SELECT max(id) FROM session)\""):format(three))), "0\n", "that a share ran all its paths proves nothing")
local sound = select(2, tap.run(("sqlite3 %s 'PRAGMA integrity_check; PRAGMA foreign_key_check'"):format(three)))
tap.is(sound, "ok\n", "a sound store")
local _
status, _, err = tap.run(("duct prove --check %s"):format(three))
tap.ok(status == 0, "its proofs check", err)
b = duct("dft --prove --jobs 2 --resume --store " .. three, 5)
tap.ok(b.paths == 120 and b.tests == 120 and b.kept > 0 and b.pairs.infeasible == 7,
	"resumed with another number: the same", b.paths)
b = duct("concolic --jobs 4", 1)
tap.ok(tap.whole(b) and b.paths == a.paths - 119 and b.tests == 1, "one path is not shared out", b.paths)
b = duct("concolic --jobs 2 --runs 101 --keep new", 6)
tap.ok(b.runs == 101 and b.ended == "runs" and not b.exhausted, "--runs is for all together", b.runs)

local _, told = tap.run(("duct concolic --jobs 2 %spower.c --entry power --runs 20 --quiet"):format(examples))
tap.ok(told:find("branches: ", 1, true) and not told:find("page: ", 1, true), "no page of a store that is gone", told)

-- Nearly all paths lie behind one branch, which one share has: the other one takes over some of them.
local skewed = folder .. "/skewed.c"
tap.spit(skewed, [[
int f(int k, const int *a)
{
	volatile int work = 0;
	int n = 0;
	for (int i = 1; i < 40; i++)
		if (k == i && i != 27)
			return i;
	if (k != 27)
		return 0;
	for (int i = 0; i < 200000; i++)
		work = work + 1;
	for (int i = 0; i < 7; i++)
		if (a[i] > 5)
			n++;
	if (n == 8)
		return -1;
	return n;
}
]])
local function skew(words, store)
	local _, out, err = tap.run(("duct %s %s --entry f --len a=7 --keep all --quiet --json --store %s"):format(words, skewed, store))
	local fine, r = pcall(json.decode, out)
	return fine and r or { branches = {} }, err
end
local function figure(name, how)
	return tonumber((select(2, tap.run(("sqlite3 %s/both.db \"SELECT %s(value) FROM figure WHERE name = '%s' AND session <"
		.. " (SELECT max(id) FROM session)\""):format(folder, how, name)))))
end
for _, strategy in ipairs { "dft", "concolic" } do
	tap.run(("rm -f %s/alone.db* %s/both.db*"):format(folder, folder))
	local alone = skew(strategy, folder .. "/alone.db")
	local both, why = skew(strategy .. " --jobs 2", folder .. "/both.db")
	tap.ok(tap.whole(alone) and tap.whole(both) and alone.paths == 167 and both.paths == 167 and both.tests == 167
		and both.branches.infeasible > 0, strategy .. ": one share has nearly all paths, each is run once",
		("%s, %s tests %s"):format(both.paths, both.tests, why))
	tap.is(verdicts(folder .. "/both.db"), verdicts(folder .. "/alone.db"), strategy .. ": with the same verdicts")
	tap.ok(figure("given", "sum") > 0 and figure("given", "sum") == figure("adopted", "sum"),
		strategy .. ": what is given is taken",
		figure("given", "sum"))
	tap.ok(figure("runs", "min") > 45, strategy .. ": the other share has its part of the work", figure("runs", "min"))
end
for _, change in ipairs { "UPDATE figure SET value = value - 1 WHERE name = 'adopted' AND value > 0",
	"UPDATE figure SET value = value + 1 WHERE name = 'tree' AND session = 1" } do
	tap.run(("cp %s/both.db %s/lost.db && sqlite3 %s/lost.db \"%s\""):format(folder, folder, folder, change))
	tap.run(("duct farm --merge %s/joined.db %s/lost.db"):format(folder, folder))
	tap.is(select(2, tap.run(("sqlite3 %s/joined.db 'SELECT exhausted FROM session ORDER BY id DESC LIMIT 1'; duct report --branches"
		.. " --store %s/joined.db | grep -c infeasible; rm -f %s/joined.db"):format(folder, folder, folder))), "0\n0\n",
		"a part that nobody ran proves nothing")
end

-- Shares of random testing draw inputs of their own.
local drawn = folder .. "/drawn.db"
local _, json_text = tap.run(("duct random %s --entry f --len a=7 --jobs 2 --runs 61 --keep all --quiet --json --store %s"):format(
	skewed, drawn))
local same = select(2, tap.run(("sqlite3 %s \"SELECT count(*) FROM test AS a JOIN test AS b USING (inputs) WHERE a.session = 1"
	.. " AND b.session = 2\""):format(drawn)))
tap.ok(json.decode(json_text).runs == 61 and tonumber(same) < 8, "random: the shares differ, and divide the runs", same)

-- Shares of their own, joined as one.
local far, n = folder .. "/far.db", 0
for share = 1, 2 do
	b = duct(("concolic --share %d/2 --store %s"):format(share, far), 5)
	n = n + b.paths
	tap.ok(not b.exhausted and b.branches.covered == 8, "a share alone has not run all paths", b.ended)
end
tap.ok(n > 120 and n < 240, "it has run some of them", n)

-- Killed or interrupted, as shell: pid is that of duct, and WAIT waits until all that it began has ended.
local long = folder .. "/long.c"
tap.spit(long, "int f(int *a) { int n = 0; for (int i = 0; i < 60; i++) if (a[i] > 5) n++; return n; }\n")
local function session(store, kill)
	return tap.run(([[
		duct concolic %s --entry f --len a=60 --jobs 2 --time 20 --search dfs --store %s --quiet >%s.out &
		pid=$!
		until [ "$(sqlite3 %s 'SELECT count(*) FROM figure WHERE name = "runs" AND value > 100' 2>&1)" = 2 ]; do sleep 0.05; done
		session=$(tr -d ' ' </proc/$pid/task/$pid/children)
		workers=$(cat /proc/$session/task/$session/children)
		%s
		wait $pid
		status=$?
		for w in $workers; do while [ -d /proc/$w ]; do sleep 0.05; done; done
		cat %s.out
		exit $status]]):format(long, store, store, store, kill, store))
end
local function ask(store, sql)
	return (select(2, tap.run(("sqlite3 %s '%s'"):format(store, sql))))
end
local store = folder .. "/killed.db"
status = session(store, "kill -9 $pid")
tap.ok(status == 137 and ask(store, "SELECT ended, count(*) FROM session GROUP BY 1") == "interrupted|2\n",
	"killed: the others end with what they have", ask(store, "SELECT ended FROM session"))
local runs = tonumber(ask(store, "SELECT count(*) FROM execution"))
tap.ok(runs > 200 and ask(store, "PRAGMA integrity_check") == "ok\n", "it is kept", runs)
local out
status, out = session(folder .. "/int.db", "kill -INT $pid")
tap.ok(status == 130 and out:find("ended: interrupted", 1, true), "Ctrl-C: a report of what there is", out)
status, out, err = session(folder .. "/one_killed.db", "set -- $workers; kill -9 $2; sleep 0.2; kill -INT $pid")
tap.ok(status == 130 and out:find("ended: 1 of 2 shares did not end", 1, true)
	and err:find("share 2/2 ended with status 137", 1, true),
	"one is killed: that is said", out .. err)

-- Shares of latest make each some of the abstract paths real: together they decide what one process decides.
for _, subject in ipairs { "program1.c --entry program1 --string p=9 --string q=9 --distinct all --calls 1",
	"global_foo.c --entry test --calls 1" } do
	local alone, by_two = folder .. "/alone.db", folder .. "/by_two.db"
	for path, more in pairs { [alone] = "", [by_two] = "--jobs 2" } do
		tap.run(("rm -f %s; duct latest %s%s --keep all --quiet --store %s %s"):format(path, examples, subject, path, more))
	end
	tap.ok(verdicts(alone) == verdicts(by_two) and verdicts(alone):find("covered") and not verdicts(alone):find("unknown"),
		"latest: " .. subject, verdicts(by_two))
	tap.is(ask(by_two, "SELECT value FROM figure WHERE name = \"paths\" ORDER BY session DESC LIMIT 1"),
		ask(alone, "SELECT value FROM figure WHERE name = \"paths\""), "latest: the same paths")
end

for words, message in pairs {
	["dft %s --entry bsort --abstract all --jobs 2"] = "--jobs: the paths of --abstract are not shared out",
	["flowtest %s --entry bsort --share 1/2"] = "--share: the paths of blocks of inputs are not shared out",
	["latest %s --entry bsort --partition --jobs 2"] = "--jobs: the paths of latest with blocks of inputs are not shared out: runs with abstract calls cannot be repeated",
	["dft %s --entry bsort --one-pair --share 1/2"] = "--share: the paths of --one-pair are not shared out",
	["concolic %s --entry bsort --share 3/2"] = "--share: `3/2` is no share: 1/4 is the first of four",
	["concolic %s --entry bsort --share 1/2 --jobs 2"] = "--jobs and --share: only one of them can be given",
} do
	status, _, err = tap.run("duct " .. words:format(examples .. "bsort.c"))
	tap.ok(status == 2 and err:find(message, 1, true), message, err)
end
tap.done()
