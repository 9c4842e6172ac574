-- kept: the proofs of one call of prove, as verdicts(5) for the store: all its records but the inputs to be run.
--   kept.new() -> list; list:add(record); list:text(); list.infeasible: whether there is an infeasible verdict
local Kept = {}
Kept.__index = Kept

local kept = {}

local escapes = { ["\t"] = "\\t", ["\n"] = "\\n", ["\\"] = "\\\\" }

function kept.new()
	return setmetatable({ lines = {}, infeasible = false }, Kept)
end

function Kept:add(record)
	if record[1] == "value" then
		return
	end
	local fields = {}
	for i, field in ipairs(record) do
		fields[i] = field:gsub("[\t\n\\]", escapes)
	end
	self.lines[#self.lines + 1] = table.concat(fields, "\t")
	self.infeasible = self.infeasible or record[1] == "verdict" and record[5] == "infeasible"
end

function Kept:text()
	return ("#verdicts 1 duct\n%s\nend\t%d\n"):format(table.concat(self.lines, "\n"), #self.lines)
end

return kept
