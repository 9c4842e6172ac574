-- A strategy for tests/bench/speed: the same run ROUNDS times, nothing solved and nothing kept.
local core = require "duct.core"

return function(session)
	local input = session.space:model()
	for i = 1, tonumber(os.getenv "ROUNDS") do
		if core.interrupted() then break end
		local _ <close> = session.runner:run(i, input)
	end
end
