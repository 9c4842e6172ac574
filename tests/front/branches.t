#!/usr/bin/env lua5.4
-- Conditions in flow(5) against the branch regions of clang's own coverage build: in each function,
-- the same ones at the same places, those that are not in the program any more included.
-- limit: 300
local root = os.getenv("ROOT") or "."
package.path = root .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local quote = tap.quote

-- A profile without counts of ours: regions are listed all the same.
tap.spit(tap.scratch .. "/none", "nobody\n1\n1\n0\n")

-- Function -> list of "file:line:col", sorted, from llvm-cov; folded ones are not in its list.
local function clang_says(source, folder)
	local status, out, err = tap.run(([[cd %s && llvm-profdata-19 merge %s -o data &&
		clang-19 -w -fprofile-instr-generate -fcoverage-mapping -I%s/share %s -c -o a.o &&
		llvm-cov-19 export a.o -instr-profile=data]]):format(quote(folder), quote(tap.scratch .. "/none"), quote(root), quote(source)))
	if status ~= 0 then return nil, err end
	local where = {}
	for _, f in ipairs(json.decode(out).data[1].functions) do
		local list = {}
		for _, b in ipairs(f.branches) do
			list[#list + 1] = ("%s:%d:%d"):format(f.filenames[b[7] + 1]:match("[^/]+$"), b[1], b[2])
		end
		table.sort(list)
		where[f.name:match("[^:]+$")] = list
	end
	return where
end

local function records(text)
	local lines = text:gmatch("[^\n]+")
	return function()
		local line = lines()
		if not line then return nil end
		local r = {}
		for field in (line .. "\t"):gmatch("(.-)\t") do r[#r + 1] = field end
		return r
	end
end

-- The same from flow(5): a switch has a place for each label, and without a default label the
-- place of its operand stands for that.
local function flow_says(source)
	local status, out, err = tap.run("cfg-dump " .. quote(source) .. " -- -w -I" .. quote(root .. "/share"))
	if status ~= 0 then return nil, err end
	local file, func, where, switch, seen, system = {}, {}, {}, {}, {}, {}
	local function add(f, r, i)
		local at = ("%s:%s:%s"):format((file[r[i]] or "?"):match("[^/]+$"), r[i + 1], r[i + 2])
		where[func[f]][#where[func[f]] + 1] = at
		return at
	end
	for r in records(out) do
		local tag, id = r[1], r[2]
		if tag == "file" then file[id] = r[3]
		elseif tag == "func" then
			func[id] = r[3]
			where[r[3]] = {}
			system[r[3]] = r[10]:find "y"
		elseif tag == "branch" then
			if r[5] == "s" then switch[id] = { func = r[3], record = r } else add(r[3], r, 7) end
		elseif tag == "case" then
			local key = id .. ":" .. r[5] .. ":" .. r[6]
			if not seen[key] then add(switch[id].func, r, 4) end
			seen[key] = true
		elseif tag == "default" then
			switch[id].default = true
			add(switch[id].func, r, 3)
		elseif tag == "dropped" and r[6] == "c" then add(id, r, 3)
		end
	end
	for _, s in pairs(switch) do
		if not s.default then add(s.func, s.record, 7) end
	end
	for name, list in pairs(where) do
		table.sort(list)
		if system[name] then where[name] = nil end
	end
	return where
end

-- The differences between the two lists.
local function difference(a, b)
	local count, out = {}, {}
	for _, x in ipairs(a) do count[x] = (count[x] or 0) + 1 end
	for _, x in ipairs(b) do count[x] = (count[x] or 0) - 1 end
	for x, n in pairs(count) do
		if n ~= 0 then out[#out + 1] = ("%s %+d"):format(x, n) end
	end
	table.sort(out)
	return table.concat(out, ", ")
end

local function compare(source, folder)
	local name = source:match("[^/]+$")
	local has_main = tap.slurp(source):find "%f[%w_]main%s*%("
	local want, err = clang_says(source, folder)
	local got, why = flow_says(source)
	if not want or not got then return tap.ok(false, name, err or why) end
	local wrong = {}
	for f, list in pairs(want) do
		local d = #list == 0 and not has_main and "" or got[f] and difference(got[f], list) or "not in flow"
		if d ~= "" then wrong[#wrong + 1] = f .. ": " .. d end
	end
	for f in pairs(got) do
		if not want[f] then wrong[#wrong + 1] = f .. ": clang has no such function" end
	end
	tap.ok(#wrong == 0, name, "ours - clang's: " .. table.concat(wrong, "\n"))
end

local list = #arg > 0 and arg or {}
if #arg == 0 then
	for path in io.popen(("ls %s/tests/front/*.c %s/share/examples/*.c"):format(quote(root), quote(root))):lines() do
		list[#list + 1] = path
	end
end
for _, path in ipairs(list) do compare(path, tap.folder("cov")) end
tap.done()
