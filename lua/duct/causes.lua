-- causes: finds outcomes that may change a condition which runs reach but no input decides directly, such as a test of
-- a flag that only a command-line option sets: the outcomes lead to definitions of variables that the condition reads.
--   causes.new(session, decided)   decided: set of the conditions (unit << 32 | number) that inputs decided
--   c:find(least, distance)   -> { [objective] = true }: such outcomes for conditions whose other outcome is nearer to
--                   the targets than `least`, and, in turn, for conditions that decide these outcomes; second result:
--                   was one of them not taken yet?
local core = require "duct.core"

local causes = {}
causes.__index = causes

function causes.new(session, decided)
	local self = setmetatable({ session = session, decided = decided, lists = {} }, causes)
	self.flow = core.flow(session.options.program, "records")
	self.unit = {}                             -- by unit of the session's flow: the unit in self.flow
	for unit = 0, self.flow:units() - 1 do
		self.unit[self.flow:key(unit)] = unit
	end
	self.theirs = {}
	for unit = 0, session.flow:units() - 1 do
		local own = self.unit[session.flow:key(unit)]
		self.unit[unit] = own
		self.theirs[own or -1] = unit
	end
	return self
end

-- Lists of outcomes, one for each definition that the condition depends on: a run reaches it by one of these outcomes.
function causes:of(unit, branch)
	local key = unit << 32 | branch
	local lists = self.lists[key]
	if not lists then
		local places, own = {}, self.unit[unit]
		lists = {}
		places = own and self.flow:causes(own, branch) or places
		for i = 1, #places, 2 do
			local theirs = self.theirs[places[i]]
			lists[#lists + 1] = theirs and self.session.store:ways(theirs, places[i + 1])
		end
		self.lists[key] = lists
	end
	return lists
end

-- Conditions that runs came to, with an outcome that none took and no input decides, by objective.
function causes:stuck()
	local store, reached, list = self.session.store, {}, {}
	for i = 1, store:objectives() do
		local o = store:objective(i)
		local key = o.unit << 32 | o.branch
		reached[key] = reached[key] or o.verdict == "covered"
	end
	for i = 1, store:objectives() do
		local o = store:objective(i)
		local key = o.unit << 32 | o.branch
		if o.verdict == "unknown" and reached[key] and not self.decided[key] then
			list[#list + 1] = o
		end
	end
	return list
end

-- The outcomes that lead to definitions for the condition: those that were not taken yet. If all were taken, all of
-- them, because each definition was overwritten, or came after the condition.
local function leading(self, unit, branch)
	local store, open, taken = self.session.store, {}, {}
	for _, list in ipairs(self:of(unit, branch)) do
		local fresh, own = true, false
		for _, i in ipairs(list) do
			local o = store:objective(i)
			fresh, own = fresh and o.verdict == "unknown", own or o.unit == unit and o.branch == branch
		end
		table.move(list, 1, own and 0 or #list, 1 + (fresh and #open or #taken), fresh and open or taken)
	end
	return #open > 0 and open or taken
end

function causes:find(least, distance)
	local found, stuck, todo, fresh = {}, {}, {}, false
	for _, o in ipairs(self:stuck()) do
		local key = o.unit << 32 | o.branch
		local n = distance:get(o.unit, o.outcome)
		stuck[key] = true
		todo[#todo + 1] = n and n < least and key or nil
	end
	while #todo > 0 do
		local key = table.remove(todo)
		local before = stuck[key]
		stuck[key] = nil                          -- each condition once
		for _, i in ipairs(before and leading(self, key >> 32, key & 0xffffffff) or {}) do
			local o = self.session.store:objective(i)
			found[i] = true
			fresh = fresh or o.verdict == "unknown"
			todo[#todo + 1] = o.verdict == "unknown" and o.unit << 32 | o.branch or nil
		end
	end
	return found, fresh
end

return causes
