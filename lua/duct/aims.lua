-- aims: methods of a session that return its open objectives: pairs, outcomes, targets.
--   session:wanted()               numbers of the pairs that are watched and neither covered nor infeasible
--   session:is_wanted(pair), session:any_wanted()
--   session:missing()              is an objective neither covered, also not by recorded suites, nor out of reach?
--   session:out_of_reach()         the number of open pairs and outcomes that need too many steps
--   session:aims()                 of a session for targets: is one open, and objectives on the way to those that are
--   session:condition(unit, number)    a condition of the program, nil: there is none
--   session:distances(returns, decided)    distance of outcomes of conditions to uncovered ones, or to targets' ways
--   session:guide()                how far branches are on the way to pairs
local core = require "duct.core"

local Aims = {}

-- A new guide takes part in all runs from now on.
function Aims:guide()
	if not self.defuse then
		error({ status = 2, message = "this search is for pairs, and none are watched: --criterion, --protocol, --scope" }, 0)
	end
	self.guides = self.guides or core.guide(self.defuse, self.space)
	return self.guides
end

function Aims:is_wanted(pair)
	local definition = self.definition[pair]
	return self.store:known("pairs", pair) == "unknown" and (not self.only or self.only == pair)
		and not (definition and definition.covered)
end

function Aims:wanted()
	local list = {}
	for i = self.decided + 1, #self.candidates do
		if self:is_wanted(self.candidates[i]) then
			list[#list + 1] = self.candidates[i]
		end
	end
	return list
end

-- Pairs that are decided stay so; those that are out of reach are not decided, but not looked for either.
function Aims:any_wanted()
	local n = self.decided
	while n < #self.candidates and not self:is_wanted(self.candidates[n + 1]) do
		n = n + 1
	end
	self.decided = n
	while n < #self.candidates and (self.distant[self.candidates[n + 1]] or not self:is_wanted(self.candidates[n + 1])) do
		n = n + 1
	end
	return n < #self.candidates
end

-- Is there an objective that neither a run nor a recorded suite covers, and that is not infeasible?
function Aims:missing()
	return self.store:missing() > self:out_of_reach()
end

function Aims:out_of_reach()
	local n = 0
	for goal in pairs(self.distant) do
		if type(goal) == "number" and (goal > 0 and self:is_wanted(goal)
			or goal < 0 and select(3, self.store:wanted(-goal))) then
			n = n + 1
		end
	end
	return n
end

-- In a session with targets: is one still open; and the objectives, by number, that runs to open targets take, nil:
-- these are not known, so that all are wanted.
function Aims:aims()
	local list, any = {}, false
	for _, t in ipairs(self.store:targets()) do
		local open = not t.reached and #t == 0
		for _, i in ipairs(t.reached and {} or t) do
			if self.store:known("branches", i) ~= "infeasible" then
				list[i], open = true, true
			end
		end
		any = any or open
	end
	return any, next(list) and list or nil
end

-- Of each objective its condition.
local function conditions(store)
	local of = {}
	for i = 1, store:objectives() do
		local o = store:objective(i)
		of[i] = o.unit << 32 | o.branch
	end
	return of
end

-- The conditions of the program by unit and number.
local function conditions_of(session)
	if not session.conditions then
		session.conditions = {}
		for unit = 0, session.flow:units() - 1 do
			session.conditions[unit] = session.flow:branches(unit)
		end
	end
	return session.conditions
end

-- A condition of the program, as flow:branches has it; nil: there is none with this number.
function Aims:condition(unit, number)
	local of_unit = conditions_of(self)[unit]
	return of_unit and of_unit[number]
end

-- Gives no distance to outcomes that no run took although runs reached their conditions, if inputs do not decide these.
local function close_concrete(store, distance, condition, decided)
	local reached = {}
	for i, key in ipairs(condition) do
		local _, _, wanted = store:wanted(i)
		reached[key] = reached[key] or not wanted
	end
	for i, key in ipairs(condition) do
		local u, o, wanted = store:wanted(i)
		distance:shut(u, o, wanted and reached[key] and not decided[key])
	end
end

-- How far it is from outcomes of conditions to one that is not covered yet; of a session for targets, to one of
-- their ways. With `returns` also on ways back to the callers. decided: conditions (unit << 32 | number) that inputs
-- decided; with it to any that is not covered, on ways that runs may take as far as is known. goals(): the outcomes to
-- which distances are, by objective.
--   distances(unit, branch, outcome) -> branches on the way, nil: no way
--   the second result: the same as a core.distance
function Aims:distances(returns, decided, goals)
	local distance, known, sites = core.distance(self.flow, returns), -1, conditions_of(self)
	local condition = decided and conditions(self.store)
	local before                                 -- aims, when only they are wanted
	local function change(aims)
		for i in pairs(before) do
			if not aims[i] then
				local u, o = self.store:wanted(i)
				distance:want(u, o, false)
			end
		end
		for i in pairs(aims) do
			local u, o = self.store:wanted(i)
			distance:want(u, o, true)
		end
	end
	return function(unit, branch, outcome)
		if known ~= self.news then
			known = self.news
			local aims = goals and goals() or not decided and self.options.target and select(2, self:aims()) or nil
			local all = not (aims and before)
			if not all then
				change(aims)
			end
			before = aims
			for i = 1, all and self.store:objectives() or 0 do
				local u, o, wanted = self.store:wanted(i)
				if aims then
					wanted = aims[i] == true
				end
				if self.only then
					wanted = not self.taken[u << 32 | o]
				end
				distance:want(u, o, wanted)
			end
			if decided then
				close_concrete(self.store, distance, condition, decided)
			end
		end
		local site = unit and sites[unit] and sites[unit][branch]
		return site and distance:get(unit, site.first + (site.cases > 0 and outcome or 1 - outcome))
	end, distance
end

return Aims
