-- mutate: no branch at all, but inputs made by chance from those that covered something; see
-- duct.mutate. Alone it is a grey-box fuzzer; mix asks it when solving earns less.
local mutate = require "duct.mutate"

return function(session)
	local search = {}

	function search:update() end
	function search:select()
		return { input = mutate.input(session) }
	end
	function search:empty()
		return #session.kept == 0 or session:complete()
	end
	return search
end
