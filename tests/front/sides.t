#!/usr/bin/env lua5.4
-- Sides that a run takes: what the woven program reports, against the counts of clang's coverage
-- build of the same file, by line, column and side.
-- limit: 300
local root = os.getenv("ROOT") or "."
package.path = root .. "/tests/lib/?.lua;" .. package.path
local json, tap = require "json", require "tap"
local quote = tap.quote

local function run(command)
	local status, out, err = tap.run(command)
	if status ~= 0 then error(command .. "\n" .. err, 0) end
	return out
end

-- Set of "line:col:T" and "line:col:F" that were counted.
local function clang_says(source, folder)
	local out = run(([[cd %s && clang-19 -w -fwrapv -fprofile-instr-generate -fcoverage-mapping %s -o cov -lm
		LLVM_PROFILE_FILE=raw ./cov </dev/null >/dev/null
		llvm-profdata-19 merge raw -o data && llvm-cov-19 export cov -instr-profile=data]]):format(quote(folder), quote(source)))
	local set = {}
	for _, f in ipairs(json.decode(out).data[1].functions) do
		for _, b in ipairs(f.branches) do
			if b[5] > 0 then set[b[1] .. ":" .. b[2] .. ":T"] = true end
			if b[6] > 0 then set[b[1] .. ":" .. b[2] .. ":F"] = true end
		end
	end
	return set
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

-- Outcome -> the sides that it is; the places that no run evaluates; sides that nobody claims: clang
-- counts for each case label when it was not taken.
local function meanings(flow)
	local of, switch, never, label = {}, {}, {}, {}
	local key
	for r in records(flow) do
		local tag, id = r[1], r[2]
		if tag == "unit" then
			if key then break end            -- library models come behind
			key = id:gsub("^0*", "")
		elseif tag == "branch" then
			local at, first = r[8] .. ":" .. r[9], math.tointeger(r[6])
			if r[5] == "s" then
				switch[id] = { first = first, at = at, label = {} }
			else
				of[first], of[first + 1] = { at .. ":T" }, { at .. ":F" }
			end
		elseif tag == "case" then
			table.insert(switch[id].label, r[5] .. ":" .. r[6])
		elseif tag == "default" then
			switch[id].at = r[4] .. ":" .. r[5]
		elseif tag == "dropped" and r[6] == "c" then
			never[r[4] .. ":" .. r[5]] = true
		end
	end
	for _, s in pairs(switch) do
		table.insert(s.label, s.at)
		for i, taken in ipairs(s.label) do
			of[s.first + i - 1] = { taken .. ":T" }
			label[taken .. ":F"] = true
		end
	end
	return of, never, label, key
end

local function duct_says(source, folder)
	local prog = quote(folder .. "/prog")
	run(("instrument -o %s %s -- -w"):format(prog, quote(source)))
	local of, never, label, key = meanings(run("cfg-dump " .. prog))
	tap.spit(folder .. "/in", "#inputs 1 test\ninput\t1\nrun\nend\t2\n")
	local set, unit = {}, nil
	for r in records(run(("run-trace %s <%s/in"):format(prog, quote(folder)))) do
		if r[1] == "unit" and r[3] == key then unit = r[2] end
		if r[1] == "cover" and r[2] == unit then
			for i = 3, #r do
				for _, side in ipairs(of[math.tointeger(r[i])] or { "?" .. r[i] }) do set[side] = true end
			end
		end
	end
	return set, never, label
end

local function missing(a, b, never, label)
	local list = {}
	for side in pairs(a) do
		if not b[side] and not label[side] and not never[side:match("^(.*):")] then list[#list + 1] = side end
	end
	table.sort(list)
	return table.concat(list, " ")
end

for path in io.popen(("ls %s/tests/front/*.c"):format(quote(root))):lines() do
	local folder = tap.folder("sides")
	local fine, problem = pcall(function()
		local clang = clang_says(path, folder)
		local duct, never, label = duct_says(path, folder)
		local more, less = missing(duct, clang, never, label), missing(clang, duct, never, label)
		return more .. less == "" and "" or "only ours: " .. more .. "\nonly clang's: " .. less
	end)
	tap.ok(fine and problem == "", path:match("[^/]+$"), problem)
end
tap.done()
