-- formulas: summaries of calls as formulas. A path through a function is a list of conditions over the inputs that it
-- reads; its result, and the final contents of memory that it may write, are expressions of them. Whether a call can
-- take such a path where a run needs its result or its writes is a query to the solver, without a run.
--   formulas.put(list, s, most)    puts a path, of a `size` and a `way`, into a list of the shortest different ones
--   formulas.new(space, ask)       ask(conditions, values) -> "sat", values; "unsat" or "unknown"
--   f:learn(known)                 a real run: its conditions, its calls with the conditions in each
--   f:known()                      a list of { name, paths, effects }, for the report
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
		if value or call.returned and call.effects then
			local conditions = table.move(known.conditions, call.from + 1, call.to, 1, {})
			self.paths[call.site] = self.paths[call.site] or {}
			formulas.put(self.paths[call.site], { call = call, way = call.path, conditions = conditions,
				size = #conditions, value = value, effects = call.effects or {} }, most_paths)
		end
	end
end

-- The functions of which paths are known, by name, with how many, and how many parts of memory these tell at most.
function Formulas:known()
	local list = {}
	for _, paths in pairs(self.paths) do
		local f = { name = paths[1].call.name or "?", paths = #paths, effects = 0 }
		for _, s in ipairs(paths) do
			local parts = 0
			for _ in pairs(s.effects) do
				parts = parts + 1
			end
			f.effects = math.max(f.effects, parts)
		end
		list[#list + 1] = f
	end
	table.sort(list, function(a, b) return a.name < b.name end)
	return list
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

-- The conditions, the result and the effects of a summary for another call of the function; nil: it has no such inputs.
function Formulas:moved(s, call)
	local list, map, at, effects = table.move(s.conditions, 1, #s.conditions, 1, {}), {}, {}, {}
	local function put(what, e)
		if math.type(e) then
			list[#list + 1] = e
			at[what] = #list
		end
	end
	put("value", s.value)
	for part, e in pairs(s.effects) do
		put(part, e)
	end
	for _, e in ipairs(list) do
		if not self:move_inputs(map, e, s.call.first, call.first) then
			return nil
		end
	end
	local moved = next(map) and self.space:replace(list, map) or list
	for part, e in pairs(s.effects) do
		effects[part] = at[part] and moved[at[part]] or e
	end
	return table.move(moved, 1, #s.conditions, 1, {}), at.value and moved[at.value] or s.value, effects
end

-- Maps the names of the results and effects of the calls up to a number in an abstract run to their expressions in a
-- real run; for the last call, to the given ones.
local function results(abstract, known, which, value, effects)
	local map, counts = {}, {}
	for i = 1, which do
		local callee = abstract.asked[i] and abstract.asked[i].callee or ""
		counts[callee] = (counts[callee] or 0) + 1
		local name = ("%s#%d"):format(callee, counts[callee])
		if i == which then
			map[name] = value
		else
			map[name] = value_of(known.calls[i])
		end
		for part, e in pairs(i == which and effects or known.calls[i].effects or {}) do
			map[("%s.%d"):format(name, part)] = e
		end
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
	local conditions, value, effects = self:moved(s, call)
	if not conditions then
		return nil
	end
	table.move(known.conditions, 1, call.from, #conditions + 1, conditions)
	local map, promised = results(abstract, known, which, value, effects), {}
	for _, condition in ipairs(goals) do
		promised[#promised + 1] = self:is_about(condition, map) and condition or nil
	end
	promised = self.space:replace(promised, map)
	if not promised then
		return nil
	end
	table.move(promised, 1, #promised, #conditions + 1, conditions)
	if #conditions == 0 then
		return nil                                 -- every run does
	end
	local answer, values = self.ask(conditions, known.values)
	if answer == "sat" then
		return values
	end
	return answer ~= "unsat" and nil
end

return formulas
