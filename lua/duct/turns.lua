-- turns: searches that go on by turns, so that none keeps another from its share. A search is a function that pauses after
-- each run, and returns what it found.
--   turns.pause()                  a run was made
--   turns.begin(search)            -> a search that can be left and gone on with
--   turns.within(begun, runs)      -> true, what it found, if anything; false: it needs more runs than that
--   turns.first(next)              what the first of several searches found; nil: none did. next() gives one search after
--                                  the other, nil behind the last, and may pause as well
local turns = {}

local share = 64                                      -- runs before another search has its turn

function turns.pause()
	if coroutine.isyieldable() then
		coroutine.yield()
	end
end

-- Goes on with a search until its next run; has it ended, and what it gave.
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

-- The first one that has not had its share.
local function next_in_turn(list, limit)
	for i, s in ipairs(list) do
		if s.spent < limit then
			return i, s
		end
	end
end

-- Each search has as many runs before the next one is asked for, which may take as many; then all have twice that.
function turns.first(next)
	local source = turns.begin(function()
		for search in next do
			coroutine.yield(search)
		end
	end)
	local list, limit = { source }, share             -- the source is the last one
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
