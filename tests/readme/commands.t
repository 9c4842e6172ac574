#!/usr/bin/env lua5.4
-- Types the commands of README.md's ```sh blocks, block by block, in a folder that looks like
-- the source tree; all but those that set up, build or test the tree itself.
--[[
# limit: 300
]]
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local folder = tap.folder("tree")
-- Copies, never links: what the commands write must not reach the tree.
os.execute(("cp -a %s/share %s/ && mkdir %s/bin && printf '#!/bin/sh\nexec %s/bin/duct \"$@\"\n' >%s/bin/duct && chmod +x %s/bin/duct"):format(
	tap.quote(tap.root), tap.quote(folder), tap.quote(folder), tap.root, tap.quote(folder), tap.quote(folder)))

local function whole_tree(line)
	local target = line:match("^make%s+(%a*)")
	return line:find("^apt") or target and not line:find("%-C") and (target ~= "" and target or "all") or nil
end

local readme = tap.slurp(tap.root .. "/README.md")
local pipelines = 0
local n = 0
for block in readme:gmatch("\n```sh\n(.-)\n```") do
	local commands = {}
	for line in (block:gsub("\\\n", " ") .. "\n"):gmatch("([^\n]*)\n") do
		if not whole_tree(line) then commands[#commands + 1] = line end
	end
	local text = table.concat(commands, "\n")
	if text:find("%S") then
		n = n + 1
		if text:find("run%-trace") and text:find("solve") then pipelines = pipelines + 1 end
		tap.spit(folder .. "/block", "set -e\ncd " .. tap.quote(folder) .. "\n" .. text .. "\n")
		local status, out, err = tap.run("bash -o pipefail " .. tap.quote(folder .. "/block"))
		tap.ok(status == 0, ("block %d: %s"):format(n, text:match("[^\n]+")), ("status %d\n%s\n%s\n%s"):format(status,
			text, out, err))
		tap.ok(out ~= "" or err ~= "", ("block %d says something"):format(n))
	end
end
tap.ok(pipelines >= 1, "there is a pipeline from run-trace through solve")

-- The runs that it says flowtest takes.
local command, said = readme:match("\nbin/(duct flowtest [^\n]*)"), readme:match("64 pages take (%d+) runs")
local _, out = tap.run(("cd %s && %s"):format(tap.quote(folder), (command:gsub(" %-%- ", " --json --quiet -- "))))
tap.ok(said and out:match('"runs": (%d+)') == said, "flowtest takes as many runs as it says", out:match('"runs": %d+'))
tap.done()
