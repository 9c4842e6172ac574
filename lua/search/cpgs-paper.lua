-- cpgs-paper: cut-point guided search as Algorithm 2 of hybrid data-flow testing has it, for comparison with `cpgs`:
-- the worklist W of one pair after the other has all pending branches but those whose path redefined the variable after
-- its definition. selectState takes the one with the most cut points passed in order, and among these that with the
-- largest weight of Formula 4. No backtracking between cut points, no turns with coverage; a pair is left when it is
-- covered or W is empty.
local core = require "duct.core"

return function(session)
	local space, guide = session.space, session:guide()
	local branches, tried = {}, {}
	local W, target, aim, ready
	local search = {}

	local function put(es)
		local c, d, i, redefined = aim:state(es)
		if c and not redefined then
			W:put(es, c, 1 / d ^ 2 + 1 / i ^ 2, 0)
		end
	end

	local function next_target()
		target = nil
		for _, pair in ipairs(session:wanted()) do
			target = target or not tried[pair] and pair or nil
		end
		if not target then
			return
		end
		if aim then
			aim:close()
			W:close()
		end
		aim, W, tried[target] = guide:aim(target, "all"), core.worklist(false), true
		for _, es in ipairs(branches) do
			put(es)
		end
	end

	-- The next state, or nil: W is empty, and no pair is left.
	local function select_state()
		repeat
			while target and session:is_wanted(target) and W:count() > 0 do
				local es = W:take()
				if space:open(es) then
					return es
				end
			end
			next_target()
		until not target
	end

	function search:update(path)
		for _, es in ipairs(path) do
			branches[#branches + 1] = es
			if target then
				put(es)
			end
		end
	end
	function search:select()
		local es = ready
		ready = nil
		return es or select_state()
	end
	function search:empty()
		ready = ready and session:is_wanted(target) and space:open(ready) and ready or select_state()
		return ready == nil
	end
	return search
end
