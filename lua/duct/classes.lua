-- classes: a search over classes of open branches: the same outcome of the same site in about the same iteration of a
-- loop (1, 2 to 3, 4 to 7, ...). The next branch is of the class with the least cost: the distance in branches to what
-- is aimed at, plus the number of times that the class was chosen before, plus half of that number for its site, plus
-- the cost of a run of this depth in average runs. This is estimated cost to go plus cost so far, as in A*. Near
-- branches come first, but loops, switches with many cases, unsatisfiable conditions and long runs do not dominate.
-- search:charge(n): the last branch counts as so many more choices, as its question took long. The classes are kept by
-- lib/script/classes.c.
--   classes.new(session, how)   -> a search; of how:
--     distance(unit, branch, outcome)   nil: no way
--     passed(branch)    how often its path passed something that makes it better, 0 to classes.most: a class by itself,
--                 and each time is worth so many branches of distance
--     near(branch)      of one in a library model: its distance, nil: no way; without it, that of the condition of the
--                 program before it
--     fault       the distance of a branch that asks for a fault; without it that of no way
--     alone       the class alone counts, not its site; all branches in library models are of one site, which counts a
--                 little
--     newest      of equal classes the one queued last, and of a class its newest branch; else the class queued first,
--                 and in turn a random branch and the one that was newest two choices ago (at first the oldest), to
--                 mix deep and shallow ones
local core = require "duct.core"

local classes = {}

classes.most = 7                              -- times that count

function classes.new(session, how)
	local open = core.classes(session.space, session.random, how)
	local search = {}

	function search:update(path)
		open:add(path)
	end
	function search:select()
		return open:take()
	end
	function search:charge(n)
		open:charge(n)
	end
	function search:empty()
		return open:empty()
	end
	return search
end

return classes
