-- values: lists of values of inputs, { name, kind, width, low, high }, as texts for other processes.
--   values.pack(list)         -> text
--   values.unpack(text, at)   -> list, and where the text goes on
--   values.into(model, list)  sets them in a model
local values = {}

local count, form = "<I4", "<s4c1I4i8i8"

function values.pack(list)
	local texts = { count:pack(#list) }
	for _, v in ipairs(list) do
		texts[#texts + 1] = form:pack(v.name, v.kind, v.width, v.low, v.high)
	end
	return table.concat(texts)
end

function values.unpack(text, at)
	at = at or 1
	local list, n = {}, count:unpack(text, at)
	at = at + count:packsize()
	for i = 1, n do
		local v = {}
		v.name, v.kind, v.width, v.low, v.high, at = form:unpack(text, at)
		list[i] = v
	end
	return list, at
end

function values.into(model, list)
	for _, v in ipairs(list) do
		model:set(v.name, v.kind, v.width, v.low, v.high)
	end
	return model
end

return values
