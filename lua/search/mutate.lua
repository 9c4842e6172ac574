-- mutate: returns no branches, but random mutations of inputs that covered something; see duct.mutate. Alone it is a
-- grey-box fuzzer, which ends when nothing is missing; `mix` uses it when solving covers less.
local mutate = require "duct.mutate"

return function(session)
	local search = {}

	function search:update() end
	function search:select()
		return { input = mutate.input(session) }
	end
	function search:empty()
		return #session.kept == 0 or session:complete() or not session:missing()
	end
	return search
end
