#!/usr/bin/env lua5.4
-- Figures of Majumdar and Xu (FlowTest): blocks, and paths that are linear in the number of inputs; and what
-- sets of inputs that are kept for one run alone would miss.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

-- duct flowtest FILE OPTIONS [-- FLAGS]
local function session(file, options, flags)
	local command = ("duct flowtest %s --calls 1 --time 300 %s --json --quiet -- %s"):format(tap.quote(file), options, flags or "")
	local status, out, err = tap.run(command)
	if not tap.ok(status == 0, command, err) then
		return { blocks = {}, partition = { paths = { 0 }, merges = {} }, failures = {} }
	end
	return json.decode(out)
end

local function example(name) return tap.root .. "/share/examples/" .. name end

local function text(blocks)
	local list = {}
	for i, b in ipairs(blocks) do
		table.sort(b)
		list[i] = table.concat(b, " ")
	end
	table.sort(list)
	return table.concat(list, " | ")
end

-- Without whether parameters are NULL, an input that interferes with no other.
local function contents(blocks)
	local list = {}
	for _, b in ipairs(blocks) do
		list[#list + 1] = not (#b == 1 and b[1]:find "^%w+%?$") and b or nil
	end
	return list
end

local function most(list) return math.max(table.unpack(list)) end

-- test: n independent inputs.
for _, n in ipairs { 5, 64 } do
	local r = session(example("test_n.c"), "--entry test --len a=" .. n, "-DN=" .. n)
	tap.is(#contents(r.blocks), n, "test: " .. n .. " blocks")
	tap.ok(most(r.partition.paths) <= 2, "test: at most 2 paths a block", most(r.partition.paths))
	tap.is(#r.failures, 0, "test: no error")
	tap.is(r.partition.complete, true, "test: complete")
end

-- free: N pages.
local function free(n, flags)
	return session(example("page_free.c"), ("--entry page_free --len A=%d --len count=%d"):format(n, n),
		("-DN=%d %s"):format(n, flags or ""))
end

local paths = {}
for _, n in ipairs { 4, 32, 128 } do                -- tests/bench/flowtest has the paper's 512
	local r = free(n)
	local pages = {}
	for i = 0, n - 1 do pages[#pages + 1] = { ("A[%d]"):format(i), ("count[%d]"):format(i) } end
	tap.is(text(contents(r.blocks)), text(pages), "free: blocks of " .. n .. " pages")
	tap.is(#r.failures, 0, "free: no assertion is violated")
	tap.is(r.partition.complete, true, "free: complete")
	paths[n] = r.paths
	if n == 128 then
		local cpu = r.cpu.run + r.cpu.solve + r.cpu.strategy
		tap.ok(cpu < 5, "free: 128 pages in a few seconds", cpu)
		print(("# 128 pages: %d runs, %d paths, %.1f s of CPU, %.1f s"):format(r.runs, r.paths, cpu, r.seconds))
	end
end
tap.ok(paths[128] / 128 <= paths[4] / 4 and paths[32] / 32 <= paths[4] / 4,
	"free: paths are linear in the number of pages",
	("%d, %d, %d"):format(paths[4], paths[32], paths[128]))

local defect = free(16, "-DDEFECT=7")
tap.ok(#defect.failures == 1 and defect.failures[1].kind == "assert", "free: one planted defect is found",
	#defect.failures .. " failures")

-- An error that depends on both inputs, though no run writes y where b is asked for: from all values to start with.
local folder = tap.folder("implicit")
tap.spit(folder .. "/implicit.c", [[
#include <stdlib.h>
static int cell;
void local(int a, int b)
{
	int y = 1;
	if (a)
		y = 0;
	if (y == 1)
		if (b == 0)
			abort();
}
void memory(int a, int b)
{
	int *y = &cell;
	*y = 1;
	if (a)
		*y = 0;
	if (*y == 1)
		if (b == 0)
			abort();
}
]])
for _, entry in ipairs { "local", "memory" } do
	for start = 0, 3 do
		local r = session(folder .. "/implicit.c", ("--entry %s --fixed a=%d --fixed b=%d"):format(entry, start & 1,
			start >> 1))
		local name = ("%s, from a = %d and b = %d: "):format(entry, start & 1, start >> 1)
		tap.is(text(r.blocks), "a b", name .. "one block")
		tap.is(#r.failures, 1, name .. "the error is found")
		tap.is(tap.whole(r), true, name .. "exhausted")
	end
end

-- Given blocks: kept apart, each violation told; as a start.
tap.spit(folder .. "/blocks", "#blocks 1 test\nblock\t1\ninput\t1\ta\nblock\t2\ninput\t2\tb\nend\t4\n")
local status, out = tap.run(("duct flowtest %s/implicit.c --entry local --fixed b=1 --check-partition %s/blocks --json --quiet"):format(folder, folder))
local checked = json.decode(out)
tap.ok(status == 1 and #checked.partition.violations == 1 and checked.partition.violations[1].line == 9
	and #checked.blocks == 2
	and not checked.partition.complete, "a violation of a given partition", out)
tap.spit(folder .. "/one", "#blocks 1 test\nblock\t1\ninput\t1\ta\ninput\t1\tb\nend\t3\n")
status, out = tap.run(("duct flowtest %s/implicit.c --entry local --check-partition %s/one --quiet"):format(folder, folder))
tap.ok(status == 0 and out:find("blocks of inputs: 1, each explored to its end\n  a b: 3 paths\n", 1, true),
	"no violation", out)
local from = session(folder .. "/implicit.c", ("--entry local --blocks %s/one"):format(folder))
tap.ok(from.partition.explored == 1 and #from.partition.merges == 0 and tap.whole(from),
	"starts from a given partition")

-- One input guards many blocks (the paper's limits: `if (!PacketIsUDP(p)) return;`): it is shared by them, fixed to a
-- value that opens them, and no assertion is lost.
tap.spit(folder .. "/packet.c", [[
#include <stdlib.h>
static int hits;
void udp(unsigned char p[6])
{
	if (p[0] != 17)
		return;
	if (p[1] == 1) hits++;
	if (p[2] == 2) hits++;
	if (p[3] == 3) hits++;
	if (p[4] == 4) abort();
	if (p[5] == 5) hits++;
}
void versions(unsigned char v, int a, int b, int c)
{
	int most = 0;
	if (v == 4) most = 20;
	else if (v == 6) most = 40;
	if (a == most) hits++;
	if (b > most && v == 6) abort();
	if (c == most + 1) hits++;
}
void nested(int g, int h, int a, int b, int c, int d)
{
	if (g == 7) {
		if (h == 9) {
			if (a == 1) hits++;
			if (b == 2) abort();
		}
		if (c == 3) hits++;
	}
	if (d == 4) hits++;
}
void lazy(const unsigned char *p)
{
	if (p[0] >> 4 != 4 || p[9] != 17)
		return;
	if (p[1] == 1) hits++;
	if (p[2] == 2) abort();
	if (p[3] == 3) hits++;
}
void stops(int g, int a, int b)
{
	if (g != 7)
		exit(0);
	if (a == 1) hits++;
	if (b == 2) abort();
}
]])
local function guards(partition)
	local list = {}
	for i, g in ipairs(partition.guards) do
		local of = {}
		for k, block in ipairs(g.of) do of[k] = table.concat(block, " ") end
		table.sort(g.inputs)
		table.sort(of)
		list[i] = ("%s: %s"):format(table.concat(g.inputs, " "), table.concat(of, " "))
	end
	table.sort(list)
	return table.concat(list, ", ")
end
local fixed = { udp = "p[0]=17", versions = "v=6", nested = "g=7", stops = "g=7", lazy = "p[0]=17" }
for entry, want in pairs {
	udp = { "p[0] | p[1] | p[2] | p[3] | p[4] | p[5]", 13, "p[0]: p[1] p[2] p[3] p[4] p[5]" },
	versions = { "a | b v | c", 39, "b v: a c" }, nested = { "a | b | c | d | g | h", 14, "g: c h, h: a b" },
	stops = { "a | b | g", 6, "" },
	lazy = { "p[0] p[9] | p[1] | p[2] | p[3]", 12, "p[0] p[9]: p[1] p[2] p[3]" },   -- that runs meet later, not at first
} do
	for _, options in ipairs { "", "--fixed random", "--fixed " .. fixed[entry] } do
		local name = entry .. " " .. options .. ": "
		local r = session(folder .. "/packet.c", ("--entry %s %s %s"):format(entry, entry == "udp" and "--len p=6" or entry == "lazy" and "--len p=10" or "", options))
		tap.is(text(contents(r.blocks)), want[1], name .. "what is guarded is apart")
		tap.ok(r.partition.complete and r.branches.unknown == 0, name .. "complete")
		tap.is(#r.failures, 1, name .. "the assertion is violated")
		tap.ok(r.paths <= want[2], name .. "few paths", r.paths)
		tap.is(guards(r.partition), want[3], name .. "its guards are told")
	end
end

for _, options in ipairs { "--range p[0]=10..20", "--fixed p[0]=17 --range p[0]=10..20" } do
	local r = session(folder .. "/packet.c", "--entry udp --len p=6 " .. options)
	tap.ok(r.partition.complete and #r.failures == 1 and r.branches.unknown == 0 and r.paths <= 13, "udp " .. options, r.paths)
end

do
	local status, _, err = tap.run(("duct flowtest %s/packet.c --entry udp --len p=6 --fixed p[0]=3 --range p[0]=10..20 --quiet"):format(folder))
	tap.ok(status == 2 and err:find("excludes it", 1, true), "a fixed value outside its range is refused", err)
end

-- A given partition of what a guard is shared by holds; one that keeps inputs apart that guard each other does not.
local function check_given(entry, list)
	local lines = { "#blocks 1 test" }
	for i, input in ipairs(list) do
		lines[#lines + 1] = ("block\t%d\ninput\t%d\t%s"):format(i, i, input)
	end
	tap.spit(folder .. "/given", table.concat(lines, "\n") .. ("\nend\t%d\n"):format(2 * #list))
	local status, out = tap.run(("duct flowtest %s/packet.c --calls 1 --entry %s --check-partition %s/given --json --quiet")
		:format(folder, entry, folder))
	return status, json.decode(out)
end
local held, of_guard = check_given("nested", { "g", "h", "a", "b", "c", "d" })
tap.ok(held == 0 and of_guard.partition.complete and guards(of_guard.partition) == "g: c h, h: a b" and #of_guard.failures == 1,
	"a given partition may have guards: they are told")
local broken, of_two = check_given("versions", { "v", "a", "b", "c" })
tap.ok(broken == 1 and not of_two.partition.complete and #of_two.partition.violations > 0, "inputs that guard each other")

-- Combinations.
for _, c in ipairs { "concolic --partition", "dft --partition", "ippc --partition", "late-aliases --partition",
	"flowtest --search cpgs",
		"flowtest --search mix", "flowtest --search bfs --partial", "flowtest --fixed random" } do
	local strategy, rest = c:match("^(%S+) (.*)$")
	local ran, text_out, err = tap.run(("duct %s %s/implicit.c --calls 1 --entry memory --json --quiet %s"):format(strategy, folder, rest))
	local r = ran == 0 and json.decode(text_out)
	tap.ok(r and #r.blocks == 1 and #r.failures == 1 and (r.partition.complete or r.partition.doubt), c, err)
end
local ran, text_out, err = tap.run(("duct latest %s --entry test --len a=4 --partition --json --quiet -- -DN=4"):format(example("test_n.c")))
local late = ran == 0 and json.decode(text_out)
tap.ok(late and #contents(late.blocks) == 4 and not late.partition.complete
	and late.partition.doubt:find("abstract"), "latest --partition", err)

tap.done()
