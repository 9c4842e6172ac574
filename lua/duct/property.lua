-- property: translates property files of Test-Comp and SV-COMP to options (--property).
--   property.apply(o)   adds the criterion, the target or the faults that the file names to the options
local program = require "duct.program"

local property = {}

-- Edges of FShell's query language that are to be covered.
local edges = { ["@DECISIONEDGE"] = "branches", ["@CONDITIONEDGE"] = "conditions", ["@BASICBLOCKENTRY"] = "statements" }
-- The checks for faults, by SV-COMP's words for its properties.
local faults = { ["! overflow"] = "overflow", ["valid-deref"] = "bounds,null", ["valid-memtrack"] = "leak",
	["valid-memcleanup"] = "leak" }

-- The text after the initial function, without blanks around it; nil: the line is no property.
local function asked(line)
	local call, what = line:match("^%s*%u+%s*%(%s*init%s*%(%s*([%w_]+)%s*%(%s*%)%s*%)%s*,%s*(.-)%s*%)%s*$")
	return what, call
end

local function add(o, what)
	local edge = what:match("^FQL%s*%(%s*COVER EDGES%s*%(%s*(@%u+)%s*%)%s*%)$")
	local call = what:match("^FQL%s*%(%s*COVER EDGES%s*%(%s*@CALL%s*%(%s*([%w_]+)%s*%)%s*%)%s*%)$")
		or what:match("^LTL%s*%(%s*G%s*!%s*call%s*%(%s*([%w_]+)%s*%(%s*%)%s*%)%s*%)$")
	local fault = faults[what:match("^LTL%s*%(%s*G%s*(.-)%s*%)$") or ""]
	if edge and edges[edge] then
		o.criterion = (o.criterion and o.criterion .. "," or "") .. edges[edge]
	elseif call then
		o.target = o.target or {}
		o.target[#o.target + 1] = "?" .. call
	elseif fault then
		o.check = (o.check and o.check .. "," or "") .. fault
	else
		return false
	end
	return true
end

function property.apply(o)
	local f, message = io.open(o.property)
	local found = false
	if not f then
		program.fail(4, "--property: %s", message)
	end
	for line in f:lines() do
		local what, entry = asked(line)
		if what and not add(o, what) then
			program.fail(2, "--property: %s: not supported: %s", o.property, what)
		elseif what then
			o.entry, found = o.entry ~= "main" and o.entry or entry, true
		end
	end
	f:close()
	if not found then
		program.fail(3, "--property: %s: no line of the kind CHECK(init(main()), ...) or COVER(init(main()), ...)",
			o.property)
	end
end

return property
