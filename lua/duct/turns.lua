-- turns: coroutines that interleave searches, so that each gets its share of the runs. A search is a function that
-- calls turns.pause() after each run, and returns its result.
--   turns.pause()                  suspends the current search after a run
--   turns.begin(search)            -> a search that can be suspended and resumed
--   turns.within(begun, runs)      -> true and its result, if any; false if it needs more runs than that
--   turns.first(next)              interleaves searches; the first result, or nil if none finds anything. next()
--                                  returns one search after the other, then nil, and may pause too
local turns = {}

local share = 64                                      -- runs before the next search gets its turn

function turns.pause()
	if coroutine.isyieldable() then
		coroutine.yield()
	end
end

-- Resumes a search until its next run; returns whether it has ended, and its result.
local function go_on(search)
	local ok, value = coroutine.resume(search.routine)
	if not ok then
		error(value, 0)
	end
	return coroutine.status(search.routine) == "dead", value
end

function turns.begin(search)
	return { routine = coroutine.create(search), spent = 0 }
end

function turns.within(begun, runs)
	for _ = 0, runs do
		local ended, found = go_on(begun)
		if ended then
			return true, found
		end
	end
	return false
end

-- The first search that has not used its share.
local function next_in_turn(list, limit)
	for i, s in ipairs(list) do
		if s.spent < limit then
			return i, s
		end
	end
end

-- Each search gets the same number of runs before the next one is fetched, for which next() may use as many; then it
-- doubles.
function turns.first(next)
	local source = turns.begin(function()
		for search in next do
			coroutine.yield(search)
		end
	end)
	local list, limit = { source }, share             -- `source`, which fetches searches, stays last
	while #list > 0 do
		local i, s = next_in_turn(list, limit)
		if not s then
			limit = 2 * limit
		else
			local ended, value = go_on(s)
			if s == source and value then
				table.insert(list, #list, turns.begin(value))
			elseif ended then
				table.remove(list, i)
			end
			if s ~= source and ended and value then
				return value
			elseif not ended and not value then
				s.spent = s.spent + 1
				turns.pause()
			end
		end
	end
end

return turns
