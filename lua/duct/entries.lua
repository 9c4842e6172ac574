-- entries: which function gets the next turn, and for how long, when there may not be time for all.
-- Those that had no session yet come in an order: again and again, the one that reaches most conditions that those
-- before it do not reach, or over more calls, for the size of its program and of the code to be made. Each has a share
-- of half the time, but no less than twice what building its program and starting its session take, or an equal part of
-- the time beyond that. A main without inputs does the same each time: it comes first, or
-- last where a recorded suite has run it.
-- A function with open objectives has its next turn when that promises more for its time than the first turn of
-- those that wait: as much as its last turn decided, against what turns decided for each such condition.
-- One that waits comes before its place when functions that others have reached stay open close to it: each call
-- between halves what an open objective counts; how many of these a first turn decides is learned from such turns.
--   entries.conditions(flow, name, near) -> { [function of the program] = its conditions and 1, halved for each call
--                                     between beyond the third }, of all that it reaches
--   entries.near(flow, name)       -> { [name of a function that it reaches] = calls between, at most }
--   entries.schedule(list, store, time, reading) -> a schedule; the entries have `name`, `number`, `conditions`,
--                                     `near`, `same` (a main without inputs?) and `size`, of the
--                                     program, and have then `place`, the number in that order;
--                                     store: or nil; reading: seconds that reading their files took;
--                                     `code`, where programs share the code of files: { [file] = blocks }
--   schedule.least                 seconds that a turn must have
--   schedule:begins(entry)         seconds until the first run of its turn has ended
--   schedule:needs(entry)          of these, and some more, those after its program was built
--   schedule.waiting               entries that had none yet, in their order
--   schedule:next(left)            -> the next entry and its seconds, or nil: none needs more
--   schedule:soon(left)            the entry that next would give now, which it gives then, if nothing new is learned
--   schedule:learn(open)           open: what store:open() gives
--   schedule:closes(entry, seconds)  of its seconds, those that its session needs when its time is over, for writing
--   schedule:took(entry, seconds, news, late)  the entry has its figures of this turn, or `failed`; news: objectives
--                                  that were open in all sessions before it, or nil; late: seconds beyond the time
--                                  of its session
local entries = {}
local least = 0.3                                     -- seconds that a turn has beside building, at least
local fading = 0.1                                    -- of what a turn decided, what the next one is thought to
local most_closing = 0.2                              -- of a turn's time, that is kept for writing
local longer = 3                                      -- times its last turn, while others wait
local large = 1 / 16                                  -- of the time for all, that reading a large program takes
local little = 0.05                                   -- of the open objectives: less is too little for a turn
local plenty = 200                                    -- open objectives of a function, of which each counts
local coding = 8                                      -- times what reading takes, for making code
local hard = 3                                        -- times the size of code that is there, of what is not
local most_of_left = 1 / 3                            -- for a first turn, where others wait
local several, most_first = 8, 3                      -- that wait: a first turn has so often what is worthwhile
local shallow = 3                                     -- calls between, over which a first turn finds what is easy
local farthest = 5                                    -- calls between, of functions that are called through pointers

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

function entries.conditions(flow, name, near)
	local list, of = {}, counts(flow)
	for unit, functions in pairs(flow:reachable(name)) do
		local all = flow:functions(unit)
		for id in pairs(functions) do
			local deep = math.max(0, near[all[id].name] - shallow)
			list[unit << 32 | id] = ((of[unit << 32 | id] or 0) + 1) * 0.5 ^ deep
		end
	end
	return list
end

-- The functions of a program that each one calls, by name.
local called = setmetatable({}, { __mode = "k" })
local function callees(flow)
	if not called[flow] then
		local of = setmetatable({}, { __index = function(t, name)
			t[name] = {}
			return t[name]
		end })
		for unit = 0, flow:units() - 1 do
			local functions = flow:functions(unit)
			for _, call in ipairs(flow:calls(unit)) do
				if call.callee then
					table.insert(of[functions[call.func].name], call.callee)
				end
			end
		end
		called[flow] = of
	end
	return called[flow]
end

function entries.near(flow, name)
	local of, near, list = callees(flow), { [name] = 0 }, { name }
	for _, caller in ipairs(list) do
		for _, callee in ipairs(of[caller]) do
			if not near[callee] then
				near[callee] = math.min(farthest, near[caller] + 1)
				list[#list + 1] = callee
			end
		end
	end
	for unit, functions in pairs(flow:reachable(name)) do
		local all = flow:functions(unit)
		for id in pairs(functions) do
			near[all[id].name] = near[all[id].name] or farthest
		end
	end
	return near
end

local function gain(entry, reached)
	local n, before = 0, reached[entry.group] or {}
	for key, conditions in pairs(entry.conditions) do
		n = n + math.max(0, conditions - (before[key] or 0))
	end
	return n
end

-- Notes that the code of an entry's files is made; `of`: lists of entries by file. Of each entry, `fresh` is the size
-- of the code that is not there yet.
local function make_code(entry, of, made)
	for file, blocks in pairs(entry.code or {}) do
		local key = entry.group
		made[key] = made[key] or {}
		if not made[key][file] then
			made[key][file] = true
			for _, other in ipairs(of[key][file]) do
				other.fresh = other.fresh - blocks
			end
		end
	end
end

-- Entries by group and file, for make_code.
local function by_file(list)
	local of = {}
	for _, entry in ipairs(list) do
		local own = of[entry.group] or {}
		of[entry.group], entry.fresh = own, 0
		for file, blocks in pairs(entry.code or {}) do
			own[file] = own[file] or {}
			table.insert(own[file], entry)
			entry.fresh = entry.fresh + blocks
		end
	end
	return of
end

-- By what an entry adds for the size of its program, which building, and finding the pairs, take time for.
local function better(a, b)
	local x, y = a.gain / (a.size + hard * a.fresh), b.gain / (b.size + hard * b.fresh)
	if x ~= y then
		return x > y
	end
	return a.number < b.number
end

-- An entry's gain can only become less: only the best one is counted anew.
local function greedy(list)
	local rest, ordered, reached, of, made = table.move(list, 1, #list, 1, {}), {}, {}, by_file(list), {}
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
			make_code(entry, of, made)
			reached[entry.group] = reached[entry.group] or {}
			for key, conditions in pairs(entry.conditions) do
				reached[entry.group][key] = math.max(conditions, reached[entry.group][key] or 0)
			end
		end
		entry.gain = now
	end
	return ordered
end

-- The entries in their order; `weight` is the share of the time, half of it equal and half by what it adds. Those whose
-- programs are of more than `most` come behind the others: a session of theirs may end before its first run.
local function order(list, store, most)
	local fresh, known, behind, same = {}, {}, {}, {}
	for _, entry in ipairs(list) do
		table.insert(entry.same and same or store and store:was_entry(entry.name) and known or entry.size > most and behind
			or fresh, entry)
	end
	for _, entry in ipairs(same) do
		entry.gain = 0                               -- one path of all that it reaches
	end
	local all, total, was_run = {}, 0, store and store:has_suite()
	local first, last = was_run and {} or same, was_run and same or {}
	for _, part in ipairs { first, greedy(fresh), greedy(behind), greedy(known), last } do
		table.move(part, 1, #part, #all + 1, all)
	end
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

-- reading: seconds that it took to read the program of all files.
function entries.schedule(list, store, time, reading)
	local size, largest, blocks = 0, 0, 1
	for _, entry in ipairs(list) do
		local own = 0
		for _, n in pairs(entry.code or {}) do
			own = own + n
		end
		size, largest, blocks = size + entry.size / #list, math.max(largest, entry.size), math.max(blocks, own)
	end
	local building = reading * size / largest
	local waiting = order(list, store, large * time * largest / reading)
	local of = by_file(list)
	return setmetatable({ waiting = waiting, size = size, again = {}, time = time, least = least + building,
		building = building, starting = building, closing = 0, built = size, decided = 0, conditions = 0, yield = 0.1,
		depth = 0.05, faith = {}, coding = coding * reading / blocks, coded = blocks / 2, by_file = of, made = {} },
		schedule)
end

-- The weight of n open objectives of a function: a turn decides few of the 249,000 pairs of an interpreter's loop.
local function counted_as(n)
	return n <= plenty and n or plenty * (1 + math.log(n / plenty))
end

-- The weight of the open objectives close to an entry, halved for each call between, times the `faith` in each
-- function, where there is one.
local function hope(entry, open, faith)
	local sum = 0
	for name, calls in pairs(entry.near) do
		sum = sum + counted_as(open[name] or 0) * (faith[name] or 1) * 0.5 ^ calls
	end
	return sum
end

-- A turn for what is close to an entry has decided little: others for the same functions are worth less.
local function disappoint(faith, entry)
	for name, calls in pairs(entry.near) do
		if calls <= 1 then
			faith[name] = (faith[name] or 1) / 4
		end
	end
end

function schedule:learn(open)
	self.open = open
	for _, entry in ipairs(self.waiting) do
		entry.hope = hope(entry, open, self.faith)
	end
	for _, entry in ipairs(self.again) do
		entry.hope = hope(entry, open, {})
	end
end

-- The waiting entry with most open objectives close to it, of those that the time left is enough for, its place, and
-- what a second of it promises.
function schedule:nearest(left)
	local best, at
	for i, entry in ipairs(self.waiting) do
		local more = entry.hope and not entry.same and (not best or entry.hope > best.hope)
		if more and self:worthwhile(entry, left) <= left then
			best, at = entry, i
		end
	end
	local seconds = best and self:worthwhile(best, left)
	return best, at, best and self.yield * best.hope / seconds or 0, seconds
end

-- Seconds from when its program is there until some runs have ended.
function schedule:needs(entry)
	return least + 1.5 * self.starting * entry.size / self.size
end

-- Seconds until the first run has ended, by what that took for programs of other sizes.
function schedule:begins(entry)
	local code = self.coding * entry.fresh
	return least + code + ((entry.last and 0 or self.building) + self.starting) * entry.size / self.size
end

-- Seconds of a turn: as long as what has to be done before the first run, or an equal part of the time where there is
-- less for those that wait.
function schedule:worthwhile(entry, left)
	local begins = self:begins(entry)
	local most = left and #self.waiting > 0 and left / #self.waiting or math.huge
	return begins + math.min(begins - least - self.coding * entry.fresh, most)
end

-- Seconds of the first turn of a waiting entry.
function schedule:share(entry, left)
	local weights = 0
	for _, other in ipairs(self.waiting) do
		weights = weights + other.weight
	end
	local least_seconds, own = self:worthwhile(entry, left), (left - 0.5 * self.time) * entry.weight / weights
	return math.max(least_seconds, self.waiting[several] and math.min(own, most_first * least_seconds) or own)
end

-- Of what is open close to an entry, the part that its next turn is expected to decide: what its last one did, or such
-- turns of others. Nothing where no branch is left to take, as when a function fails in each run.
function schedule:deeper(entry)
	return entry.last.pending == 0 and 0 or entry.depth or self.depth
end

-- The gain expected of the next second of an entry, never nothing. A first turn finds what is easy: on cJSON a second
-- of the next turn brought a tenth to a twentieth of that. But where branches are left that lead deeper, more may come.
function schedule:promise(entry)
	local hoped = entry.hope or 0
	return (fading * math.min(entry.last.decided, hoped) + self:deeper(entry) * hoped + 0.01) / entry.last.seconds
end

-- The best of those that had a turn and need more, and its part of their time.
function schedule:best()
	local best, at, sum = nil, nil, 0
	for i, entry in ipairs(self.again) do
		sum = sum + self:promise(entry)
		if not best or self:promise(entry) > self:promise(best) then
			best, at = entry, i
		end
	end
	return best, at, best and self:promise(best) / sum
end

-- Objectives that a first turn of the next waiting entry is expected to decide in a second.
function schedule:fresh(first, seconds)
	return self.conditions == 0 and math.huge or (first.gain + 0.5) * (self.decided + 1) / self.conditions / seconds
end

-- The place of the first that waits and needs no more than a part of the time left: on a busy machine building a large
-- program may take all of it. Where there is none the one that begins first.
function schedule:fits(left)
	local soonest = 1
	for i, entry in ipairs(self.waiting) do
		if self:worthwhile(entry, left) <= (self.waiting[2] and most_of_left or 1) * left then
			return i
		end
		soonest = self:begins(entry) < self:begins(self.waiting[soonest]) and i or soonest
	end
	return soonest
end

function schedule:next(left)
	local turn = self:fits(left)
	local first, best, at, part = self.waiting[turn], self:best()
	local near, place, hoped, short = self:nearest(left)
	local seconds = first and self:share(first, left)
	local fresh = first and self:fresh(first, math.min(seconds, self:worthwhile(first, left)))
	local again = best and 0.5 * self:promise(best) or 0
	if near and hoped > fresh and hoped > again then
		near.hoped = near.hope
		return table.remove(self.waiting, place), math.min(short, left)
	elseif first and fresh >= again then
		return table.remove(self.waiting, turn), seconds
	elseif best then
		table.remove(self.again, at)
		best.deep = best.last.pending > 0 and best.hope or nil
		local most = math.min(part * (first and 0.5 * left or left), first and longer * best.last.seconds or left)
		return best, math.min(math.max(most, self:worthwhile(best), best.last.seconds), left)
	end
end

function schedule:soon(left)
	local waiting, again = self.waiting, self.again
	self.waiting, self.again = table.move(waiting, 1, #waiting, 1, {}), table.move(again, 1, #again, 1, {})
	local entry = self:next(left)
	self.waiting, self.again = waiting, again
	if entry then
		entry.hoped, entry.deep = nil, nil
	end
	return entry
end

function schedule:closes(entry, seconds)
	return math.min(most_closing * seconds, self.closing * entry.size / self.size)
end

function schedule:took(entry, seconds, news, late)
	local n = entry.figures
	if entry.failed or not n then
		return
	end
	local weight = entry.size / (self.built + entry.size)   -- a small program tells little about the time of large ones
	local function learn(of, took)
		self[of] = self[of] + weight * (took * self.size / entry.size - self[of])
	end
	if entry.fresh > 0 then
		local rate = math.max(0, entry.building - self.building * entry.size / self.size) / entry.fresh
		self.coded = self.coded + entry.fresh
		self.coding = self.coding + entry.fresh / self.coded * (rate - self.coding)
		make_code(entry, self.by_file, self.made)
	else
		learn("building", entry.building)
	end
	learn("starting", entry.starting)
	learn("closing", math.max(0, late or 0))
	self.built = self.built + entry.size
	self.least = least + self.building + self.starting
	local decided = n[1] + n[2] + n[4] + n[5] - n[8]
	local own = math.max(0, decided - (entry.decided or 0))
	local new = news or own
	if entry.hoped and news then
		local part = math.min(1, new / math.max(1, entry.hoped))
		self.yield = 0.5 * (self.yield + part)
		if part < little then
			disappoint(self.faith, entry)
			self:learn(self.open)
		end
	elseif entry.hoped then
		self.yield = 0.5 * self.yield                -- what is new is not known: others may have decided it before
	elseif not entry.decided then
		self.decided, self.conditions = self.decided + new, self.conditions + math.max(1, entry.gain)
	elseif entry.deep then
		entry.depth = math.min(1, new / math.max(1, entry.deep))
		self.depth, entry.deep = 0.5 * (self.depth + entry.depth), nil
	end
	entry.hoped = nil
	entry.decided, entry.last = decided, { decided = own, pending = n[9], seconds = math.max(seconds, 0.1) }
	if entry.ended == "time" then
		table.insert(self.again, entry)
	end
end

return entries
