-- The table of proofs: pairs decided (infeasible, or with a run to try) and the CPU seconds of prove and what it starts.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local tables = require "tables"

local counters = {
	["i == n"] = "int f(int n){int i=0,r=0;if(n<0)return 0;while(i!=n)i++;if(i!=n)r=1;if(i<0)r=2;return r;}",
	["nested"] = "int f(int n,int m){int c=0,r=0;for(int i=0;i<n;i++)for(int j=0;j<m;j++)c=1;if(n<=0&&c)r=1;if(m<=0&&c)r=2;return r;}",
	["by 3"] = "unsigned f(unsigned n){unsigned i=0,r=0;while(i<3000&&i<n)i+=3;if(i%3)r=1;if(i>3000)r=2;return r;}",
	["x + y < n"] = "int f(int n){int x=0,y=0,r=0;if(n>1000||n<0)return 0;while(x+y<n)if(x<y)x++;else y++;if(x+y>n)r=1;if(x>y)r=2;return r;}",
}
local machine = "lua5.4 " .. tap.root .. "/tests/bench/machine.lua "
local rows = {
	{ "machine, one loop", machine .. "11 loop >b.c", "machine", 30 }, { "machine, loop-free", machine .. "55 once >b.c", "machine", 2 },
}
for _, name in ipairs { "i == n", "nested", "by 3", "x + y < n" } do
	rows[#rows + 1] = { name, ("echo %s >b.c"):format(tap.quote(counters[name])), "f", 1 }
end

print(("%-20s %6s %10s %6s %8s %8s  %s"):format("proofs", "pairs", "infeasible", "to try", "CPU s", "ms/pair", "goal"))
local failed = false
local function setup(row, thin)
	tap.run(("cd %s && %s && duct cfg-dump b.c >b.flow && defuse -e %s b.flow%s >b.p && cutpoints -f b.flow b.p >b.g"):format(
		tap.scratch, row[2], row[3], thin or ""))
end
local function measure(limits)
	local _, out, err = tap.run(("cd %s && ./measure prove %s -f b.flow b.g"):format(tap.scratch, limits or "-t 120"))
	local wall, cpu, size = err:match("measure ([%d.]+) ([%d.]+) (%d+)")
	local n, infeasible, runs = 0, 0, 0
	for r in tables.records(out) do
		if r[1] == "verdict" then
			n = n + 1
			infeasible = infeasible + (r[5] == "infeasible" and 1 or 0)
			runs = runs + (r[6]:find("a run to try") and 1 or 0)
		end
	end
	return tonumber(cpu), n, infeasible, runs, tonumber(wall), tonumber(size) * 1024
end
for _, row in ipairs(rows) do
	setup(row)
	local cpu, n, infeasible, runs = measure()
	local met = cpu <= row[4] and infeasible + runs == n and n > 0
	failed = failed or not met
	print(("%-20s %6d %10d %6d %8.2f %8.2f  %s"):format(row[1], n, infeasible, runs, cpu, cpu * 1000 / n,
		met and ("under %g s"):format(row[4]) or ("SHORT of %g s, %d undecided"):format(row[4], n - infeasible - runs)))
end

-- All share a model: of the machine with one loop every 20th pair, every 5th, every 2nd, and all.
local before, falls = math.huge, {}
for _, each in ipairs { 20, 5, 2, 1 } do
	setup(rows[1], (" | awk -F'\\t' -v OFS='\\t' '$1 == \"pair\" { if (++n %% %d) next; $2 = ++id } "):format(each)
		.. "$1 == \"end\" { $2 = m } !/^#/ && $1 != \"end\" { m++ } { print }'")
	local cpu, n = measure()
	falls[#falls + 1] = ("%d: %.1f%s"):format(n, cpu * 1000 / n, cpu / n < before and "" or " RISES")
	failed = failed or cpu / n >= before
	before = cpu / n
end
print("ms a pair, as pairs of one model grow: " .. table.concat(falls, ", "))

-- Limits hold to within a tenth, and what is decided before is kept: of a model that is too large for them.
setup { nil, machine:gsub("machine.lua.*", "chain.lua 11 >b.c"), "f" }
for _, limit in ipairs { "-t 1", "-t 3", "-t 10", "-t 60 -m 150000000", "-t 60 -m 400000000" } do
	local _, n, infeasible, runs, wall, size = measure(limit)
	local time, memory = tonumber(limit:match("-t (%d+)")), tonumber(limit:match("-m (%d+)") or math.huge)
	local met = wall <= 1.1 * time and size <= 1.1 * memory and n > 0 and infeasible + runs > 0
	failed = failed or not met
	print(("limits %-20s %6.2f s, %5.0f MB, %d of %d decided%s"):format(limit, wall, size / 1e6, infeasible + runs, n,
		met and "" or "  SHORT"))
end
os.exit(failed and 1 or 0)
