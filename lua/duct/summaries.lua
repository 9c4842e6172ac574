-- summaries: what calls did in real runs, tried first where another run is to go on in the same way.
--
-- Real runs form a trie by the outcomes of their conditions outside of calls. What a call did is its result, and what the
-- inputs were that its conditions are about. At another call that is to have such a result the same values are put where
-- that call reads: in arrays that is another place.
local summaries = {}
local Summaries = {}
Summaries.__index = Summaries

local most_summaries = 4                              -- of one result
local most_proposals = 16                             -- for one condition

function summaries.new(space)
	return setmetatable({ space = space, runs = { next = {} }, callees = {}, inputs = {}, fills = {}, numbered = 0 }, Summaries)
end

local function key_of(e)
	return e.site << 8 ~ e.outcome
end

-- Array and place of an input; the array alone is nil where there is no index.
local function place_of(name)
	local before, index, after = name:match("^(.-%[)(%d+)(%].*)$")
	return before and { before = before, after = after }, tonumber(index)
end

-- Inputs of the program that a condition is about.
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

-- The calls of a run that no other call made: site, result, how many others were executed before, inputs that its
-- conditions are about, and where each array is read first.
function Summaries:calls(events)
	local list, inside, executed, call = {}, 0, 0, nil
	for _, e in ipairs(events) do
		if e.kind == "asked" then
			if inside == 0 then
				call = { site = e.site, inputs = {}, first = {}, way = {}, executed = executed }
				list[#list + 1] = call
			end
			executed = executed + (e.outcome == 0 and 1 or 0)
			inside = inside + (e.outcome == 1 and 0 or 1)
		elseif e.kind == "return" then
			if inside == 1 then
				call.result = e.result
			end
			inside = math.max(inside - 1, 0)
		end
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
	return list
end

-- What a call did, with the values of its inputs.
local function summary_of(call, values)
	local s = { call = call, value = {}, way = table.concat(call.way, " "), steps = #call.way }
	call.way = nil
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

-- Ways that differ, the shortest ones.
local function put(list, s)
	local at = #list + 1
	for i, other in ipairs(list) do
		if other.way == s.way then
			return
		elseif at > i and s.steps < other.steps then
			at = i
		end
	end
	table.insert(list, at, s)
	list[most_summaries + 1] = nil
end

-- What an input of a call was that it read first may be what it skips.
function Summaries:add_fill(value)
	for _, other in ipairs(self.fills) do
		if other == value then
			return
		end
	end
	self.fills[#self.fills + 1] = value
end

-- A proposal was right: what it filled comes first from now on.
function Summaries:confirm(proposal)
	for i, value in ipairs(self.fills) do
		if value == proposal.fill then
			table.remove(self.fills, i)
			table.insert(self.fills, 1, value)
		end
	end
end

-- The summaries of a function for a result; nil: it has none that is an integer.
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

-- A real run.
function Summaries:learn(run)
	local known, node = { values = run.values, calls = self:calls(run.events), size = 0 }, self.runs
	for _, call in ipairs(known.calls) do
		known.size = known.size + #call.inputs
	end
	for _, e in ipairs(run.outcomes) do
		node = below(node, e)
		node.least = node.least and node.least.size <= known.size and node.least or known
		node.last = known
	end
	for _, call in ipairs(known.calls) do
		local s, list = summary_of(call, run.values), self:of_result(call.site, call.result)
		call.of_result = list
		put(list, s)
		self:add_fill(s.value[1])
	end
	run.known = known
end

-- How many of these outcomes a real run kept to, and the node that it got to.
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

-- What an outcome is about of what calls of an abstract run gave, the last: which call, and the input that is its result
-- or part of what it wrote. nil: nothing.
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

-- Which of a function's summaries have a result that agrees with the path of an abstract run. input: its result there.
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
		if not list.result or self.space:holds(about, values) then
			lists[#lists + 1] = list
		end
	end
	return lists
end

-- The values of a run with what a summary has put where a call of it reads, behind a `fill` when there is one; nil: it
-- does not read there.
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

-- The values of a run without `by` places of each array that a call of it read, from the first one on: all behind them is
-- that much nearer.
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

-- The real runs that keep the most of a path, which of their calls has to go another way, and the input of an abstract run
-- that tells so; nil: none.
function Summaries:nearest(abstract, promised)
	local kept, node = self:kept(promised)
	local which, input = self:culprit(abstract, promised[kept + 1] or {})
	local list = {}
	for _, known in ipairs(node.least == node.last and { node.last } or { node.least, node.last }) do
		list[#list + 1] = known.calls[which] and known
	end
	return list, which, input
end

-- What might be values with which a real run keeps more of the path of an abstract run, a list. abstract: its `asked`, its
-- events of calls, and `conditions`; promised: its outcomes.
function Summaries:proposals(abstract, promised)
	local list, runs, which, input = {}, self:nearest(abstract, promised)
	for _, known in ipairs(runs) do
		local call = known.calls[which]
		local agreeing = self:agreeing(abstract, call.site, input)
		for _, of_result in ipairs(agreeing) do
			for _, s in ipairs(of_result) do
				list[#list + 1] = self:shifted(known, call, s)
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

-- What keeps a path from being real, as far as is known: that no call of a function is known to give what one of its calls
-- gives, or the first outcome that no real run kept to, after all before it.
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

-- Where to go on from: values of a real run, and the number of calls that it executes before the one that has to go another
-- way. nil: nowhere.
function Summaries:start(abstract, promised)
	local runs, which = self:nearest(abstract, promised)
	if runs[1] then
		return runs[1].values, runs[1].calls[which].executed
	end
end

-- Values of a real run that keeps the most of a path; nil: there is none.
function Summaries:values(promised)
	local _, node = self:kept(promised)
	return node.least and node.least.values
end

return summaries
