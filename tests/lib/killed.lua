-- killed: a `dft --prove --store` session is killed (SIGKILL) at random moments and then resumed: no stored result may
-- be missing, and the verdicts are those of an undisturbed session.
--   killed.try(arguments, moments, seed [, flags]) -> list of what went wrong (text), { killed =, late =, early =,
--   tests = }
-- killed: sessions in progress; late: over before their moment; early: nothing was kept yet; tests: those kept by then.
local tap = require "tap"
local killed = {}

local function lines(text)
	local list = {}
	for line in text:gmatch("[^\n]+") do
		list[#list + 1] = line
	end
	return list
end

local function sql(store, query)
	return (select(2, tap.run(("sqlite3 %s %s"):format(tap.quote(store), tap.quote(query)))))
end

local inputs = "SELECT DISTINCT inputs FROM test WHERE ending <> 'timeout'"

-- Verdicts of the latest session, without what a number of a test or the search would change in the evidence.
local function verdicts(store)
	local all = {}
	for _, what in ipairs { "--pairs", "--branches" } do
		local status, out = tap.run(("duct report --store %s %s"):format(tap.quote(store), what))
		for _, line in ipairs(status == 0 and lines(out) or {}) do
			all[#all + 1] = line:gsub("\t[^\t]*$", "")
		end
	end
	table.sort(all)
	return table.concat(all, "\n")
end

-- A store's inconsistencies; nil when it is sound. Every pair that is infeasible by a proof has its proof.
local function broken(store)
	local text = sql(store, [[PRAGMA integrity_check; PRAGMA foreign_key_check;
		SELECT 'no list in test ' || id FROM test WHERE NOT (json_valid(inputs) AND json_valid(branches) AND json_valid(pairs));
		SELECT 'no proof of pair ' || goal FROM verdict AS v WHERE kind = 'pair' AND verdict = 'infeasible' AND evidence LIKE 'proof%'
		AND NOT EXISTS (SELECT 1 FROM proof JOIN session ON session.id = proof.session WHERE session.question = v.question)]])
	return text ~= "ok\n" and text or nil
end

local function now()
	return tonumber((select(2, tap.run("date +%s.%N"))))
end

function killed.try(arguments, moments, seed, flags)
	local wrong, count = {}, { killed = 0, late = 0, early = 0, tests = 0 }
	local folder = tap.folder("killed")
	local function command(file, more)
		return ("duct dft %s --prove --keep all --quiet --time 100 --store %s %s %s"):format(arguments, file,
			more or "", flags or "")
	end
	local whole, store = folder .. "/whole", folder .. "/store"
	local began = now()
	local status, _, err = tap.run(command(whole))
	local seconds, want = now() - began, verdicts(whole)
	if status ~= 0 or not want:find("\tinfeasible") or want:find("\tunknown") then
		return { "the whole session does not decide everything: " .. err .. want }, count
	end
	math.randomseed(seed)
	for i = 1, moments do
		local moment = seconds * math.random()
		local function bad(message)
			wrong[#wrong + 1] = ("moment %d, %.3f s: %s"):format(i, moment, message)
		end
		tap.run("rm -f " .. store .. "*")
		local how = tap.run(("%s & p=$!; sleep %.3f; kill -KILL $p; wait $p"):format(command(store), moment))
		local there = tap.run("test -e " .. store) == 0
		local kept = there and lines(sql(store, inputs)) or {}
		local when = how == 0 and "late" or #kept == 0 and "early" or "killed"
		count[when], count.tests = count[when] + 1, count.tests + #kept
		local fault = there and broken(store)
		if fault then bad("after the kill: " .. fault) end
		status, _, err = tap.run(command(store, there and "--resume"))
		if status ~= 0 then bad("resuming: " .. err) end
		if verdicts(store) ~= want then
			local _, report = tap.run(("duct report --store %s"):format(store))
			bad("other verdicts:\n" .. err .. report)
		end
		local latest = {}
		for _, test in ipairs(lines(sql(store, inputs .. " AND session = (SELECT max(id) FROM session)"))) do
			latest[test] = true
		end
		for _, test in ipairs(kept) do
			if not latest[test] then bad("a test is missing: " .. test) end
		end
		fault = broken(store)
		if fault then bad("after resuming: " .. fault) end
	end
	if tap.run("duct prove --check " .. store) ~= 0 then
		wrong[#wrong + 1] = "the proofs of the last store do not hold"
	end
	return wrong, count
end

return killed
