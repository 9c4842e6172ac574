-- Random inputs by kind.
local inputs = {}

local interesting = { 0, 1, -1, 2, 3, 4, 7, 8, 10, 16, 32, 64, 100, 127, 128, 255, 256, 1000, 1024, 4096 }

local function number(random, width)
	local how = random:below(4)
	if how == 0 then
		return interesting[random:below(#interesting) + 1]
	elseif how == 1 then
		return random:below(21) - 10
	elseif how == 2 then                          -- of random bit length, uniformly distributed
		return random:bits(random:below(math.min(width, 64)) + 1)
	end
	return random:bits(math.min(width, 64))
end

local function character(random)
	local how = random:below(8)
	if how == 0 then
		return 0
	elseif how == 1 then
		return random:bits(8)
	end
	return 32 + random:below(95)
end

-- A value for a variable of this kind (enum input_kind) and width in bits.
function inputs.value(random, kind, width)
	if kind == "c" then
		return character(random)
	elseif kind == "b" then
		return random:bits(1)
	elseif kind == "n" then                       -- a choice: the harness reduces it modulo its limit
		return random:below(4)
	end
	return number(random, width)
end

-- Random values for every input that runs of the session have created.
function inputs.random(session)
	local model = session.space:model()
	for _, v in ipairs(session.space:variables()) do
		local high = v.width > 64 and session.random:bits(64) or 0
		model:set(v.name, v.kind, v.width, inputs.value(session.random, v.kind, v.width), high)
	end
	return model
end

return inputs
