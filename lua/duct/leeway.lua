-- leeway: places where the behaviour depends on the compiler (limit records of flow(5)). No proof is accepted there.
--   leeway.lines(flow, entry)      lines `limit KIND 0 FILE:LINE` for functions that the entry reaches
--   leeway.sentences(flow, name)   the same as readable sentences, joined; nil if there are none
local core = require "duct.core"

local leeway = {}

-- A list of { kind, place } in functions that the named one reaches, without duplicates.
local function found(flow, name)
	local list, seen, reached = {}, {}, flow:reachable(name)
	for unit = 0, flow:units() - 1 do
		for _, l in ipairs(flow:limits(unit)) do
			local place = ("%s:%d"):format(l.file, l.line)
			if reached[unit][l.func] and not seen[l.kind .. place] then
				seen[l.kind .. place] = true
				list[#list + 1] = { kind = l.kind, place = place }
			end
		end
	end
	return list
end

function leeway.lines(flow, entry)
	local lines = {}
	for _, l in ipairs(found(flow, entry)) do
		lines[#lines + 1] = ("limit %s 0 %s\n"):format(l.kind, l.place)
	end
	return table.concat(lines)
end

local known = setmetatable({}, { __mode = "k" })     -- by flow and name: sentences, "" for none

function leeway.sentences(flow, name)
	known[flow] = known[flow] or {}
	if not known[flow][name] then
		local list = {}
		for _, l in ipairs(found(flow, name)) do
			list[#list + 1] = core.limit(l.kind, l.place, 0)
		end
		known[flow][name] = table.concat(list, "; ")
	end
	return known[flow][name] ~= "" and known[flow][name] or nil
end

return leeway
