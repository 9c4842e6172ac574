-- duct farm: prints independent commands, one on each line, each with a store of its own; and merges their stores.
local core = require "duct.core"
local functions = require "duct.functions"
local names = require "duct.names"
local messages = require "duct.messages"
local program = require "duct.program"
local setup = require "duct.setup"

local fail = program.fail

-- Options that are set for each line, or that are not for other machines.
local own = { entry = true, store = true, stores = true, shares = true, share = true, merge = true, jobs = true,
	once = true, out = true, format = true, json = true, quiet = true, resume = true, session = true }
-- Field names that differ from the option's name.
local keys = { argument = "argv", ["compile-commands"] = "database" }
-- Options that are left out for entries without the input that they name.
local shape = { "len", "string", "may_alias", "distinct", "global", "init", "assume", "range" }

-- The options of the command line, as words.
local function words_of(o)
	local words = {}
	for _, name in ipairs(o.option_names) do
		local value = not own[name] and o[keys[name] or name:gsub("-", "_")]
		for _, v in ipairs(type(value) == "table" and value or { value or nil }) do
			local text = math.type(v) == "float" and ("%.14g"):format(v) or tostring(v)
			words[#words + 1] = v == true and "--" .. name or ("--%s=%s"):format(name, text)
		end
	end
	return words
end

-- The entries that were named, or all possible ones.
local function entries(o, flow)
	local list = {}
	if o.entry then
		for name in o.entry:gmatch("[^,]+") do
			list[#list + 1] = name
		end
		return list
	end
	for _, name in ipairs(functions.names(flow)) do
		list[#list + 1] = name ~= "main" and name or nil
	end
	return list
end

-- The options for an entry. If it cannot be an entry: nil, or an error when the user named it.
local function options_of(o, flow, entry)
	local all, less = setup.of(o, entry), {}
	local fine, why = flow:plan(all)
	if fine then
		return o
	end
	if o.entry then
		fail(2, "%s", messages.with_functions(why, o.files, flow))
	end
	for key, value in pairs(o) do
		less[key] = value
	end
	for _, key in ipairs(shape) do
		less[key] = nil
	end
	return flow:plan(setup.of(less, entry)) and less
end

local function line(o, options, folder, entry, share)
	local words = { "duct", o.strategy }
	local store = ("%s/%s%s.db"):format(folder, entry, share and ("-%dof%d"):format(share, o.shares) or "")
	table.move(o.files, 1, #o.files, #words + 1, words)
	local more = words_of(options)
	table.move(more, 1, #more, #words + 1, words)
	for _, word in ipairs { "--entry=" .. entry, "--store=" .. store, "--once", "--quiet" } do
		words[#words + 1] = word
	end
	if share then
		words[#words + 1] = ("--share=%d/%d"):format(share, o.shares)
	end
	if o.flags then
		words[#words + 1] = "--"
		table.move(o.flags, 1, #o.flags, #words + 1, words)
	end
	for _, word in ipairs { folder, table.unpack(words) } do
		if word:find("[\n\r\0]") then
			fail(2, "%q: a name with a newline cannot stand in a line", word)
		end
	end
	for i, word in ipairs(words) do
		words[i] = program.quoted(word)
	end
	return ("mkdir -p %s && %s"):format(program.quoted(folder), table.concat(words, " "))
end

local function write(o)
	o.strategy = table.remove(o.files, 1)
	if o.strategy:find("%.c$") then
		fail(2, "no strategy: duct farm STRATEGY %s, such as dft", o.strategy)
	end
	local made, message, status = names.load("strategy", o.strategy)
	if not made then
		fail(status or 2, "%s", message)
	end
	if #o.files == 0 then
		fail(2, "no C file: duct farm %s FILE.c...", o.strategy)
	end
	program.need_files(o)
	local folder <close> = program.folder()
	local flow, shares = program.flow(o, folder.path), (o.shares or 1) > 1 and o.shares
	for _, entry in ipairs(entries(o, flow)) do
		local options = options_of(o, flow, entry)
		for share = 1, options and (shares or 1) or 0 do
			print(line(o, options, o.stores or "stores", entry, shares and share))
		end
	end
end

local function merge(o)
	for _, store in ipairs(o.files) do
		if not core.exists(store) then
			fail(4, "%s: no such store", store)
		end
	end
	local list = table.move(o.files, 1, #o.files, 1, {})
	if core.exists(o.merge) then
		table.insert(list, 1, o.merge)
	end
	local merged, message, contradiction = core.merge(o.merge, list)
	if not merged then
		fail(contradiction and 1 or 3, "%s", message)
	end
end

return program.protected(function(o)
	if not o.files then
		fail(2, o.merge and "no store: duct farm --merge OUT STORE..." or "no strategy: duct farm STRATEGY FILE.c...")
	end
	(o.merge and merge or write)(o)
	return 0
end)
