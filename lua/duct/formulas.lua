-- formulas: summaries of calls as formulas. A path through a function is a list of conditions over the inputs that it
-- reads, and its result an expression of them. Whether a call can take such a path where a run needs its result is a
-- question for the solver, for which nothing is run.
--   formulas.put(list, s, most)    puts a path, of a `size` and a `way`, into a list of the shortest different ones
--   formulas.new(space, ask)       ask(conditions, values) -> "sat", values; "unsat" or "unknown"
--   f:learn(known)                 a real run: its conditions, its calls with the conditions in each
--   f:of(call)                     the summaries of a call's function, those of short paths first
--   f:solve(abstract, known, which, s, goals)   inputs with which the call number `which` of a real run takes the
--                                  path of a summary, after the same way to it, and these conditions of an abstract run
--                                  hold, as far as they are about calls up to this one; false: there are none; nil: it
--                                  is not known
local formulas = {}
local Formulas = {}
Formulas.__index = Formulas

local most_paths = 16                                 -- that are kept of a function

function formulas.new(space, ask)
	return setmetatable({ space = space, ask = ask, paths = {} }, Formulas)
end

function formulas.put(list, s, most)
	local at = #list + 1
	for i, other in ipairs(list) do
		if other.way == s.way then
			return
		elseif at > i and s.size < other.size then
			at = i
		end
	end
	table.insert(list, at, s)
	list[most + 1] = nil
end

-- The results of calls that an expression may stand for: by a constant, where inputs do not decide it.
local function value_of(call)
	return call.value or call.result and { call.result }
end

function Formulas:learn(known)
	for _, call in ipairs(known.calls) do
		local value = call.returned and value_of(call)
		if value then
			local conditions = table.move(known.conditions, call.from + 1, call.to, 1, {})
			self.paths[call.site] = self.paths[call.site] or {}
			formulas.put(self.paths[call.site], { call = call, way = call.path, conditions = conditions,
				size = #conditions, value = value }, most_paths)
		end
	end
end

function Formulas:of(call)
	return self.paths[call.site] or {}
end

-- The array and the index in the name of an input; nil if it has none.
local function place_of(name)
	local before, index, after = name:match("^(.-%[)(%d+)(%].*)$")
	return before, math.tointeger(tonumber(index)), after
end

-- Adds to a map what the inputs of an expression are for a call that reads each array from another index on. False: it
-- does not read one of these arrays.
function Formulas:move_inputs(map, expression, from, to)
	for _, input in ipairs(self.space:inputs(expression)) do
		local before, index, after = place_of(input.name)
		local base = before and before .. after
		if base and from[base] and not to[base] then
			return false
		elseif base and from[base] and to[base] ~= from[base] then
			map[input.name] = before .. index + to[base] - from[base] .. after
		end
	end
	return true
end

-- The conditions and the result of a summary for another call of the function; nil: it has no such inputs.
function Formulas:moved(s, call)
	local list, map = table.move(s.conditions, 1, #s.conditions, 1, {}), {}
	list[#list + 1] = type(s.value) ~= "table" and s.value or nil
	for _, e in ipairs(list) do
		if not self:move_inputs(map, e, s.call.first, call.first) then
			return nil
		end
	end
	local moved = next(map) and self.space:replace(list, map) or list
	local value = type(s.value) == "table" and s.value or table.remove(moved)
	return moved, value
end

-- The names of the results of the calls up to a number, in an abstract run, with what they are in a real run.
local function results(abstract, known, which, value)
	local map, counts = {}, {}
	for i = 1, which do
		local callee = abstract.asked[i] and abstract.asked[i].callee or ""
		counts[callee] = (counts[callee] or 0) + 1
		map[("%s#%d"):format(callee, counts[callee])] = i == which and value or value_of(known.calls[i])
	end
	return map
end

-- Is an expression about the inputs of the program and these results alone?
function Formulas:is_about(expression, map)
	for _, input in ipairs(self.space:inputs(expression)) do
		if input.name:find("#", 1, true) and not map[input.name] then
			return false
		end
	end
	return true
end

function Formulas:solve(abstract, known, which, s, goals)
	local call = known.calls[which]
	local conditions, value = self:moved(s, call)
	if not conditions then
		return nil
	end
	table.move(known.conditions, 1, call.from, #conditions + 1, conditions)
	local map, promised = results(abstract, known, which, value), {}
	for _, condition in ipairs(goals) do
		promised[#promised + 1] = self:is_about(condition, map) and condition or nil
	end
	promised = self.space:replace(promised, map)
	if not promised then
		return nil
	end
	table.move(promised, 1, #promised, #conditions + 1, conditions)
	local answer, values = self.ask(conditions, known.values)
	if answer == "sat" then
		return values
	end
	return answer ~= "unsat" and nil
end

return formulas
