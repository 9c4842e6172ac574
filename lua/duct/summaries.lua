-- summaries: results of calls in real runs, which are tried first when another run needs such a result.
--
-- Real runs form a trie by the outcomes of their conditions outside of calls. A summary of a call is a formula
-- (duct.formulas), and also its result and the values of the inputs in its conditions: when another call needs the
-- same result and the formula does not tell, these values are proposed for the inputs that this call reads; in arrays
-- these are at another index.
local formulas = require "duct.formulas"

local summaries = {}
local Summaries = {}
Summaries.__index = Summaries

local most_summaries = 4                              -- kept for each result
local most_proposals = 16                             -- for one outcome

function summaries.new(space, ask)
	return setmetatable({ space = space, formulas = formulas.new(space, ask), runs = { next = {} }, callees = {},
		inputs = {}, fills = {}, numbered = 0 }, Summaries)
end

local function key_of(e)
	return e.site << 8 ~ e.outcome
end

-- The array and the index in the name of an input; nil if it has none.
local function place_of(name)
	local before, index, after = name:match("^(.-%[)(%d+)(%].*)$")
	return before and { before = before, after = after }, tonumber(index)
end

-- The inputs of the program in a condition.
function Summaries:about(condition)
	local list = self.inputs[condition]
	if not list then
		list = {}
		for _, input in ipairs(self.space:inputs(condition)) do
			if not input.name:find("#", 1, true) then
				input.array, input.index = place_of(input.name)
				input.base = input.array and input.array.before .. input.array.after or input.name
				list[#list + 1] = input
			end
		end
		self.inputs[condition] = list
	end
	return list
end

-- The outermost calls of a run: site, name, result, its expression, effects (by part of memory, an expression or a
-- list of the value), number of calls executed before, of conditions before (`from`) and at the end (`to`), inputs in
-- the call's conditions, and the first index read in each array. And the conditions that hold in the run.
function Summaries:calls(events, effects)
	local list, conditions, inside, executed, call = {}, {}, 0, 0, nil
	for i, e in ipairs(events) do
		if e.kind == "asked" then
			if inside == 0 then
				call = { site = e.site, name = e.called, inputs = {}, first = {}, way = {}, executed = executed,
					from = #conditions }
				list[#list + 1] = call
			end
			executed = executed + (e.outcome == 0 and 1 or 0)
			inside = inside + (e.outcome == 1 and 0 or 1)
		elseif e.kind == "return" then
			if inside == 1 then
				call.result, call.value, call.returned, call.to = e.result, e.returned, true, #conditions
				call.effects = effects[i]
			end
			inside = math.max(inside - 1, 0)
		end
		conditions[#conditions + 1] = e.conditions and e.conditions[e.outcome] or nil
		local within = inside > 0 and e.value
		if within then
			call.way[#call.way + 1] = ("%d:%d"):format(e.site, e.outcome)
		end
		for _, input in ipairs(within and self:about(e.value) or {}) do
			if not call.inputs[input.name] then
				call.inputs[input.name] = input
				call.inputs[#call.inputs + 1] = input
				call.first[input.base] = call.first[input.base] or input.index
			end
		end
	end
	return list, conditions
end

-- The summary of a call, with the values of its inputs.
local function summary_of(call, values)
	local s = { call = call, value = {}, way = call.path, size = call.steps }
	for i, input in ipairs(call.inputs) do
		s.value[i] = values:get(input.name)
	end
	return s
end

local function below(node, e)
	local key = key_of(e)
	local next_node = node.next[key]
	if not next_node then
		next_node = { next = {} }
		node.next[key] = next_node
	end
	return next_node
end

-- Remembers the value of the first input that a call read: callees may skip such values, as blanks (see
-- Summaries:shifted).
function Summaries:add_fill(value)
	for _, other in ipairs(self.fills) do
		if other == value then
			return
		end
	end
	self.fills[#self.fills + 1] = value
end

-- A proposal was right: its fill value is tried first from now on.
function Summaries:confirm(proposal)
	for i, value in ipairs(self.fills) do
		if value == proposal.fill then
			table.remove(self.fills, i)
			table.insert(self.fills, 1, value)
		end
	end
end

-- The list of summaries of a function for a result; nil as a result means no integer result.
function Summaries:of_result(site, result)
	local callee = self.callees[site] or {}
	self.callees[site] = callee
	for _, list in ipairs(callee) do
		if list.result == result then
			return list
		end
	end
	callee[#callee + 1] = { result = result }
	return callee[#callee]
end

function Summaries:learn_call(call, values)
	local s, list = summary_of(call, values), self:of_result(call.site, call.result)
	call.of_result = list
	formulas.put(list, s, most_summaries)
	self:add_fill(s.value[1])
end

-- A real run. A call that did not return has no result to be tried for.
function Summaries:learn(run)
	local known, node = { values = run.values, size = 0 }, self.runs
	known.calls, known.conditions = self:calls(run.events, run.effects)
	for _, call in ipairs(known.calls) do
		known.size = known.size + #call.inputs
		call.path, call.steps, call.way = table.concat(call.way, " "), #call.way, nil
	end
	self.formulas:learn(known)
	for _, e in ipairs(run.outcomes) do
		node = below(node, e)
		node.least = node.least and node.least.size <= known.size and node.least or known
		node.last = known
	end
	for _, call in ipairs(known.calls) do
		if call.returned then
			self:learn_call(call, run.values)
		end
	end
	run.known = known
end

-- The length of the longest prefix of these outcomes in a real run, and the trie node there.
function Summaries:kept(promised)
	local node = self.runs
	for i, e in ipairs(promised) do
		local next_node = node.next[key_of(e)]
		if not next_node then
			return i - 1, node
		end
		node = next_node
	end
	return #promised, node
end

-- The last abstract call whose result or writes an outcome depends on: its number, and the input that stands for the
-- result or the write. Nil if there is none.
function Summaries:culprit(abstract, e)
	local which, about
	for _, input in ipairs(e.value and self.space:inputs(e.value) or {}) do
		local name, count = input.name:match("^(.*)#(%d+)")
		local n = 0
		for i, call in ipairs(name and abstract.asked or {}) do
			n = n + (call.callee == name and 1 or 0)
			if call.callee == name and n == tonumber(count) and i >= (which or i) then
				which, about = i, input
			end
		end
	end
	return which, about
end

-- The summaries of a function whose result satisfies the conditions of an abstract run. input: the abstract result.
function Summaries:agreeing(abstract, site, input)
	local about, lists, values = {}, {}, self.space:adopt({}, abstract.values, self.space:model())
	local name = input.name:match("^[^.]*")
	for _, condition in ipairs(abstract.conditions) do
		for _, other in ipairs(self.space:inputs(condition)) do
			if other.name == name then
				about[#about + 1], input = condition, other
			end
		end
	end
	for _, list in ipairs(self.callees[site] or {}) do
		if list.result and input.name == name then
			values:set(name, input.kind, input.width, list.result)
		end
		if not list.result or not self.space:unmet(about, values) then
			lists[#lists + 1] = list
		end
	end
	return lists
end

-- The values of a run with those of a summary at the indices where the given call reads, after one element `fill` if
-- that is given; nil if the call does not read these arrays.
function Summaries:shifted(known, call, s, fill)
	local wish = self.space:model()
	for i, input in ipairs(s.call.inputs) do
		local name, from = input.name, call.first[input.base]
		if input.array and not from then
			return nil
		elseif input.array then
			local at = from + input.index - s.call.first[input.base]
			name = input.array.before .. at + (fill and 1 or 0) .. input.array.after
			if fill and at == from then
				wish:set(input.array.before .. at .. input.array.after, input.kind, input.width, fill)
			end
		end
		wish:set(name, input.kind, input.width, s.value[i])
	end
	return { values = self.space:adopt({}, known.values, wish), fill = fill }
end

-- The values of a run with `by` elements removed from each array that the given call read, from the first index
-- that it read on; later elements move forward.
function Summaries:moved(known, call, by)
	local wish, done = self.space:model(), {}
	for _, input in ipairs(call.inputs) do
		local at = input.array and not done[input.base] and call.first[input.base]
		done[input.base] = true
		local function name(i)
			return input.array.before .. i .. input.array.after
		end
		while at and known.values:get(name(at)) do
			wish:set(name(at), input.kind, input.width, known.values:get(name(at + by)) or 0)
			at = at + 1
		end
	end
	return self.space:adopt({}, known.values, wish)
end

-- The real runs that share the longest prefix with a path; the number of the call that has to change; and the input of
-- the abstract run that stands for its result. Nil if there is none.
function Summaries:nearest(abstract, promised)
	local kept, node = self:kept(promised)
	local which, input = self:culprit(abstract, promised[kept + 1] or {})
	local list = {}
	for _, known in ipairs(node.least == node.last and { node.last } or { node.least, node.last }) do
		list[#list + 1] = known.calls[which] and known
	end
	return list, which, input
end

-- The conditions of the first outcomes of a path.
local function conditions_of(promised, n)
	local list = {}
	for i = 1, n do
		list[#list + 1] = promised[i] and promised[i].conditions and promised[i].conditions[promised[i].outcome] or nil
	end
	return list
end

-- The values that formulas tell: for all of the path as far as it is known, or else for one outcome more; and by path
-- of the call what is refuted by them.
function Summaries:solved(abstract, known, which, promised)
	local next_one, refuted = conditions_of(promised, self:kept(promised) + 1), {}
	for _, goals in ipairs { abstract.conditions, next_one } do
		for _, s in ipairs(self.formulas:of(known.calls[which])) do
			local values = self.formulas:solve(abstract, known, which, s, goals)
			if values then
				return { { values = values } }, refuted
			end
			refuted[s.way] = goals == next_one and values == false
		end
	end
	return {}, refuted
end

-- A list of values with which a real run may share a longer prefix with an abstract run. abstract: the run, with its
-- `asked` events and `conditions`; promised: its outcomes.
function Summaries:proposals(abstract, promised)
	local list, runs, which, input = {}, self:nearest(abstract, promised)
	for _, known in ipairs(runs) do
		local call = known.calls[which]
		local agreeing = self:agreeing(abstract, call.site, input)
		local solved, refuted = self:solved(abstract, known, which, promised)
		table.move(solved, 1, #solved, #list + 1, list)
		for _, of_result in ipairs(agreeing) do
			for _, s in ipairs(of_result) do
				list[#list + 1] = not refuted[s.way] and self:shifted(known, call, s) or nil
			end
		end
		for _, fill in ipairs(self.fills) do
			for _, of_result in ipairs(agreeing) do
				list[#list + 1] = #list < most_proposals and self:shifted(known, call, of_result[1], fill) or nil
			end
		end
	end
	return list
end

-- A text for the known obstacle to making a path real: a result of a call for which the function has no
-- summary, or the first outcome that no real run has after the same prefix.
function Summaries:obstacle(abstract, promised)
	local runs, which, input = self:nearest(abstract, promised)
	local site = runs[1] and runs[1].calls[which].site
	if site and #self:agreeing(abstract, site, input) == 0 then
		return ("%d gives %d"):format(site, abstract.values:get(input.name))
	end
	local kept, node = self:kept(promised)
	node.number = node.number or self:next_number()
	return ("%d, then %d"):format(node.number, promised[kept + 1] and key_of(promised[kept + 1]) or 0)
end

function Summaries:next_number()
	self.numbered = self.numbered + 1
	return self.numbered
end

-- Where to continue: the values of a real run, and the number of calls that it executes before the call that has to
-- change. Nil if there is none.
function Summaries:start(abstract, promised)
	local runs, which = self:nearest(abstract, promised)
	if runs[1] then
		return runs[1].values, runs[1].calls[which].executed
	end
end

-- The values of a real run that shares the longest prefix with a path; nil if there is none.
function Summaries:values(promised)
	local _, node = self:kept(promised)
	return node.least and node.least.values
end

return summaries
