-- jobs: a session as shares of its paths, which are worked on at a time.
--   jobs.check(o, fail)          are --jobs and --share something that can be done?
--   jobs.run(o, folder, work)    runs work(o) for each share in a process of its own, all on one store
-- Shares begin alike, share out what is open then (Session:start), learn from the store what others found out, and give
-- what they have to those that have nothing left (duct.handover).
-- `store:join` makes one session of them.
local core = require "duct.core"
local parts = require "duct.parts"

local jobs = {}

-- What is not a search among open branches has nothing to share out.
local function whole(o)
	return o.strategy == "latest" and "latest" or o.strategy == "random" and "random"
		or o.partition and "sessions with blocks of inputs" or o.one_pair and "--one-pair"
end

function jobs.check(o, fail)
	if o.share then
		local number, of = o.share:match("^(%d+)/(%d+)$")
		number, of = math.tointeger(number), math.tointeger(of)
		if not number or number < 1 or number > of then
			fail(2, "--share: `%s` is no share: 1/4 is the first of four", o.share)
		end
		o.share = of > 1 and { number = number, of = of } or nil
	end
	if o.jobs == 1 then
		o.jobs = nil
	end
	if o.jobs and o.share then
		fail(2, "--jobs and --share: one of them")
	end
	if (o.jobs or o.share) and whole(o) then
		fail(2, "--%s: the paths of %s are not shared out", o.jobs and "jobs" or "share", whole(o))
	end
end

-- The bound of a share; what is left over goes to the first ones.
local function part_of(n, number, of)
	return n and n // of + (number <= n % of and 1 or 0)
end

function jobs.run(o, folder, work)
	parts.check(o)                                -- what is wrong is said once
	o.store = o.store or folder .. "/store"
	core.store(o.store, "write"):close()
	-- What one of them gives another belongs to this session alone: so its tree has a number that no other session's has.
	local workers, pool, together = {}, core.pool(o.jobs), core.random(math.floor(core.now() * 1e9)):bits(48)
	for number = 1, o.jobs do
		workers[number] = core.fork()
		if not workers[number] then
			o.share, o.pool, o.together = { number = number, of = o.jobs }, pool, together
			pool:join(number)
			o.runs, o.quiet = part_of(o.runs, number, o.jobs), o.quiet or number > 1
			work(o)
			return true
		end
	end
	local worst, lost = 0, {}
	for number, process in ipairs(workers) do
		local status = core.wait(process)
		worst = math.max(worst, status)
		if status ~= 0 then
			lost[#lost + 1] = ("share %d/%d ended with status %d"):format(number, o.jobs, status)
		end
	end
	if #lost == o.jobs then
		error({ status = worst > 4 and 4 or worst, message = lost[1] }, 0)
	end
	for _, line in ipairs(lost) do
		core.say("duct: " .. line .. "\n")
	end
end

return jobs
