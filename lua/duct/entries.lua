-- entries: which function gets the next turn, and for how long, when there may not be time for all.
-- Those that had no session yet come in an order: again and again, the one that reaches most conditions that those
-- before it do not reach. Each has a share of half the time, but no less than twice what building a program takes.
-- A function with open objectives has its next turn when that promises more for its time than the first turn of those
-- that wait: as much as its last turn decided, against what turns decided for each such condition.
--   entries.conditions(flow, name) -> { [function of the program] = its conditions and 1 }, of all that it reaches
--   entries.schedule(list, store, time, building) -> a schedule; the entries have `name`, `number` and `conditions`,
--                                     and have then `place`, the number in that order; store: or nil; building: seconds
--   schedule.least                 seconds that a turn must have
--   schedule.waiting               entries that had none yet, in their order
--   schedule:next(left)            -> the next entry and its seconds, or nil: none needs more
--   schedule:took(entry, seconds)  the entry has its figures of this turn, or `failed`
local entries = {}
local least = 0.3                                     -- seconds that a turn has beside building, at least
local fading = 0.1                                    -- of what a turn decided, what the next one is thought to

-- How many conditions each function has, by unit << 32 | id.
local counted = setmetatable({}, { __mode = "k" })
local function counts(flow)
	if not counted[flow] then
		local of = {}
		for unit = 0, flow:units() - 1 do
			for _, b in ipairs(flow:branches(unit)) do
				local key = unit << 32 | b.func
				of[key] = (of[key] or 0) + 1
			end
		end
		counted[flow] = of
	end
	return counted[flow]
end

function entries.conditions(flow, name)
	local list, of = {}, counts(flow)
	for unit, functions in pairs(flow:reachable(name)) do
		for id in pairs(functions) do
			list[unit << 32 | id] = (of[unit << 32 | id] or 0) + 1
		end
	end
	return list
end

local function gain(entry, reached)
	local n = 0
	for key, conditions in pairs(entry.conditions) do
		n = n + (reached[entry.group] and reached[entry.group][key] and 0 or conditions)
	end
	return n
end

local function better(a, b)
	if a.gain ~= b.gain then
		return a.gain > b.gain
	end
	return a.number < b.number
end

-- An entry's gain can only become less: only the best one is counted anew.
local function greedy(list)
	local rest, ordered, reached = table.move(list, 1, #list, 1, {}), {}, {}
	for _, entry in ipairs(rest) do
		entry.gain = gain(entry, reached)
	end
	while #rest > 0 do
		local best = 1
		for i = 2, #rest do
			best = better(rest[i], rest[best]) and i or best
		end
		local entry = rest[best]
		local now = gain(entry, reached)
		if now == entry.gain then
			ordered[#ordered + 1] = table.remove(rest, best)
			reached[entry.group] = reached[entry.group] or {}
			for key in pairs(entry.conditions) do
				reached[entry.group][key] = true
			end
		end
		entry.gain = now
	end
	return ordered
end

-- The entries in their order; `weight` is the share of the time, half of it equal and half by what it adds.
local function order(list, store)
	local fresh, known = {}, {}
	for _, entry in ipairs(list) do
		table.insert(store and store:was_entry(entry.name) and known or fresh, entry)
	end
	fresh, known = greedy(fresh), greedy(known)
	local all, total = table.move(known, 1, #known, #fresh + 1, fresh), 0
	for _, entry in ipairs(all) do
		total = total + entry.gain
	end
	for i, entry in ipairs(all) do
		entry.weight, entry.place = 1 / #all + entry.gain / math.max(1, total), i
	end
	return all
end

local schedule = {}
schedule.__index = schedule

function entries.schedule(list, store, time, building)
	return setmetatable({ waiting = order(list, store), again = {}, time = time, least = least + building,
		building = building, built = 1, decided = 0, conditions = 0 }, schedule)
end

-- Seconds of the first turn of a waiting entry.
function schedule:share(entry, left)
	local weights = 0
	for _, other in ipairs(self.waiting) do
		weights = weights + other.weight
	end
	return math.max(least + 2 * self.building, (left - 0.5 * self.time) * entry.weight / weights)
end

-- The gain expected of the next second of an entry, never nothing. A first turn finds what is easy: on cJSON a second
-- of the next turn brought a tenth to a twentieth of that.
local function promise(entry)
	return (fading * entry.last.decided + 1) / entry.last.seconds
end

-- The best of those that had a turn and need more, and its part of their time.
function schedule:best()
	local best, at, sum = nil, nil, 0
	for i, entry in ipairs(self.again) do
		sum = sum + promise(entry)
		if not best or promise(entry) > promise(best) then
			best, at = entry, i
		end
	end
	return best, at, best and promise(best) / sum
end

function schedule:next(left)
	local first, best, at, part = self.waiting[1], self:best()
	local seconds = first and self:share(first, left)
	if first and (not best or self.conditions == 0
		or (first.gain + 0.5) * self.decided / self.conditions / seconds >= 0.5 * promise(best)) then
		return table.remove(self.waiting, 1), seconds
	elseif best then
		table.remove(self.again, at)
		local most = first and 0.5 * left or left
		return best, math.min(math.max(part * most, least + 2 * self.building, best.last.seconds), left)
	end
end

function schedule:took(entry, seconds)
	local n = entry.figures
	if entry.failed or not n then
		return
	end
	self.built = self.built + 1
	self.building = self.building + (entry.building - self.building) / self.built
	self.least = least + self.building
	local decided = n[1] + n[2] + n[4] + n[5] - n[8]
	local new = math.max(0, decided - (entry.decided or 0))
	if not entry.decided then
		self.decided, self.conditions = self.decided + new, self.conditions + math.max(1, entry.gain)
	end
	entry.decided, entry.last = decided, { decided = new, seconds = math.max(seconds, 0.1) }
	if entry.ended == "time" then
		table.insert(self.again, entry)
	end
end

return entries
