-- kept: proofs of one call of prove, as verdicts(5) for the store: all its records but the inputs to be run and the
-- names of its goals that outlast changes of the program.
--   kept.new() -> list; list:add(record); list:text(names); list.infeasible: whether there is an infeasible verdict
--                         names: duct.goalnames
--   kept.translate(text, numbers, holds) -> the same text for another program: the claims whose goals are there, and a
--                         list of these, { goal, evidence }; nil: there are none. numbers: { [name that outlasts
--                         changes] = name }; holds(goal, given): may the claim be made, under these given facts?
local Kept = {}
Kept.__index = Kept

local kept = {}

local escapes = { ["\t"] = "\\t", ["\n"] = "\\n", ["\\"] = "\\\\" }

local function escaped(field)
	return (field:gsub("[\t\n\\]", escapes))
end

local function text_of(lines)
	return ("#verdicts 1 duct\n%s\nend\t%d\n"):format(table.concat(lines, "\n"), #lines)
end

-- The names in a list of names and ranges.
local function names_in(list)
	local names = {}
	for word in list:gmatch("[^,]+") do
		local kind, first, last = word:match("^(o?)(%d+)%-?(%d*)$")
		first = math.tointeger(first)
		for n = first, math.tointeger(last) or first do
			names[#names + 1] = kind .. n
		end
	end
	return names
end

function kept.new()
	return setmetatable({ lines = {}, infeasible = false, goals = {} }, Kept)
end

function Kept:add(record)
	if record[1] == "value" then
		return
	end
	local fields = {}
	for i, field in ipairs(record) do
		fields[i] = escaped(field)
	end
	self.lines[#self.lines + 1] = table.concat(fields, "\t")
	self.infeasible = self.infeasible or record[1] == "verdict" and record[5] == "infeasible"
	if record[1] == "model" then
		self.goals[#self.goals + 1] = record[5]
	end
end

function Kept:text(names)
	local lines, told = table.move(self.lines, 1, #self.lines, 1, {}), {}
	for _, list in ipairs(self.goals) do
		for _, goal in ipairs(names_in(list)) do
			if names[goal] and not told[goal] then
				told[goal] = true
				lines[#lines + 1] = ("name\t%s\t%s"):format(goal, escaped(names[goal]))
			end
		end
	end
	return text_of(lines)
end

-- Records as lists of fields, which stay escaped.
local function records_of(text)
	local list = {}
	for line in text:gmatch("[^\n]+") do
		local fields = {}
		for field in (line .. "\t"):gmatch("([^\t]*)\t") do
			fields[#fields + 1] = field
		end
		list[#list + 1] = not line:find("^#") and fields[1] ~= "end" and fields or nil
	end
	return list
end

-- By the name of a goal in the text, its name in the program at hand.
local function translation(records, numbers)
	local to = {}
	for _, r in ipairs(records) do
		if r[1] == "name" then
			to[r[2]] = numbers[(r[3]:gsub("\\(.)", { t = "\t", n = "\n", ["\\"] = "\\" }))]
		end
	end
	return to
end

-- The goals of a model record in their order; nil: one of them is not there.
local function goals_of(list, to)
	local names = names_in(list)
	for i, name in ipairs(names) do
		if not to[name] then
			return nil
		end
		names[i] = to[name]
	end
	return table.concat(names, ",")
end

function kept.translate(text, numbers, holds)
	local records, lines, claims, of, verdicts = records_of(text), {}, {}, {}, {}
	local to = translation(records, numbers)
	local function put(...)
		lines[#lines + 1] = table.concat({ ... }, "\t")
	end
	for _, r in ipairs(records) do
		if r[1] == "model" then
			local goals = goals_of(r[5], to)
			of[r[2]] = goals and r[3]:match("^%l+,?(.*)$")
			if goals then
				put("model", r[2], r[3], r[4], goals)
			end
		elseif r[1] == "verdict" then
			local goal = to[r[4]]
			if r[5] == "infeasible" and goal and of[r[3]] and holds(goal, of[r[3]]) then
				claims[#claims + 1] = { goal = goal, evidence = r[6] }
				verdicts[r[2]] = #claims
				put("verdict", #claims, r[3], goal, "infeasible", r[6])
			end
		elseif r[1] == "proof" and verdicts[r[2]] then
			put("proof", verdicts[r[2]], table.unpack(r, 3))
		elseif r[1] == "question" or r[1] == "narrow" or r[1] == "invariant" or r[1] == "clause" then
			put(table.unpack(r))
		elseif r[1] == "name" and to[r[2]] then
			put("name", to[r[2]], r[3])
		end
	end
	return claims[1] and text_of(lines), claims
end

return kept
