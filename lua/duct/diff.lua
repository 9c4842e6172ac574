-- duct diff OLD NEW: the differences between two stores: objectives and findings that were lost and won.
-- Objectives of both stores are matched by function, condition and outcome (pairs: by variable and kind) and, among
-- objectives with the same name, by their order. Positions in the file do not matter.
local core = require "duct.core"
local program = require "duct.program"

local function read(path)
	if not core.exists(path) then
		program.fail(4, "%s: no such store", path)
	end
	local store <close> = core.store(path, "read")
	local view, message = store:view("all")
	return view or program.fail(3, "%s: %s", path, message)
end

-- Objectives by name and by their number among those of the same name.
local function by_name(list)
	local of, times = {}, {}
	for i, o in ipairs(list) do
		times[o.name] = (times[o.name] or 0) + 1
		o.key = o.name .. (times[o.name] > 1 and (" (%d)"):format(times[o.name]) or "")
		of[o.key] = o
	end
	return of
end

local changes = {                                -- kinds of changes, in the order of the output
	{ "lost", function(old, new) return old.verdict == "covered" and new.verdict ~= "covered" end },
	{ "reopened", function(old, new) return old.verdict == "infeasible" and new.verdict == "unknown" end },
	{ "won", function(old, new) return old.verdict ~= "covered" and new.verdict == "covered" end },
	{ "decided", function(old, new) return old.verdict == "unknown" and new.verdict == "infeasible" end },
}

-- A list of { what, objective, old, new }.
local function compare(olds, news)
	local old, new, list = by_name(olds), by_name(news), {}
	for _, change in ipairs(changes) do
		for _, o in ipairs(news) do
			if old[o.key] and change[2](old[o.key], o) then
				list[#list + 1] = { what = change[1], name = o.key, place = o.place, old = old[o.key].verdict, new = o.verdict }
			end
		end
	end
	for _, o in ipairs(news) do
		if not old[o.key] and o.verdict ~= "infeasible" then
			list[#list + 1] = { what = "new and " .. (o.verdict == "unknown" and "open" or "covered"), name = o.key,
				place = o.place, new = o.verdict }
		end
	end
	for _, o in ipairs(olds) do
		if not new[o.key] and o.verdict == "covered" then
			list[#list + 1] = { what = "gone", name = o.key, place = o.place, old = o.verdict }
		end
	end
	return list
end

local function findings(olds, news, list)
	local old, new = by_name(olds), by_name(news)
	for _, x in ipairs(news) do
		if not old[x.key] then
			list[#list + 1] = { what = "new finding", name = x.key, place = x.place }
		end
	end
	for _, x in ipairs(olds) do
		if not new[x.key] then
			list[#list + 1] = { what = "finding gone", name = x.key, place = x.place }
		end
	end
end

local function as_json(c, kind)
	local words = { ('"change": %s, "kind": "%s", "name": %s, "place": %s'):format(program.json(c.what), kind,
		program.json(c.name), program.json(c.place)) }
	for _, key in ipairs { "old", "new" } do
		words[#words + 1] = c[key] and ('"%s": "%s"'):format(key, c[key]) or nil
	end
	return "{" .. table.concat(words, ", ") .. "}"
end

-- The functions that a list of objectives names.
local function functions_of(list)
	local set = {}
	for _, o in ipairs(list) do
		set[o.name:match("^(.-): ") or ""] = true
	end
	return set
end

-- For people: what is new or gone of a function that one store does not know is one line; lines `what place text`.
local function as_lines(list, olds, news, noun)
	local before = functions_of(olds)
	local known = { ["new and open"] = before, ["new and covered"] = before, gone = functions_of(news) }
	local lines, folded = {}, {}
	for _, c in ipairs(list) do
		local name = c.name:match("^(.-): ") or ""
		if known[c.what] and not known[c.what][name] then
			local key = c.what .. name
			if not folded[key] then
				folded[key] = { c.what, c.place:match("^%S+"), 0, name }
				lines[#lines + 1] = folded[key]
			end
			folded[key][3] = folded[key][3] + 1
		else
			lines[#lines + 1] = { c.what, c.place, c.name }
		end
	end
	for _, line in ipairs(lines) do
		local text = line[4] and ("%s: %d %s%s"):format(line[4], line[3], noun, line[3] > 1 and "s" or "") or line[3]
		print(("%-15s  %s  %s"):format(line[1], line[2], text))
	end
end

local worse = { lost = true, reopened = true, ["new finding"] = true }

return program.protected(function(o)
	if not o.files or #o.files ~= 2 then
		program.fail(2, "diff compares two stores: duct diff OLD NEW")
	end
	local old, new, status, n, order = read(o.files[1]), read(o.files[2]), 0, {}, {}
	for _, kind in ipairs { "branches", "pairs", "failures" } do
		local list = {}
		if kind == "failures" then
			findings(old[kind], new[kind], list)
		else
			list = compare(old[kind], new[kind])
		end
		for _, c in ipairs(list) do
			order[#order + 1] = not n[c.what] and c.what or nil
			n[c.what] = (n[c.what] or 0) + 1
			status = worse[c.what] and 1 or status
			if o.json then
				print(as_json(c, kind))
			end
		end
		if not o.json then
			as_lines(list, old[kind], new[kind], kind == "branches" and "outcome" or "pair")
		end
	end
	for i, what in ipairs(order) do
		order[i] = ("%d %s"):format(n[what], what)
	end
	if not o.json then
		print(order[1] and "in all: " .. table.concat(order, ", ") or "no difference")
	end
	return status
end)
