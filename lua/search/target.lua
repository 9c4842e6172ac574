-- target: for --target. The open branch that is nearest to the targets' ways (duct.classes), without returns to
-- callers where there is such a way. A branch in a library model, such as how long a file is, is as near as its run
-- came by any outcome, concrete ones included: behind an option that was given, what is read next decides. A question
-- that took long counts as many choices.
-- When no run has come nearer for some choices, what keeps runs away is something that no input decides there, such as
-- a flag, a state or a counter, which other code has to change first. Then that takes turns with others: branches of
-- runs that covered something new, whose state may be another one; the nearest of those whose path came near several
-- times, as a counter needs; the nearest to anything that is not covered, on ways without outcomes that no input
-- decides; and the nearest to definitions of what keeps runs away (duct.causes), as an option may be. Where what a path
-- decided before stands against the way, an input is tried that leaves that out. Later also inputs that are made of
-- those of runs that came near, without solving, because what a counter counts may be any part of them; and questions
-- that were put off are asked again.
local causes = require "duct.causes"
local classes = require "duct.classes"
local mutate = require "duct.mutate"

local patience = 8                            -- choices that need not come nearer
local longer = 64                             -- the same, before inputs are made without solving
local longest = 1024                          -- the same, before questions that were put off are asked again
local questions = 64                          -- to the solver, for an input that leaves conditions out
local short = 0.1                             -- seconds for each of them
local tries = 4                               -- of such inputs for an outcome
local by_cause = 5                            -- the arm for these outcomes
local long = 0.002                            -- seconds of a question that count as
local dear = 16                               -- so many choices
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

-- An input that takes a branch which its path rules out, and satisfies as many conditions of the path as possible: the
-- first condition that an answer violates is added, and left out if there is no answer then. path: the conditions, that
-- of the branch last; values: the values of inputs that are in no condition
local function relaxed(session, path, values)
	local query, found = { path[#path] }, nil
	for _ = 1, questions do
		local answer, input = session.solver:ask(query, values, nil, short)
		if answer == "unknown" then
			break
		elseif answer == "sat" then
			local unmet = session.space:unmet(path, input)
			found = input
			if not unmet then
				break
			end
			query[#query + 1] = table.remove(path, unmet)
		elseif #query == 1 then
			return nil
		else
			table.remove(query)
		end
	end
	return found
end

local function key_of(unit, branch, outcome)
	return unit and unit << 48 | branch << 16 | outcome
end

return function(session)
	local space = session.space
	local near, to_targets = session:distances()
	local with_returns
	local function wide(...)
		with_returns = with_returns or session:distances(true)
		return with_returns(...)
	end
	local vain = {}                               -- by outcome: how many paths ruled it out
	local function nearest(unit, branch, outcome)
		local distance = near(unit, branch, outcome)
		if not distance then
			distance = wide(unit, branch, outcome)
			distance = distance and distance + returning
		end
		return distance and distance + (vain[key_of(unit, branch, outcome)] or 0)
	end
	local least, since, turn = math.huge, 0, 0    -- distance of the nearest branch so far; choices since then
	local came, nearest_run = {}, math.huge       -- by run: distance of the nearest outcome that it took; least of them
	local function of_run(b)
		return came[(select(6, space:branch(b)))]
	end
	local arms = { classes.new(session, { distance = nearest, newest = true, alone = true, near = of_run }),
		of_news(space) }
	local flips, last = {}, nil                   -- by run: what was chosen on its way; the last choice
	local asked, before                           -- the arm of the last choice; seconds of questions until then
	local inputs = {}                             -- of runs that covered something, or went further in a loop
	local known, decided = {}, {}                 -- branches; conditions that inputs decided
	local barred, tried = {}, {}                  -- near branches that their paths rule out; by outcome: how many
	local ready                                   -- an input for one of them
	-- outcomes that may let conditions near the targets be otherwise; is one not taken yet; distances to them
	local cause, promising, causing
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
	-- How many such outcomes were chosen on the way to a branch.
	local function caused(b)
		local _, _, _, depth, _, run = space:branch(b)
		local n = 0
		for _, flip in ipairs(flips[run] or {}) do
			n = n + (flip.depth < depth and flip.caused and 1 or 0)
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
		for _, input in ipairs { session.kept[#session.kept] or {}, session.varied[#session.varied] or {} } do
			if input.run == path.id and came[path.id] then
				inputs[#inputs + 1] = input
			end
		end
		last = nil
	end
	-- An input made of those that came as near as any.
	local function mutated()
		local list = {}
		for _, input in ipairs(inputs) do
			list[#list + 1] = came[input.run] <= nearest_run and input or nil
		end
		return #list > 0 and { input = mutate.input(session, list) } or nil
	end
	local function chose(b)
		local unit, branch, outcome, depth, _, run = space:branch(b)
		last = { run = run, depth = depth, distance = near(unit, branch, outcome) or math.huge,
			caused = causing and causing(unit, branch, outcome) == 0 }
	end

	local function goals()
		local found
		found, promising = cause:find(least, to_targets)
		return found
	end
	local function add_arms()
		cause = causes.new(session, decided)
		causing = session:distances(true, nil, goals)
		arms[5] = classes.new(session, { distance = causing, newest = true, passed = caused })
		arms[3] = classes.new(session, { distance = session:distances(true, decided) })
		arms[4] = classes.new(session, { distance = wide, newest = true, passed = passed })
		local open = {}
		for _, b in ipairs(known) do
			open[#open + 1] = space:open(b) and b or nil
		end
		open.covered = 0
		for i = 3, 5 do
			arms[i]:update(open)
		end
	end
	function session.observe(trace)
		near()                                        -- distances as they are now
		local n = to_targets:reached(trace)
		came[session.runs] = n
		nearest_run = math.min(nearest_run, n or math.huge)
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
		until not arms[turn]:empty() and (turn ~= by_cause or promising)
	end
	-- An input for the last of the branches that their paths rule out, if there is one.
	local function unbarred()
		while barred[1] do
			local one = table.remove(barred)
			local input = one.distance <= least and relaxed(session, one.path, one.values)
			if input then
				return { input = input }
			end
		end
	end
	function search:select()
		since = since + 1
		if asked and asked.charge then
			asked:charge(dear * ((session.solve_cpu - before) // long | 0))
		end
		asked = nil
		if since % longest == 0 then
			session:resume(search)                    -- questions that were put off may be what is missing
		end
		local b = ready or since > patience and unbarred() or since > longer and since % 2 == 0 and mutated()
		ready = nil
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
		asked, before = arms[turn], session.solve_cpu
		return b
	end
	function search:empty()
		if space:pending() > 0 then
			return false
		end
		ready = ready or unbarred()
		return not ready
	end

	-- No input takes the branch: what its path decided before stands against it. That is looked into when nothing else
	-- comes nearer, as it takes many questions.
	function search:blocked(branch, answer)
		local unit, number, outcome = space:branch(branch)
		local distance = near(unit, number, outcome) or since > patience and wide(unit, number, outcome)
		local sets = causing and causing(unit, number, outcome) == 0
		local promises = distance and distance <= least or sets
		local key = key_of(unit, number, outcome)
		if key then
			vain[key] = (vain[key] or 0) + 1
		end
		if answer ~= "unsat" or number == 0 or not promises or (tried[key] or 0) >= tries then
			return
		end
		tried[key] = (tried[key] or 0) + 1
		local path = space:conditions(branch)
		barred[#barred + 1] = path and { path = path, values = space:values(branch), distance = sets and 0 or distance }
			or nil
	end
	return search
end
