-- arguments: checks the arguments of the methods that duct-strategy(7) documents, so that a mistake is reported with
-- the script's file and line.
--   arguments.check(class, name, methods)   wraps the methods of a class, once there is a script of a user's. methods:
--                                  [method] = "KIND KIND ...", one for each argument; a KIND with ? may be left out
--   arguments.enforce()            there is one: the toolkit's own scripts do without, as checks take a fifth of what
--                                  Lua does for a run
--   arguments.search(search, word) the search that a script returned, which has to have its three methods
--   arguments.fail(text, ...)      an error at the script's line
local core = require "duct.core"

local arguments = {}

-- Where the innermost function is that is not of the toolkit's modules, as FILE:LINE; "" when there is none.
local function place()
	local modules = { "@" .. core.lua_folder() .. "/duct/", "@lua/duct/" }
	for level = 3, math.huge do
		local info = debug.getinfo(level, "Sl")
		if not info then
			return ""
		end
		local own = info.currentline < 0
		for _, folder in ipairs(modules) do
			own = own or info.source:sub(1, #folder) == folder
		end
		if not own then
			return ("%s:%d: "):format(info.short_src, info.currentline)
		end
	end
end

function arguments.fail(text, ...)
	error({ status = 3, message = place() .. text:format(...) }, 0)
end

local function is_object(value, meta)
	local metatable = type(value) == "userdata" and debug.getmetatable(value)
	return metatable and metatable.__name == meta
end

local function is_search(value)
	return type(value) == "table" and value.update and value.select and value.empty and true
end

local kinds = {
	branch = { "an open branch", function(v)
		return math.type(v) == "integer" or type(v) == "table" and is_object(v.input, "duct.model")
	end },
	input = { "an input", function(v) return is_object(v, "duct.model") end },
	pair = { "the number of a pair", function(v) return math.type(v) == "integer" and v > 0 end },
	search = { "a search", is_search },
	text = { "a text", function(v) return type(v) == "string" end },
	number = { "a number", function(v) return type(v) == "number" end },
	truth = { "true or false", function(v) return type(v) == "boolean" end },
	table = { "a table", function(v) return type(v) == "table" end },
	["function"] = { "a function", function(v) return type(v) == "function" end },
}

local function described(value)
	return value == nil and "nothing" or (type(value) == "string" or type(value) == "number") and ("%s `%s`"):format(
		type(value), value) or "a " .. type(value)
end

local function never()
	return false
end

-- Runs with each call of the method: what the words say is looked up before.
local function checked(method, class, call, words)
	local most, names, is, optional = #words, {}, {}, {}
	for i, word in ipairs(words) do
		local kind = kinds[word:match("%a+")]
		names[i], is[i], optional[i] = kind[1], kind[2], word:find("?", 1, true) ~= nil
	end
	local function whole(self, ...)
		if getmetatable(self) ~= class then
			arguments.fail("%s: called without its object; the call is %s(...)", call, call)
		end
		local n = select("#", ...)
		if n > most then
			arguments.fail("%s: %d argument%s, but it takes %s", call, n, n == 1 and "" or "s", most == 0 and "none" or most)
		end
		for i = 1, most do
			local value = select(i, ...)
			if not (value == nil and optional[i]) and not is[i](value) then
				arguments.fail("%s: argument %d is %s, not %s", call, i, described(value), names[i])
			end
		end
		return method(self, ...)
	end
	for i = most + 1, 4 do
		is[i], optional[i] = never, true
	end
	local first, second, third, fourth = is[1], is[2], is[3], is[4]
	local no_first, no_second, no_third, no_fourth = table.unpack(optional, 1, 4)
	if most == 0 then                              -- the calls of each run, without a loop
		return function(self, ...)
			if getmetatable(self) == class and select("#", ...) == 0 then
				return method(self)
			end
			return whole(self, ...)
		end
	elseif most == 1 then
		return function(self, value, ...)
			if getmetatable(self) == class and select("#", ...) == 0 and (value == nil and no_first or first(value)) then
				return method(self, value)
			end
			return whole(self, value, ...)
		end
	end
	return function(self, ...)
		local a, b, c, d = ...
		if getmetatable(self) == class and select("#", ...) <= most and most <= 4
			and (a == nil and no_first or first(a)) and (b == nil and no_second or second(b))
			and (c == nil and no_third or third(c)) and (d == nil and no_fourth or fourth(d)) then
			return method(self, a, b, c, d)
		end
		return whole(self, ...)
	end
end

local function wrap(class, name, methods)
	for method, text in pairs(methods) do
		local words = {}
		for word in text:gmatch("%S+") do
			words[#words + 1] = word
		end
		class[method] = checked(class[method], class, name .. ":" .. method, words)
	end
end

local enforced, waiting = false, {}

function arguments.check(class, name, methods)
	if enforced then
		wrap(class, name, methods)
	else
		waiting[#waiting + 1] = { class, name, methods }
	end
end

function arguments.enforce()
	enforced = true
	for _, one in ipairs(waiting) do
		wrap(table.unpack(one))
	end
	waiting = {}
end

function arguments.search(search, word)
	for _, method in ipairs { "update", "select", "empty" } do
		if type(search) ~= "table" or type(search[method]) ~= "function" then
			error({ status = 3, message = ("search %s: it returns no table with the function `%s`"):format(word, method) }, 0)
		end
	end
	return search
end

return arguments
