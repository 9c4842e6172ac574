-- merging: methods of a session that look for new objectives on merged paths.
--   session:merge(search)          when nothing new was found for a while: runs in a tree of their own where branches
--                                  of loops that only choose values of locals are no conditions but part of the values;
--                                  what they cover for the first time is run in the search's own tree, too. No verdict
--                                  follows from such a tree
local parts_of = require "duct.parts"
local steps = require "duct.steps"

local Merging = {}

local patience = 256               -- runs without news before the first time; four times as many before each other one
local share = 4                    -- and at least one run of so many
local vain = 128                   -- runs without news, at least, that end it

-- Fields of a session that belong to its execution tree.
local of_tree = { "space", "solver", "guides", "searches", "kept", "varied", "waiting", "facts", "hard", "again",
	"past", "before", "added", "paths", "missed", "unknown_to_search" }

-- Only where no user's choice orders the paths or counts them.
local function may_merge(self)
	local o = self.options
	return not (self.blocks or self.only or o.abstract or o.partition or o.pipes or o.runs or o.share or o.jobs
		or o.search_given or o.target or o.keep == "all" or o.aliases) and self.flow:merges()
end

local function is_due(self)
	if self.merges == nil then
		self.merges = may_merge(self) and patience
	end
	local quiet = self.runs - math.max(self.news_run, self.merged_run or 0)
	return self.merges and quiet >= self.merges and quiet >= self.runs // share and self:missing()
end

local function keep(self)
	local kept = { mispredicted = self.mispredicted, counts = self:solver_counts() }
	for _, name in ipairs(of_tree) do
		kept[name] = self[name]
	end
	return kept
end

-- The tree from before, with the counts of what was asked in the other one.
local function restore(self, kept)
	local counts, past = self:solver_counts(), {}
	for name, n in pairs(counts) do
		local own = kept.past[name] or 0
		past[name] = name == "conjuncts_max" and math.max(own, n) or math.type(n) and own + n - kept.counts[name] or nil
	end
	self.solver:close()
	self.space:close()
	for _, name in ipairs(of_tree) do
		self[name] = kept[name]
	end
	self.past = past
	self.missed = kept.missed + self.mispredicted - kept.mispredicted
end

local function setup_of(self, merges)
	local list = table.move(self.setup, 1, #self.setup, 1, {})
	list[#list + 1] = merges and "merge=1" or nil
	return list
end

-- Searches on merged paths for as long as that brings news.
local function explore(self)
	local search, from = steps.first(self, "coverage"), self.runs
	local patient = math.max(vain, #self.good)
	while not self:over() and not search:empty() and self.runs - math.max(from, self.news_run) < patient do
		steps.flip(self, search, steps.choose(self, search))
	end
end

function Merging:merge(search)
	if not is_due(self) then
		return
	end
	local own, kept, good = self.setup, keep(self), #self.good
	self.space, self.solver = parts_of.empty(self.options, self.flow)
	self.guides, self.searches, self.kept, self.varied, self.waiting, self.facts = nil, {}, {}, {}, nil, nil
	self.hard, self.again, self.before, self.added = {}, self:good_within(), self.runs, 0
	self.past, self.unknown_to_search = kept.counts, {}
	self:reopen(setup_of(self, true))
	explore(self)
	restore(self, kept)
	self:reopen(own)
	for i = good + 1, #self.good do
		local input = self.space:model()
		for _, v in ipairs(self.good[i]) do
			input:set(v.name, v.kind, v.width, v.value, v.high)
		end
		self.kept[#self.kept + 1] = self.good[i]
		search:update(self:run(input, nil, "replay", self.good[i].run))
	end
	self.merges, self.merged_run = 4 * self.merges, self.runs
end

return Merging
