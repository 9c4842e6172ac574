-- Names of strategies, searches and option values: lookup, and suggestions for misspelt ones.
local arguments = require "duct.arguments"
local core = require "duct.core"

local names = {}

function names.contains(list, name)
	for _, n in ipairs(list) do
		if n == name then
			return true
		end
	end
	return false
end

-- The word of the list with the smallest edit distance to `name`, if that is small enough.
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

-- Values of options.
names.choices = {
	criterion = { "all-uses", "all-defs", "all-c-uses", "all-p-uses" },
	protocol = { "default", "paper" },
	scope = { "intra", "inter" },
	format = { "assert", "cmocka", "unity", "check", "criterion" },
	refine = { "first", "last", "all", "shared", "paper" },
}

-- True if `word` is a value of the option; otherwise false and a message.
function names.choice(option, word)
	if names.contains(names.choices[option], word) then
		return true
	end
	return false, names.unknown(option, word, names.choices[option])
end

-- Which pairs are watched for a list of criteria (a choice of --criterion), and the list of what else the summary tells
-- of; nil: none. Nil, nil and a message when a word is no criterion.
function names.split_criteria(list)
	local of_pairs, all, others = {}, false, {}
	for word in list:gmatch("[^,]*") do
		if names.contains(names.choices.criterion, word) then
			of_pairs[#of_pairs + 1] = not names.contains(of_pairs, word) and word or nil
		elseif names.contains(core.criteria(), word) then
			others[#others + 1] = word
			all = all or core.any_criterion(word, "all-pairs")
		else
			return nil, nil, names.unknown("criterion", word, core.criteria())
		end
	end
	if #of_pairs > 1 or of_pairs[1] and others[1] and all then
		table.move(of_pairs, 1, #of_pairs, #others + 1, others)
		of_pairs = { "all-uses" }
	end
	return of_pairs[1] or all and "all-uses" or nil, others[1] and table.concat(others, ",")
end

-- The names for instrument's --check: faults, and criteria that are checks at instructions.
function names.woven(check, criteria)
	for word in (criteria or ""):gmatch("[^,]+") do
		check = core.any_criterion(word, "woven") and check .. "," .. word or check
	end
	return check
end

-- Kinds of checks for faults.
names.checks = { "div", "bounds", "null", "overflow", "shift", "uninit", "leak", "all", "none" }

-- True if it is a value of --check; otherwise false and a message.
function names.check(name)
	if names.contains(names.checks, name) then
		return true
	end
	return false, names.unknown("check", name, names.checks)
end

-- The names of all scripts in a folder of lua/.
function names.list(folder)
	local list = {}
	for _, file in ipairs(core.list(core.lua_folder() .. "/" .. folder)) do
		list[#list + 1] = file:match("^(.+)%.lua$")
	end
	table.sort(list)
	return list
end

-- A script of lua/, compiled where it was. It is no module: each search is a new one.
local scripts = {}

local function script(name)
	if not scripts[name] then
		local load = package.searchers[2](name)
		scripts[name] = type(load) == "function" and load or package.searchers[3](name)
	end
	return scripts[name]
end

-- Loads lua/KIND/NAME.lua, or a script of the user when the name has a slash or ends in
-- .lua. On failure: nil, a message and an exit status.
-- The function that a strategy or search returns, and what a strategy needs, a table (duct-strategy(7)); nil, a message
-- and a status when there is none.
function names.load(kind, name)
	if name:find("/", 1, true) or name:find("%.lua$") then
		if not core.exists(name) then
			return nil, ("no such script: %s"):format(name)
		end
		local chunk, message = loadfile(name)
		if not chunk then
			return nil, message, 3
		end
		arguments.enforce()
		local made, needs = chunk()
		if type(made) ~= "function" then
			return nil, name .. ": returns no function", 3
		end
		return made, needs
	end
	if name:find("^[%w_-]+$") and core.exists(core.lua_folder() .. "/" .. kind .. "/" .. name .. ".lua") then
		return script(kind .. "." .. name)()
	end
	return nil, names.unknown(kind, name, names.list(kind))
end

return names
