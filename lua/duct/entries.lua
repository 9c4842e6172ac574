-- entries: in which order functions get their turns when there may not be time for all: first those that no session
-- had yet, and of these, again and again, the one that reaches most conditions that those before it do not reach.
--   entries.conditions(flow, name) -> { [function of the program] = its conditions }, of all that it reaches
--   entries.order(list, store)     -> the same entries, with `name`, `number` and `conditions`, and then `weight`:
--                                     the share of the time, half of it equal and half by what it adds; store: or nil
local entries = {}

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
			list[unit << 32 | id] = of[unit << 32 | id]
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

function entries.order(list, store)
	local fresh, known = {}, {}
	for _, entry in ipairs(list) do
		table.insert(store and store:was_entry(entry.name) and known or fresh, entry)
	end
	fresh, known = greedy(fresh), greedy(known)
	local all, total = table.move(known, 1, #known, #fresh + 1, fresh), 0
	for _, entry in ipairs(all) do
		total = total + entry.gain
	end
	for _, entry in ipairs(all) do
		entry.weight = 1 / #all + entry.gain / math.max(1, total)
	end
	return all
end

return entries
