-- json: decodes JSON text. An independent reader for tests; null becomes json.null.
local json = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local value

local function fail(s, i, what)
	error(("json: %s at byte %d: %s"):format(what, i, s:sub(i, i + 20)), 0)
end

local function text(s, i)
	local out = {}
	i = i + 1
	while true do
		local j = s:find('["\\]', i)
		if not j then fail(s, i, "unended string") end
		out[#out + 1] = s:sub(i, j - 1)
		if s:sub(j, j) == '"' then return table.concat(out), j + 1 end
		local c = s:sub(j + 1, j + 1)
		if c == "u" then
			local code = tonumber(s:match("^%x%x%x%x", j + 2) or fail(s, j, "bad escape"), 16)
			out[#out + 1] = utf8.char(code)
			i = j + 6
		else
			out[#out + 1] = escapes[c] or c
			i = j + 2
		end
	end
end

local function skip(s, i) return s:find("%S", i) or #s + 1 end

local function array(s, i)
	local out = {}
	i = skip(s, i + 1)
	if s:sub(i, i) == "]" then return out, i + 1 end
	while true do
		out[#out + 1], i = value(s, i)
		i = skip(s, i)
		local c = s:sub(i, i)
		if c == "]" then return out, i + 1 end
		if c ~= "," then fail(s, i, "no comma") end
		i = i + 1
	end
end

local function object(s, i)
	local out = {}
	i = skip(s, i + 1)
	if s:sub(i, i) == "}" then return out, i + 1 end
	while true do
		local key
		i = skip(s, i)
		if s:sub(i, i) ~= '"' then fail(s, i, "no key") end
		key, i = text(s, i)
		i = skip(s, i)
		if s:sub(i, i) ~= ":" then fail(s, i, "no colon") end
		out[key], i = value(s, i + 1)
		i = skip(s, i)
		local c = s:sub(i, i)
		if c == "}" then return out, i + 1 end
		if c ~= "," then fail(s, i, "no comma") end
		i = i + 1
	end
end

function value(s, i)
	i = skip(s, i)
	local c = s:sub(i, i)
	if c == "{" then return object(s, i) end
	if c == "[" then return array(s, i) end
	if c == '"' then return text(s, i) end
	local number = s:match("^-?%d+%.?%d*[eE]?[+-]?%d*", i)
	if number then return tonumber(number), i + #number end
	for word, v in pairs { ["true"] = true, ["false"] = false, null = json.null } do
		if s:sub(i, i + #word - 1) == word then return v, i + #word end
	end
	fail(s, i, "no value")
end

-- The value of the text, which must hold exactly one.
function json.decode(s)
	local v, i = value(s, 1)
	if skip(s, i) <= #s then fail(s, i, "text after the value") end
	return v
end

return json
