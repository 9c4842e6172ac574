-- Names of strategies and searches: where they are, what they may have been meant to be.
local core = require "duct.core"

local names = {}

local function contains(list, name)
	for _, n in ipairs(list) do
		if n == name then
			return true
		end
	end
	return false
end

-- The word of the list that is nearest to `name`, if one is near enough.
function names.nearest(name, list)
	local best, distance = nil, math.max(2, #name // 3) + 1
	for _, word in ipairs(list) do
		local d = core.edits(name, word)
		if d < distance then
			best, distance = word, d
		end
	end
	return best
end

function names.unknown(kind, name, list)
	local near = names.nearest(name, list)
	return ("unknown %s `%s`: %s"):format(kind, name, near and "did you mean `" .. near .. "`?"
		or "there are " .. table.concat(list, ", "))
end

-- What can be asked of pairs, and what partial path constraints grow by.
names.choices = {
	criterion = { "all-uses", "all-defs", "all-c-uses", "all-p-uses" },
	protocol = { "default", "paper" },
	scope = { "intra", "inter" },
	format = { "assert", "cmocka", "unity", "check", "criterion" },
	refine = { "first", "last", "all", "shared" },
}

-- Is it one? False and a message when it is not.
function names.choice(option, word)
	if contains(names.choices[option], word) then
		return true
	end
	return false, names.unknown(option, word, names.choices[option])
end

-- Faults that can be looked for.
names.checks = { "div", "bounds", "null", "overflow", "shift", "uninit", "leak", "all", "none" }

-- Is it one? False and a message when it is not.
function names.check(name)
	if contains(names.checks, name) then
		return true
	end
	return false, names.unknown("check", name, names.checks)
end

-- Those of lua/KIND.
function names.list(folder)
	local list = {}
	for _, file in ipairs(core.list(core.lua_folder() .. "/" .. folder)) do
		list[#list + 1] = file:match("^(.+)%.lua$")
	end
	table.sort(list)
	return list
end

-- Loads lua/KIND/NAME.lua, or a script of the user's own when the name has a slash or ends in
-- .lua. Nil, a message and an exit status when there is none.
function names.load(kind, name)
	if name:find("/", 1, true) or name:find("%.lua$") then
		if not core.exists(name) then
			return nil, ("no such script: %s"):format(name)
		end
		local chunk, message = loadfile(name)
		if not chunk then
			return nil, message, 3
		end
		local made = chunk()
		if type(made) ~= "function" then
			return nil, name .. ": returns no function", 3
		end
		return made
	end
	local list = names.list(kind)
	if contains(list, name) then
		return dofile(core.lua_folder() .. "/" .. kind .. "/" .. name .. ".lua")
	end
	return nil, names.unknown(kind, name, list)
end

return names
