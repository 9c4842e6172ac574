-- decide.lua [KIND [SEED]...]: sessions of `duct dft --prove` on generated programs (tests/bench/decide/generate.lua): for
-- each subject its pairs, how many were covered, infeasible, unknown and why, wall seconds, and the memory of the largest
-- process. DECIDE: seconds a subject (60). Fails where 1 % of all pairs stay open, a state machine takes more than 10 s or a
-- subject more than 1 GiB. Of all kinds, the table is kept in tests/bench/last-decide.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"
local seconds = tonumber(os.getenv "DECIDE" or "60")
local kinds = { { "machine", 10 }, { "driver", 5 }, { "algorithm", 10 }, { "text", 5 } }

local function subjects()
	local list = {}
	for _, k in ipairs(kinds) do
		for seed = 1, #arg > 1 and arg[1] == k[1] and 0 or (not arg[1] or arg[1] == k[1]) and k[2] or 0 do
			list[#list + 1] = { k[1], seed }
		end
	end
	for i = 2, #arg do
		list[#list + 1] = { arg[1], tonumber(arg[i]) }
	end
	return list
end

-- Why a pair is open, without what names places and numbers.
local function cause(evidence)
	if evidence:find "^limits" then return "limits" end
	local proof = evidence:match "; (prove: .*)$" or evidence:match "^prove: .*$" or evidence
	proof = proof:gsub("; no path within.*", ""):gsub("%d+ steps?.*", "N steps"):gsub("[%w_/.]+:%d+:%d+", "PLACE")
	return proof:gsub("^budget over: ", ""):gsub("passed %d+ of %d+ cut points.*", "not reached"):sub(1, 60)
end

local function measure(kind, seed)
	local name = ("%s/decide-%s%d"):format(tap.scratch, kind, seed)
	tap.run(("lua5.4 %s/tests/bench/decide/generate.lua %s %d >%s.c"):format(tap.root, kind, seed, name))
	local status, out, err = tap.run(("%s/measure duct dft %s.c --prove -t %g --json --quiet --store %s.db -- -w"):format(tap.scratch, name,
		seconds, name))
	if status ~= 0 then error(("%s %d: status %d: %s"):format(kind, seed, status, err), 0) end
	local r, causes, list = json.decode(out), {}, {}
	local wall, cpu, size = err:match("measure ([%d.]+) ([%d.]+) (%d+)")
	local _, pairs_text = tap.run(("duct report --store %s.db --pairs"):format(name))
	for line in pairs_text:gmatch("[^\n]+") do
		local verdict, evidence = line:match("\t(unknown)\t(.*)$")
		if verdict then
			local c = cause(evidence)
			causes[c] = (causes[c] or 0) + 1
		end
	end
	for c, n in pairs(causes) do list[#list + 1] = ("%d %s"):format(n, c) end
	table.sort(list)
	os.remove(name .. ".db")
	return { pairs = r.pairs, wall = tonumber(wall), cpu = tonumber(cpu), size = tonumber(size) / 1024, why = list }
end

local kept = { os.date "# %d %B %Y, " .. seconds .. " s a subject" }
local function say(text)
	print(text)
	io.stdout:flush()
	kept[#kept + 1] = text
end
say(("%-14s %6s %7s %10s %7s %7s %7s %6s  %s"):format("decide", "pairs", "covered", "infeasible", "unknown", "s", "CPU s", "MB", "unknown because"))
local total, open, complete, slow, large, n = 0, 0, 0, 0, 0, 0
for _, s in ipairs(subjects()) do
	local r = measure(s[1], s[2])
	n, total, open = n + 1, total + r.pairs.total, open + r.pairs.unknown
	complete = complete + (r.pairs.unknown == 0 and 1 or 0)
	slow = slow + (s[1] == "machine" and (r.pairs.unknown > 0 or r.wall > 10) and 1 or 0)
	large = large + (r.size > 1024 and 1 or 0)
	say(("%-14s %6d %7d %10d %7d %7.1f %7.1f %6.0f  %s"):format(s[1] .. " " .. s[2], r.pairs.total, r.pairs.covered, r.pairs.infeasible,
		r.pairs.unknown, r.wall, r.cpu, r.size, table.concat(r.why, "; ")))
end
say(("%d subjects, %d pairs, %.2f %% decided, %d complete, %d machines not complete in 10 s, %d above 1 GiB"):format(n, total,
	100 * (total - open) / math.max(1, total), complete, slow, large))
if not arg[1] then
	tap.spit(tap.root .. "/tests/bench/last-decide", table.concat(kept, "\n") .. "\n")
end
os.exit(open <= total / 100 and slow == 0 and large == 0 and 0 or 1)
