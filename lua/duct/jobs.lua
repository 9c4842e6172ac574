-- jobs: divides the paths of a session among processes that work at the same time.
--   jobs.check(o, fail)          checks the options --jobs and --share
--   jobs.run(o, folder, work)    runs work(o) for each share in a process of its own, all with one store: the user's,
--                                or one in the folder; returns the store's path, nil in a worker
-- Shares of `random` draw each their own inputs, shares of `latest` make each some of the abstract paths real. All
-- others begin with the same runs and divide the open branches (Session:start), and give branches to shares that have
-- no branch left (duct.handover). All import verdicts of the others from the store.
-- `store:join` joins them to one session. Blocks of inputs are divided in another way (duct.crew).
local core = require "duct.core"
local parts = require "duct.parts"

local jobs = {}

-- The mode of a session that cannot be divided. With blocks of inputs a session makes the runs of other processes again
-- (duct.crew): those of latest follow from runs with abstract calls, which it does not have.
local function whole(o)
	return o.needs.abstract and o.strategy ~= "latest" and "--abstract" or o.one_pair and "--one-pair"
		or o.partition and (o.strategy == "latest" and "latest with blocks of inputs" or o.share and "blocks of inputs")
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
		fail(2, "--jobs and --share: only one of them can be given")
	end
	if (o.jobs or o.share) and whole(o) then
		local why = o.partition and o.strategy == "latest"
			and ": runs with abstract calls cannot be repeated by another process" or ""
		fail(2, "--%s: the paths of %s are not shared out%s", o.jobs and "jobs" or "share", whole(o), why)
	end
end

-- The part of a bound for one share; the remainder goes to the first shares.
local function part_of(n, number, of)
	return n and n // of + (number <= n % of and 1 or 0)
end

function jobs.run(o, folder, work)
	parts.check(o)                                -- reports errors once, not in each process
	local store = o.store or folder .. "/store"
	core.store(store, "write"):close()
	-- Branches are given within this session only, so its tree needs a unique number.
	local workers, pool, together = {}, core.pool(o.jobs), core.random(math.floor(core.now() * 1e9)):bits(48)
	for number = 1, o.jobs do
		workers[number] = core.fork()
		if not workers[number] then
			o.share, o.pool, o.together, o.store = { number = number, of = o.jobs }, pool, together, store
			pool:join(number)
			o.runs, o.quiet = part_of(o.runs, number, o.jobs), o.quiet or number > 1
			work(o)
			return nil
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
	return store
end

return jobs
