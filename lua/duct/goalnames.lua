-- goalnames: names of goals that are the same when code elsewhere changes. A goal is named in verdicts(5) by its number
-- in goals(5), `7` of a pair, `o7` of others: a name of one program.
--   goalnames.of(flow, lines) -> { [number] = name }; of the goals in these lines of goals(5)
local goalnames = {}

-- Of a unit: by block, its function; by outcome and by condition at an instruction, its name.
local function index(flow, u)
	local of, funcs = { block = {}, outcome = {}, check = {}, first = {} }, {}
	for _, f in ipairs(flow:functions(u)) do
		funcs[f.id] = f.name
		for b = f.first, f.first + f.blocks - 1 do
			of.block[b] = ("%s\t%d"):format(f.name, b - f.first)
		end
	end
	local number = {}
	for _, b in ipairs(flow:branches(u)) do
		number[b.func] = (number[b.func] or 0) + 1
		for k = 0, b.kind == "s" and b.cases or 1 do
			of.outcome[b.first + k] = ("%s\t%d\t%d"):format(funcs[b.func], number[b.func], k)
		end
	end
	local counts = {}
	for _, c in ipairs(flow:checks(u)) do
		local key = ("%s\t%s"):format(funcs[c.func], c.kind)
		counts[key] = (counts[key] or 0) + 1
		of.check[("%d\t%s"):format(c.inst, c.kind)] = ("%s\t%d"):format(key, counts[key])
	end
	return of
end

local function list_of(of, text)
	local list = {}
	for word in text:gmatch("%d+") do
		list[#list + 1] = of[math.tointeger(word)] or "?"
	end
	return table.concat(list, "\t")
end

local name_of = {
	outcome = function(of, rest) return of.outcome[math.tointeger(rest:match("%d+$"))] end,
	condition = function(of, rest) return of.check[rest] end,
	blocks = function(of, rest) return list_of(of.block, rest) end,
	evaluation = function(of, rest) return list_of(of.outcome, rest) end,
}

function goalnames.of(flow, lines)
	local by_key, unit, names = {}, {}, {}
	for u = 0, flow:units() - 1 do
		by_key[flow:key(u)] = u
	end
	for _, line in ipairs(lines) do
		local tag, id, second, rest = line:match("^(%l+)\t(%d+)\t?([^\t]*)\t?(.*)$")
		if tag == "unit" then
			unit[id] = { name = rest, of = by_key[second] and index(flow, by_key[second]) }
		elseif tag == "goal" then
			names[second] = "pair\t" .. rest:match("^[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t([^\t]*)")
		elseif name_of[tag] and unit[second] and unit[second].of then
			local name = name_of[tag](unit[second].of, rest)
			names["o" .. id] = name and ("%s\t%s\t%s"):format(tag, unit[second].name, name)
		end
	end
	return names
end

return goalnames
