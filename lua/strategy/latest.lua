-- latest: calls of the function under test are abstract at first, what they return and write is any input; a
-- path found so is made real call by call, in the order of execution, by a search in the callee for a path
-- that keeps to it, and so on in what the callee calls (Majumdar, Sen: LATEST: Lazy Dynamic Test Input
-- Generation). A path of which no run is real is refuted. What takes long is put off.
local abstract = require "duct.abstract"
local keeping = require "duct.keeping"
local names = require "duct.names"
local shares = require "duct.shares"
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

-- The same, but of each call after the next one only the first path that keeps to this run is tried.
local function leap(a, run, useful)
	if not run.call then
		return run
	end
	local next_run = keeping(a, run, useful)
	return turns.first(function()
		local found = next_run()
		return found and function()
			while found and found.call do
				found = a:leap(found)
				if found and found.call then
					found = keeping(a, found, useful)()
				end
			end
			return found
		end
	end)
end

-- From what begins as the nearest real run, by turns with the search from the start; only that refutes.
local function make_real(a, run)
	local useful = a:nearest(run)
	local function from_nearest()
		return leap(a, a:begun(run) or run, useful)
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

-- The search for a group; it goes on where it was, as long as the trees that it walks are there.
local function search_for(a, group)
	if group.trees ~= a.trees then
		group.trees = a.trees
		group.search = turns.begin(function() return make_real(a, group[1]) end)
	end
	return group.search
end

-- Makes the first path of a group real, or refutes it, with so many runs; then the others are new ones again. Else it
-- is put off. known: what is known does not do, it was tried.
local function try(a, work, group, known)
	local run = group[1]
	if a.shown[run.key] or not known and a:guess(run) or turns.within(search_for(a, group), group.runs) then
		work.groups[group.obstacle] = nil
		for i = 2, #group do
			work:put(group[i].result, group[i])
		end
	else
		group.runs = 2 * group.runs
		work:put("put off", group)
	end
	a:forget()
end

-- Summaries are tried first. Paths that the same outcome keeps from being real form a group: only the first is tried.
local function begin(a, work, run)
	if a.shown[run.key] or a:guess(run) then
		return
	end
	local obstacle = a:obstacle(run)
	local group = work.groups[obstacle]
	if group then
		group[#group + 1] = run
	else
		work.groups[obstacle] = { run, obstacle = obstacle, runs = least }
		try(a, work, work.groups[obstacle], true)
	end
end

-- Another abstract path; paths that have the same result share their runs.
local function find(a, work)
	local run = a:find()
	if run then
		work:put(run.result, run)
		work:put("find", find)
	end
end

-- By turns: an abstract path is found, one of each result is made real, one that was put off is tried with more runs.
local function explore(a)
	local work = shares.new(a.session)
	local function go_on(task)
		if task == find then
			find(a, work)
		elseif task.obstacle then
			try(a, work, task)
		else
			begin(a, work, task)
		end
	end
	work.groups = {}
	work:put("find", find)
	a:replay()
	while not a.session:over() and work:take(go_on) do end
end

-- For the report: which calls were abstract, which were not and why.
local function tell(session, a)
	local list, executed = a:chosen()
	local texts = {}
	for i, f in ipairs(executed) do
		texts[i] = ('{"function": "%s", "why": "%s"}'):format(f.name, f.why)
	end
	session.extra = ('"calls": {"abstract": [%s], "executed": [%s]}'):format(
		#list > 0 and '"' .. table.concat(list, '", "') .. '"' or "", table.concat(texts, ",\n  "))
	session.calls = { executed = executed, text = session.extra }
end

return function(session)
	repeat
		local refused, again = {}, true
		while again do
			local a = abstract.new(session, refused)
			tell(session, a)
			if not a.any then
				return names.load("strategy", "concolic")(session)
			end
			again = a:attempt(explore, refused)
			if not again then
				session:judge(a.complete, a:under_test())
			end
		end
	until not session:widen()
end
