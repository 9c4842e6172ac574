-- entries: the scheduler of duct test: which function gets the next turn, and how many seconds, when there may not be
-- time for all. A turn is a session with the function as its entry.
--
-- Entries without a turn so far wait in an order found greedily: next is the one with the largest gain for the size of
-- its program and of the code still to be made. The gain counts conditions that no earlier entry reaches, or reaches
-- over more calls. First turns share half of the time; each gets at least twice what building the program and starting
-- the session take, or an equal part of the time left if there is less. A main without inputs does the same in each
-- run, so it comes first, or last if a recorded suite has run it.
-- An entry with open objectives gets another turn when
-- that promises more objectives per second than the first turn of a waiting entry. The estimates are what its last turn
-- decided, and what first turns decided for each condition gained. A waiting entry comes before its place in the order
-- when many open objectives are close to it. Their number is halved for each call between; `yield`, the part of them
-- that such a turn decides, is learned.
--   entries.near(flow, name)       -> { [name of a function that it reaches] = calls between, `farthest` at most }
--   entries.conditions(flow, name, near) -> { [unit << 32 | id] = weight } of the functions that it reaches: the number
--                                     of their conditions plus 1, halved for each call between beyond `shallow`
--   entries.schedule(list, store, time, reading) -> a schedule. The entries of the list have `name`, `number`,
--                                     `conditions`, `near`, `same` (a main without inputs?), `size` (of the program)
--                                     and, where programs share the code of files, `code`: { [file] = blocks }; they
--                                     get `place`, the number in the order. store: may be nil; reading: seconds that
--                                     reading all files took
--   schedule.least                 seconds that a turn must have
--   schedule:begins(entry)         estimated seconds until the first run of its turn ends
--   schedule:needs(entry)          estimated seconds from the end of building until some runs have ended
--   schedule.waiting               entries without a turn so far, in order
--   schedule:next(left)            -> the next entry and its seconds; nil: no entry needs more
--   schedule:soon(left)            the entry that next() will give if nothing new is learned until then
--   schedule:learn(open)           open: the result of store:open()
--   schedule:closes(entry, seconds)  the part of its seconds that its session needs for writing results
--   schedule:took(entry, seconds, news, late)  after a turn; the entry has its figures, or `failed`. news: objectives
--                                  decided that were open in all sessions before, nil: not known; late: seconds that
--                                  the session took beyond its time
local entries = {}
local least = 0.3                                     -- least seconds of a turn, without building
local fading = 0.1                                    -- of what a turn decided, the part expected of the next one
local most_closing = 0.2                              -- most of a turn's time that is kept for writing results
local longer = 3                                      -- most times its last turn, while others wait
local large = 1 / 16                                  -- of all time: reading a large program takes more than this
local little = 0.05                                   -- of the open objectives: a turn that decides less disappoints
local plenty = 200                                    -- open objectives of a function; the weight of more grows slowly
local coding = 8                                      -- first estimate: making code takes this many times reading
local hard = 3                                        -- code that is still to be made costs this many times its size
local most_of_left = 1 / 3                            -- most of the time left for a first turn, while others wait
local several, most_first = 8, 3                      -- if so many wait, a first turn has at most that times its least
local shallow = 3                                     -- calls between up to which a first turn finds easy objectives
local farthest = 5                                    -- calls between that are assumed for calls through pointers

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

-- Notes that the code of an entry's files is made; `of`: lists of entries by file. An entry's `fresh` is the size of
-- the code that is still to be made for it.
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

-- Orders by gain per size: building a program and finding its pairs take time in proportion to its size.
local function better(a, b)
	local x, y = a.gain / (a.size + hard * a.fresh), b.gain / (b.size + hard * b.fresh)
	if x ~= y then
		return x > y
	end
	return a.number < b.number
end

-- The greedy order. Gains only shrink as entries are chosen, so only the gain of the best candidate is computed again.
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

-- The entries in their order. `weight` is an entry's share of the time: half is equal for all, half by gain. Entries
-- with programs larger than `most` come after the others, because their sessions may end before the first run.
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

-- The weight of n open objectives of a function, less than n if there are many: a turn decides few of the 249,000 pairs
-- in an interpreter's loop.
local function counted_as(n)
	return n <= plenty and n or plenty * (1 + math.log(n / plenty))
end

-- The weight of the open objectives close to an entry: halved for each call between, times the `faith` in the function
-- that has them, 1 by default.
local function hope(entry, open, faith)
	local sum = 0
	for name, calls in pairs(entry.near) do
		sum = sum + counted_as(open[name] or 0) * (faith[name] or 1) * 0.5 ^ calls
	end
	return sum
end

-- A turn decided little of what is close to its entry: lowers the faith in the functions there.
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

-- Among waiting entries that the time left is enough for, the one with the most open objectives close to it; its place
-- in the list, the objectives that a second of it is expected to decide, and its seconds.
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

function schedule:needs(entry)
	return least + 1.5 * self.starting * entry.size / self.size
end

-- Estimated from programs of other sizes.
function schedule:begins(entry)
	local code = self.coding * entry.fresh
	return least + code + ((entry.last and 0 or self.building) + self.starting) * entry.size / self.size
end

-- The least seconds of a worthwhile turn: twice what is needed before the first run, code that is still to be made not
-- doubled; or an equal part of the time left for waiting entries, if that is less.
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

-- The part of the open objectives close to an entry that its next turn is expected to decide, learned from its own last
-- turn or from others' turns. 0 if its last turn left no branch open, as when a function fails in each run.
function schedule:deeper(entry)
	return entry.last.pending == 0 and 0 or entry.depth or self.depth
end

-- The objectives that the next second of an entry is expected to decide, never 0. First turns find the easy ones: on
-- cJSON a second of the second turn decided a tenth to a twentieth of what a second of the first one did. Open branches
-- may lead to more.
function schedule:promise(entry)
	local hoped = entry.hope or 0
	return (fading * math.min(entry.last.decided, hoped) + self:deeper(entry) * hoped + 0.01) / entry.last.seconds
end

-- Among entries that had a turn and need more, the most promising one; its index, and its part of their time.
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

-- Objectives that a second of a first turn is expected to decide.
function schedule:fresh(first, seconds)
	return self.conditions == 0 and math.huge or (first.gain + 0.5) * (self.decided + 1) / self.conditions / seconds
end

-- The index of the first waiting entry that needs no more than a part of the time left, because building a large
-- program may take all of it on a busy machine; if there is none, of the one whose first run comes soonest.
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
		self.yield = 0.5 * self.yield                -- the number of new objectives is unknown: others may have decided them
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
