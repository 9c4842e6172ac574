-- asks: the parts of the environment that a program reads, by the column `asks` of lib/clib. The answers are
-- inputs, or those of the machine, which each run that asks records as a limit.
--   asks(names) -> list of texts such as "time: clock, time", one for each aspect that some of these functions read
local core = require "duct.core"

local things = { t = "time", p = "process and user", e = "environment", f = "files", i = "standard input",
	r = "random numbers", s = "system", u = "data bases of users", n = "network", w = "other processes",
	y = "terminal", l = "catalogues of messages", a = "addresses" }

return function(names)
	local of, order, list = {}, {}, {}
	for _, name in ipairs(names) do
		for letter in (core.asks(name) or ""):gmatch(".") do
			if not of[letter] then
				of[letter], order[#order + 1] = {}, letter
			end
			table.insert(of[letter], name)
		end
	end
	for i, letter in ipairs(order) do
		list[i] = ("%s: %s"):format(things[letter], table.concat(of[letter], ", "))
	end
	table.sort(list)
	return list
end
