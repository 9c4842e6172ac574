-- duct recount STORE: compares the coverage of each session with clang's counts of its tests on the untouched program.
local core = require "duct.core"
local counted = require "duct.counted"
local program = require "duct.program"

local function as_json(q, r, why)
	local words = { ('"entry": %s, "session": %d'):format(program.json(q.entry), q.session) }
	for _, aim in ipairs(r and { "branches", "pairs" } or {}) do
		local n = r[aim]
		words[#words + 1] = ('"%s": {"taken": %d, "missed": %d, "unmeasured": %d}'):format(aim, n.taken, n.missed,
			n.unmeasured)
	end
	words[#words + 1] = r and ('"missed": %s, "tests_pass": %s'):format(program.json(r.missed), not r.failed) or
		('"error": %s'):format(program.json(why))
	return "{" .. table.concat(words, ", ") .. "}"
end

local function of(n)
	return ("%d of %d"):format(n.taken, n.taken + n.missed) ..
		(n.unmeasured > 0 and (" (%d not counted)"):format(n.unmeasured) or "")
end

local function as_text(q, r, why)
	if not r then
		return ("%s: not recounted: %s"):format(q.entry, why)
	end
	local lines = { ("%s: the untouched program takes branches %s, pairs %s%s"):format(q.entry, of(r.branches),
		of(r.pairs), r.failed and "; some tests fail there" or "") }
	for _, place in ipairs(r.missed) do
		lines[#lines + 1] = "  unknown now: " .. place
	end
	return table.concat(lines, "\n")
end

return program.protected(function(o)
	if not o.files or #o.files ~= 1 or not core.exists(o.files[1]) then
		program.fail(2, "recount takes a store: duct recount STORE")
	end
	local possible, why = counted.possible()
	if not possible then
		program.fail(4, "%s", why)
	end
	local store <close> = core.store(o.files[1])
	local deadline, status = core.now() + (o.time or 60), 0
	for _, q in ipairs(store:questions()) do
		local left = deadline - core.now()
		local r
		if left > 0 and not core.interrupted() then
			r, why = counted.session(store, q.session, { store = o.files[1], seconds = left, confine = o.confine })
		else
			r, why = nil, "time ran out"
		end
		print(o.json and as_json(q, r, why) or as_text(q, r, why))
		local bad = not r or r.failed or r.branches.missed + r.pairs.missed > 0
		status = bad and 1 or status
	end
	return status
end)
