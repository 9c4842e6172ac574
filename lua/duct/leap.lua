-- leap: executes calls of a run up to the first one that would take another path than required with these inputs.
--   leap.to(calls, run, all)       see below
--   leap.count(run, call)
local events = require "duct.events"

local leap = {}

-- Of those that may be abstract in a run, the calls of the same function up to this one, how many.
function leap.count(run, call)
	local n = 0
	for i = 1, call do
		n = n + (run.order[i].site == run.order[call].site and 1 or 0)
	end
	return n
end

-- The first outcome that a run promises and that a real run with its inputs does not keep to; nil: there is none.
local function broken(run, real)
	local calls, first = 0, nil
	for i, e in ipairs(real.events) do
		calls = calls + (e.kind == "asked" and e.outcome == events.real and 1 or 0)
		if calls > run.level then
			first = i
			break
		end
	end
	local outcomes = events.outcomes(real.events, first or #real.events + 1)
	for i, p in ipairs(run.promised) do
		local e = outcomes[i]
		if not e or e.site ~= p.site or e.outcome ~= p.outcome then
			return p
		end
	end
end

-- The last abstract call of a run that an outcome is about, a number; nil: it is about none of them.
local function last_call(space, run, outcome)
	local last
	for _, input in ipairs(outcome.value and space:inputs(outcome.value) or {}) do
		local name, n = input.name:match("^(.*)#(%d+)")
		for i, e in ipairs(name and run.order or {}) do
			if e.callee == name and leap.count(run, i) == tonumber(n) then
				last = math.max(last or i, i)
			end
		end
	end
	return last
end

-- A run that keeps to the path of `run` and executes all calls before the one that has to go another way with these
-- inputs; a real run when none has to. nil: there was no such run. all: the level of real runs.
function leap.to(calls, run, all)
	if calls.session:over() then
		return nil
	end
	local real = calls:run(run.values, all, "expanded")
	if real.key == run.key then
		return real.ended ~= "rejected" and real or nil
	end
	local outcome = broken(run, real)
	local level = (outcome and last_call(calls.session.space, run, outcome) or 0) - 1
	if level <= run.level then
		return run
	elseif calls.session:over() then
		return nil
	end
	local begun = calls:run(run.values, level, "expanded")
	return begun.key == run.key and begun.ended ~= "rejected" and begun or nil
end

return leap
