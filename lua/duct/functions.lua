-- functions: those that a program defines, without those of system headers and of the harness.
--   functions.each(flow)       iterates over them, one unit after the other
--   functions.names(flow)      their names, each once
local functions = {}

function functions.each(flow)
	local list = {}
	for unit = 0, flow:units() - 1 do
		for _, f in ipairs(flow:functions(unit)) do
			list[#list + 1] = not f.system and not f.harness and f or nil
		end
	end
	local i = 0
	return function()
		i = i + 1
		return list[i]
	end
end

function functions.names(flow)
	local list, seen = {}, {}
	for f in functions.each(flow) do
		if not seen[f.name] then
			seen[f.name] = true
			list[#list + 1] = f.name
		end
	end
	return list
end

return functions
