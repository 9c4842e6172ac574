-- tables: flow(5), pairs(5) and goals(5) as tables, for tests.
local M = {}

local function escape(s)
	return (s:gsub("\\(.)(%x?%x?)", function(c, hex)
		if c == "x" then return string.char(tonumber(hex, 16)) end
		return (({ t = "\t", n = "\n", ["\\"] = "\\" })[c] or c) .. hex
	end))
end

-- The records of a text: { tag, field, ... }.
function M.records(text)
	local line = text:gmatch("[^\n]+")
	return function()
		for l in line do
			if l:byte() ~= 35 then
				local r = {}
				for f in (l .. "\t"):gmatch("([^\t]*)\t") do r[#r + 1] = f:find("\\", 1, true) and escape(f) or f end
				return r
			end
		end
	end
end

-- The name that flowrun gives the pair.
function M.name(pair)
	local d = pair.def
	local def = d.how == "incoming" and "incoming " .. d.func or d.how == "argument" and "argument " .. d.inst
		or d.how == "result" and "result " .. d.inst or tostring(d.inst)
	return ("%s %d %s"):format(def, pair.use.inst, pair.kind == "c" and "c" or pair.outcome)
end

function M.read(text)
	local func, def, use, all = {}, {}, {}, {}
	for r in M.records(text) do
		local id = tonumber(r[2])
		if r[1] == "func" then
			func[id] = r[5]
		elseif r[1] == "def" or r[1] == "use" then
			(r[1] == "def" and def or use)[id] = { func = func[tonumber(r[3])], inst = tonumber(r[4]), how = r[5],
				line = tonumber(r[7]), col = tonumber(r[8]), path = r[9] }
		elseif r[1] == "pair" then
			all[id] = { id = id, def = def[tonumber(r[3])], use = use[tonumber(r[4])], kind = r[5],
				outcome = tonumber(r[6]), key = r[7], name = r[8] }
		end
	end
	return all
end

-- By pair: { points = { { inst, role }, ... }, kills = { { inst, force }, ... } }
function M.goals(text)
	local point, kills, all = {}, {}, {}
	for r in M.records(text) do
		local id = tonumber(r[2])
		if r[1] == "point" then
			point[id] = { up = tonumber(r[3]), inst = tonumber(r[5]), role = r[6] }
		elseif r[1] == "place" then
			kills[id] = {}
		elseif r[1] == "kill" then
			table.insert(kills[id], { inst = tonumber(r[4]), force = r[5] })
		elseif r[1] == "goal" then
			local points, at = {}, tonumber(r[4])
			while at ~= 0 do
				table.insert(points, 1, point[at])
				at = point[at].up
			end
			all[tonumber(r[3])] = { points = points, kills = kills[tonumber(r[5])] or {} }
		end
	end
	return all
end

-- Instructions by id, with their lines.
function M.flow(text)
	local flow = { inst = {} }
	for r in M.records(text) do
		if r[1] == "inst" then flow.inst[tonumber(r[2])] = { line = tonumber(r[7]), block = tonumber(r[3]) } end
	end
	return flow
end

return M
