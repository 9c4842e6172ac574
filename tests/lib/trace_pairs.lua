-- trace_pairs: the pairs that traces tell, for tests: by "DEF USE OUTCOME" as flowrun has them.
local tables = require "tables"
local tap = require "tap"
local M = {}

-- The traces of a text: { inputs, pairs, ends, units }.
function M.traces(text)
	local list, t = {}, nil
	for r in tables.records(text) do
		if r[1] == "trace" then
			t = { inputs = {}, pairs = {}, unit = {} }
			list[#list + 1] = t
		elseif r[1] == "unit" then
			t.unit[tonumber(r[2])] = r[3]
		elseif r[1] == "var" then
			local width = tonumber(r[5])
			t.inputs[#t.inputs + 1] = { name = r[3], kind = r[4], width = width, size = (width + 7) // 8,
				value = math.tointeger(tonumber("0x" .. r[6]:sub(-16))), offset = tonumber(r[7]) or 0 }
		elseif r[1] == "pair" then
			t.pairs[#t.pairs + 1] = r
		elseif r[1] == "done" then
			t.ended = r[2]
		end
	end
	return list
end

-- The meaning of a trace's records in a scope: pairs as flowrun has them.
function M.meaning(p, t, inter, entry)
	local set = {}
	local function add(def, use, outcome) set[("%s %d %s"):format(def, use, outcome)] = true end
	for _, r in ipairs(t.pairs) do
		local def, use, outcome, when = r[3], r[5], r[6], r[7]
		local kind, number = use:sub(1, 1), tonumber(use:sub(2))
		local inst = kind == "u" and p.use_inst[number] or number
		local from = tonumber(def:sub(2))
		if def:sub(1, 1) == "d" then from = p.def_inst[from] end
		if kind == "r" then
			if inter then add("result " .. from, inst, outcome) end
		elseif inter then
			add(from or "incoming " .. entry, inst, outcome)
			if r[9] then add("argument " .. r[9], inst, outcome) end
		elseif when == "same" then
			add(from, inst, outcome)
		elseif when == "before" then
			add("incoming " .. p.block[p.inst[inst].block].func.name, inst, outcome)
		end
	end
	return set
end

-- The pairs of defuse: by the same keys, their ids.
function M.known(scope, entry, file)
	local status, out, err = tap.run(("defuse -s %s -e %s %s"):format(scope, entry, file))
	if status ~= 0 then return nil, err end
	local set = {}
	for _, p in ipairs(tables.read(out)) do
		local d = p.def
		local def = d.how == "incoming" and "incoming " .. d.func or d.how == "argument" and "argument " .. d.inst
			or d.how == "result" and "result " .. d.inst or tostring(d.inst)
		set[("%s %d %s"):format(def, p.use.inst, p.kind == "c" and "c" or p.outcome)] = p.id
	end
	return set
end

return M
