-- faults(session): at the end, queries the possible faults that were not queried because all objectives were decided
-- before, a few times at each place.
local few = 16                     -- questions for a fault at one place

return function(session)
	local tries = {}
	repeat
		local before = session.runs
		for _, branch in ipairs(session.space:faults()) do
			local site = select(8, session.space:branch(branch))
			if session:over() then
				return
			elseif site and (tries[site] or 0) < few then
				tries[site] = (tries[site] or 0) + 1
				local input = session:solve(branch)
				if input then
					session:run(input, branch)
				end
			end
		end
	until session.runs == before
	session:endless()
end
