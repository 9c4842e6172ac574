-- sharing: methods of a session that is one share of several.
--   session:offer()                a branch to a worker that has nothing left, if there is one: see duct.handover
--   session:share_paths(), session:unshared(work)   of a strategy that keeps paths itself: see below
--   session:adopt()                an iterator over first paths of branches that others gave; each needs a new search
local handover = require "duct.handover"

local Sharing = {}

local branches_a_share = 16        -- that are open when they are shared out

-- A share begins as all shares of the session do, breadth first, until there is enough to share out. The paths so far,
-- with the branches that are its own from then on.
function Sharing:share_out()
	local share, space, paths, open, i = self.options.share, self.space, {}, {}, 0
	local function put(path)
		paths[#paths + 1] = path
		table.move(path, 1, #path, #open + 1, open)
	end
	put(self:run(nil, nil, "first"))
	while i < #open and space:pending() < branches_a_share * share.of and not self:over() do
		i = i + 1
		local input = space:open(open[i]) and self:solve(open[i])
		if input then
			put(self:run(input, open[i]))
		end
	end
	local given, tree = space:share(share.number, share.of)
	self.shared = given > 0 and { tree = tree ~ (self.options.together or 0), paths = self.paths } or nil
	self.store:progress(self:figures())           -- that all its paths were run is no proof from now on
	for _, path in ipairs(paths) do
		self:drop_closed(path)
	end
	return paths
end

-- From now on this share answers for some of the paths alone (session:is_mine), which it counts; no branches are given.
function Sharing:share_paths()
	if self.options.share and not self.shared then
		self.shared = { tree = self.options.together or 0, paths = 0 }
		self.store:progress(self:figures())
	end
end

-- Does work that cannot be divided, in the first share only. No claim about exhausted paths follows from it.
function Sharing:unshared(work)
	local shared, share, judged, within = self.shared, self.options.share, self.judged, self.judged_within
	if share and share.number > 1 then
		return
	end
	self.shared, self.options.share = nil, nil
	work()
	self.shared, self.options.share = shared, share
	if share or not self:all_within() then
		self.judged, self.judged_within = judged, within
	end
end

function Sharing:offer()
	handover.give(self)
end

function Sharing:adopt()
	return handover.take, self
end

-- Is it this share that has to look at something of this number?
function Sharing:is_mine(number)
	local share = self.shared and self.options.share
	return not share or number % share.of == share.number - 1
end

return Sharing
