-- latest: calls of the function under test are abstract at first, what they return and write is any input; a
-- path found so is made real call by call, in the order of execution, by a search in the callee for a path
-- that keeps to it, and so on in what the callee calls (Majumdar, Sen: LATEST: Lazy Dynamic Test Input
-- Generation). A path of which no run is real is refuted. What takes long is put off.
local abstract = require "duct.abstract"
local keeping = require "duct.keeping"
local names = require "duct.names"
local turns = require "duct.turns"

local least = 64                                      -- runs for a path at first

-- A real run that keeps to this one, or nil. useful: values for inputs.
local function concretize(a, run, useful)
	if not run.call then
		return run
	end
	local next_run = keeping(a, run, useful)
	return turns.first(function()
		local found = next_run()
		return found and function() return concretize(a, found, useful) end
	end)
end

-- From what begins as the nearest real run, by turns with the search from the start; only that refutes.
local function make_real(a, run)
	local useful = a:nearest(run)
	local function from_nearest()
		local begun = a:begun(run)
		return begun and concretize(a, begun, useful)
	end
	local function from_start()
		return concretize(a, run, useful)
	end
	local ways = { from_nearest, from_start }
	local found = turns.first(function() return table.remove(ways, 1) end)
	if found then
		a:shorten(found)
	end
end

-- Paths that were put off, those together that the same outcome keeps from being real: only the first of them is tried.
local function new_queue()
	return { first = 1, last = 0, of = {} }
end

local function put(queue, group)
	queue.last = queue.last + 1
	queue[queue.last] = group
end

local function take(queue)
	local group = queue[queue.first]
	queue[queue.first] = nil
	queue.first = queue.first + 1
	return group
end

-- Makes the first path of a group real, or refutes it, with so many runs; then the others are new ones again. Else it is
-- the last one in the queue. known: what is known does not do, it was tried.
local function try(a, queue, group, known)
	local run = group[1]
	if a.shown[run.key] or not known and a:guess(run) or turns.within(function() make_real(a, run) end, group.runs) then
		queue.of[group.obstacle] = nil
		for i = #group, 2, -1 do
			table.insert(a.ready, 1, group[i])
		end
	else
		group.runs = 2 * group.runs
		put(queue, group)
	end
	a:forget()
end

-- Summaries are tried first.
local function begin(a, queue, run)
	if a.shown[run.key] or a:guess(run) then
		return
	end
	local obstacle = a:obstacle(run)
	local group = queue.of[obstacle]
	if group then
		group[#group + 1] = run
	else
		queue.of[obstacle] = { run, obstacle = obstacle, runs = least }
		try(a, queue, queue.of[obstacle], true)
	end
end

-- New paths and those that were put off by turns, so that both have the same share of the runs.
local function explore(a)
	local queue, next_path, spent, more = new_queue(), a:paths(), 0, true
	a:replay()
	while (more or queue.first <= queue.last) and not a.session:over() do
		local before = a.session.runs
		if queue.first <= queue.last and (spent > 0 or not more) then
			try(a, queue, take(queue))
			spent = spent - (a.session.runs - before)
			more = more or #a.ready > 0
		else
			local run = next_path()
			more = run ~= nil
			if run then
				begin(a, queue, run)
			end
			spent = spent + (a.session.runs - before)
		end
	end
end

return function(session)
	local refused, again = {}, true
	while again do
		local a = abstract.new(session, refused)
		if not a.any then
			return names.load("strategy", "concolic")(session)
		end
		again = a:attempt(explore, refused)
		if not again then
			session:judge(a.complete, a:under_test())
		end
	end
end
