-- one_pair: the protocol of the paper: searches for each pair on its own, with a new tree and the same limits. The
-- report has the effort as `one_pair`, a list with an object for each pair: the pair's number, covered, CPU seconds,
-- queries and paths.
local function cpu(session)
	local f = session:figures()
	return f.cpu_run + f.cpu_solve + f.cpu_strategy
end

return function(session, cover)
	local each, list = {}, {}
	local limits = { runs = session.options.runs, time = session.options.time }
	for i, pair in ipairs(session:wanted()) do
		local before, paths = cpu(session), session.paths
		session:renew(pair, limits)
		cover(session)
		if session:exhausted() then
			session.store:exhaust("pairs", pair)
		else
			session.reasons:decide()
		end
		each[i] = { pair = pair, covered = session.store:known("pairs", pair) == "covered", cpu = cpu(session) - before,
			asked = session.solver:counts().asked, paths = session.paths - paths }
		list[i] = ('{"pair": %d, "covered": %s, "cpu": %.6f, "asked": %d, "paths": %d}'):format(pair, each[i].covered,
			each[i].cpu, each[i].asked, each[i].paths)
		if session.ended == "interrupted" then
			break
		end
	end
	session.each, session.extra = each, ('"one_pair": [%s]'):format(table.concat(list, ",\n  "))
end
