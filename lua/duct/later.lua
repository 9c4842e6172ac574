-- later: a module of functions that is loaded when one of them is first asked for, as most sessions need none.
--   local proof = later "duct.proof"
local function load(t, name)
	local value = require(getmetatable(t).module)[name]
	t[name] = value
	return value
end

return function(module)
	return setmetatable({}, { module = module, __index = load })
end
