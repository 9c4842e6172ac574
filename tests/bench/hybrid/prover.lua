-- A strategy for tests/bench/hybrid.lua: the prover alone, all of the time; what it finds reachable is run.
local proof = require "duct.proof"

return function(session)
	for _ in session:start() do end
	local prover = proof.new(session)
	for input in prover:round(session.options.time) do
		session:run(input, nil, "prove")
	end
	prover:finish()
end
