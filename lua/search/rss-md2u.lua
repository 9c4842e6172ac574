-- rss-md2u: alternates between any pending branch and one drawn with weight 1 / d^2, where d is its distance to
-- an uncovered outcome (as KLEE interleaves random states with states near to uncovered code).
local far = 10000                                 -- distance when nothing uncovered is reachable

return function(session)
	local space, random = session.space, session.random
	local distances = session:distances(true)
	local rss = session:search("random")
	local classes, keys = {}, {}                  -- branches with the same outcome of the same site
	local turn = 0
	local search = {}

	local function class_of(b)
		local unit, branch, outcome, _, _, _, _, site = space:branch(b)
		local key = site << 32 | outcome
		if not classes[key] then
			classes[key] = { unit = unit, branch = branch, outcome = outcome }
			if branch == 0 then                      -- in a library model: the distance of the last condition before it
				classes[key].unit, classes[key].branch, classes[key].outcome = space:before(b)
			end
			keys[#keys + 1] = key
		end
		return classes[key]
	end
	local function weight(class)
		local d = class.unit and distances(class.unit, class.branch, class.outcome) or far
		return #class / (d + 1) ^ 2
	end
	local function md2u()
		local weights, all = {}, 0
		for k, key in ipairs(keys) do
			weights[k] = weight(classes[key])
			all = all + weights[k]
		end
		local at = all * random:bits(53) / (1 << 53)
		for k, key in ipairs(keys) do
			at = at - weights[k]
			local class = classes[key]
			if #class > 0 and (at < 0 or k == #keys) then
				return random:draw(class)
			end
		end
	end

	function search:update(path)
		rss:update(path)
		for _, b in ipairs(path) do
			local class = class_of(b)
			class[#class + 1] = b
		end
	end
	function search:select()
		local b
		repeat
			turn = 1 - turn
			b = turn == 1 and not rss:empty() and rss:select() or md2u()
		until not b or space:open(b)
		return b
	end
	function search:empty()
		return space:pending() == 0
	end
	return search
end
