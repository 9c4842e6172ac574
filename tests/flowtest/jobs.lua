-- With --jobs flowtest ends with the blocks, the paths of each, and the verdicts that it ends with alone: on generated
-- programs, one result a seed.
--   lua5.4 jobs.lua FIRST LAST
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"

-- Blocks with their paths, whether they are complete, and verdicts of branches, as a text.
local function outcome(command, store)
	local main, flags = (command .. " -- "):match("^(.-) %-%- (.*)$")
	local status, out, err = tap.run(("%s --json --quiet --store %s -- %s"):format(main, store, flags:gsub(" %-%- $", "")))
	if status ~= 0 then return nil, command .. ": " .. err end
	local r, lines = json.decode(out), {}
	for i, block in ipairs(r.blocks) do
		table.sort(block)
		lines[i] = ("%s: %d"):format(table.concat(block, " "), r.partition.paths[i])
	end
	for line in select(2, tap.run(("duct report --store %s --branches"):format(store))):gmatch("[^\n]+") do
		lines[#lines + 1] = line:match("^(.*)\t[^\t]*$")
	end
	table.sort(lines)
	table.insert(lines, 1, r.partition.complete and "complete" or "not complete")
	return table.concat(lines, "\n"), r
end

local helped = 0

local function compare(name, command)
	local dir = tap.folder(name)
	local alone, why = outcome(command, dir .. "/alone")
	local crew, r = outcome(command:gsub("duct flowtest", "duct flowtest --jobs 3"), dir .. "/crew")
	tap.ok(alone and alone == crew, "flowtest --jobs 3: " .. name,
		("%s\n--- with --jobs\n%s"):format(alone or why, crew or r))
	helped = helped + (crew and r.partition.helped or 0)
	return crew and r
end

for seed = tonumber(arg[1]), tonumber(arg[2]) do
	local file = tap.folder("programs") .. ("/p%d.c"):format(seed)
	tap.run(("lua5.4 %s/tests/flowtest/program.lua %d >%s"):format(tap.root, seed, file))
	compare("seed" .. seed, ("duct flowtest %s --entry test --calls 1 --check none --keep all --time 20%s"):format(file,
		seed % 2 == 1 and " --len in=4" or ""))
end
-- A guarded block is explored with its guard's values in each process; the order of the answers is not determined.
local packet = tap.folder("programs") .. "/packet.c"
tap.spit(packet, [[
int parse(unsigned char version, unsigned char a, unsigned char b, unsigned char c, unsigned char d, unsigned char e)
{
	int r = 0;
	if (version != 17)
		return 0;
	if (a == 1) r |= 1;
	if (b == 2) r |= 2;
	if (c == 3) r |= 4;
	if (d == 4) r |= 8;
	if (e == 5) r |= 16;
	return r;
}
]])
for i = 1, 4 do
	compare("packet" .. i, ("duct flowtest %s --entry parse --calls 1"):format(packet))
end
local r = compare("pages", ("duct flowtest %s/share/examples/page_free.c --entry page_free --len A=24 --len count=24 "
	.. "--calls 1 -- -DN=24"):format(tap.root))
tap.ok(r and #r.blocks == 26 and table.concat(r.options, " "):find("jobs=3", 1, true),
	"the options of a session tell --jobs", r and #r.blocks)
tap.ok(helped > 0, "helpers explore blocks", helped)
tap.done()
