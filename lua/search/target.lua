-- target: for --target. The open branch that is nearest to the targets' ways (duct.classes), without returns to
-- callers where there is such a way. When no run has come nearer for some choices, what keeps runs away is something
-- that no input decides there, such as a flag, a state or a counter, which other code has to change first. Then that
-- takes turns with others: branches of runs that covered something new, whose state may be another one; the nearest of
-- those whose path came near several times, as a counter needs; and the nearest to anything that is not covered, on
-- ways without outcomes that no input decides. Later also inputs that are made of those of runs that came near, without
-- solving, because what a counter counts may be any part of them.
local classes = require "duct.classes"
local mutate = require "duct.mutate"

local patience = 8                            -- choices that need not come nearer
local longer = 64                             -- the same, before inputs are made without solving
local returning = 4                           -- a way with returns counts as so much longer

-- The last open branch of the newest run that was the first to cover something; none of library models.
local function of_news(space)
	local open, search = {}, {}

	function search:update(path)
		for _, b in ipairs(path.covered > 0 and path or {}) do
			open[#open + 1] = select(2, space:branch(b)) ~= 0 and b or nil
		end
	end
	function search:select()
		return table.remove(open)
	end
	function search:empty()
		while open[1] and not space:open(open[#open]) do
			table.remove(open)
		end
		return not open[1]
	end
	return search
end

return function(session)
	local space = session.space
	local near, wide = session:distances(), session:distances(true)
	local function nearest(...)
		local distance = near(...)
		if not distance then
			distance = wide(...)
			distance = distance and distance + returning
		end
		return distance
	end
	local arms = { classes.new(session, { distance = nearest, newest = true, alone = true }), of_news(space) }
	local least, since, turn = math.huge, 0, 0    -- distance of the nearest branch so far; choices since then
	local flips, last = {}, nil                   -- by run: what was chosen on its way; the last choice
	local inputs = {}                             -- of runs that covered something, and how near they came
	local known, decided = {}, {}                 -- branches; conditions that inputs decided
	local search = {}

	-- How often the path to a branch was made to come as near as any.
	local function passed(b)
		local _, _, _, depth, _, run = space:branch(b)
		local n = 0
		for _, flip in ipairs(flips[run] or {}) do
			n = n + (flip.depth < depth and flip.distance <= least and 1 or 0)
		end
		return math.min(n, classes.most)
	end
	local function note(path)
		local list = {}
		for _, flip in ipairs(last and flips[last.run] or {}) do
			list[#list + 1] = flip.depth < last.depth and flip or nil
		end
		list[#list + 1] = last
		flips[path.id or 0] = list
		local kept = session.kept[#session.kept]
		if last and kept and kept.run == path.id then
			inputs[#inputs + 1] = { kept, distance = last.distance }
		end
		last = nil
	end
	-- An input made of those that came as near as any.
	local function mutated()
		local list = {}
		for _, input in ipairs(inputs) do
			list[#list + 1] = input.distance <= least and input[1] or nil
		end
		return #list > 0 and { input = mutate.input(session, list) } or nil
	end
	local function chose(b)
		local unit, branch, outcome, depth, _, run = space:branch(b)
		last = { run = run, depth = depth, distance = near(unit, branch, outcome) or math.huge }
	end

	local function add_arms()
		arms[3] = classes.new(session, { distance = session:distances(true, decided) })
		arms[4] = classes.new(session, { distance = wide, newest = true, passed = passed })
		local open = {}
		for _, b in ipairs(known) do
			open[#open + 1] = space:open(b) and b or nil
		end
		open.covered = 0
		arms[3]:update(open)
		arms[4]:update(open)
	end
	function search:update(path)
		for _, b in ipairs(path) do
			local unit, branch, outcome = space:branch(b)
			local distance = near(unit, branch, outcome) or math.huge
			if distance < least then
				least, since = distance, 0
			end
			decided[unit and unit << 32 | branch or -1] = true
		end
		note(path)
		for _, arm in ipairs(arms) do
			arm:update(path)
		end
		if not arms[3] then
			table.move(path, 1, #path, #known + 1, known)
		end
	end
	local function next_arm()
		repeat
			turn = turn % #arms + 1
		until not arms[turn]:empty()
	end
	function search:select()
		since = since + 1
		local b = since > longer and since % 2 == 0 and mutated()
		if b then
			return b
		end
		turn = since > patience and turn or 0
		if since > patience and not arms[3] then
			add_arms()
		end
		next_arm()
		repeat
			if arms[turn]:empty() then
				next_arm()
			end
			b = arms[turn]:select()
		until space:open(b)
		chose(b)
		return b
	end
	function search:empty()
		return space:pending() == 0
	end
	return search
end
