-- Random inputs by kind.
local inputs = {}

-- Random values for every input that runs of the session have created.
function inputs.random(session)
	local model = session.space:model()
	for _, v in ipairs(session.space:variables()) do
		local high = v.width > 64 and session.random:bits(64) or 0
		model:set(v.name, v.kind, v.width, session.random:value(v.kind, v.width), high)
	end
	return model
end

return inputs
