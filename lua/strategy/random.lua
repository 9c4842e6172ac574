-- random: inputs by chance, each by its kind, until the bound or until every path has been seen.
local inputs = require "duct.inputs"

return function(session)
	for _ in session:start() do end
	while not session:over() and not session:settled() and not session:complete() do
		session:run(inputs.random(session), nil, "random")
	end
end
