-- drawn: the end of a search where precision was lost, as in pow(a, b) > 8, so that solving does not lead to the other
-- outcome. For sessions that use the default search: others are measured as they are.
--   drawn(session, search, enough)     runs inputs whose values are drawn; true when one covered something, so that
--                                      the search goes on
local mutate = require "duct.mutate"

local vain = 1000                  -- runs that cover nothing

return function(session, search, enough)
	local o, first, news = session.options, session.runs, session.news
	if o.search_given or o.keep == "all" or o.share or session.blocks or session.store:counts().lost == 0 then
		return false
	end
	while session.news == news and session.runs - first < vain and #session.kept > 0 and session:missing()
		and not session:over() and not enough() do
		search:update(session:run(mutate.input(session), nil, "mutated"))
	end
	return session.news > news
end
