-- See tests/bench/upstream.   lua5.4 upstream.lua SCRATCH SECONDS
package.path = os.getenv "ROOT" .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local tap = require "tap"
local work, seconds = arg[1], tonumber(arg[2])

-- FILE:LINE:COL SIDE of the outcomes that the tests take, and the files that have some.
local function taken()
	local outcomes, files = {}, {}
	for n = 1, math.huge do
		local text = tap.slurp(("%s/%d.json"):format(work, n))
		if not text then
			return outcomes, files
		end
		for _, file in ipairs(text ~= "" and json.decode(text).data[1].files or {}) do
			for _, b in ipairs(file.branches or {}) do
				local place = ("%s:%d:%d "):format(file.filename, b[1], b[2])
				outcomes[place .. "true"] = outcomes[place .. "true"] or b[5] > 0
				outcomes[place .. "false"] = outcomes[place .. "false"] or b[6] > 0
				files[file.filename] = true
			end
		end
	end
end

-- Of a call of the compiler: its folder, the flags that duct needs, the C files.
local function call(line)
	local words, flags, sources = {}, {}, {}
	for word in line:gmatch "([^\t]+)" do
		words[#words + 1] = word
	end
	for i = 2, #words do
		local word, before = words[i], words[i - 1]
		if word:find "%.c$" and not before:find "^%-[oM]" then
			sources[#sources + 1] = word
		elseif word:find "^%-[IDU]." or word:find "^%-std" or word:find "^%-include" or before == "-include" then
			flags[#flags + 1] = tap.quote(word)
		end
	end
	return words[1], table.concat(flags, " "), sources
end

local function ask(folder, flags, file)
	local out = work .. "/out"
	os.execute(("rm -rf %s; cd %s && duct test %s --quiet --time %g --out %s -- %s >%s/told 2>&1"):format(out,
		tap.quote(folder), tap.quote(file), seconds, out, flags, work))
	local verdicts = {}
	local report <close> = io.popen(("duct report %s/store.db --branches 2>&1"):format(out))
	for line in report:lines() do
		local f = {}
		for field in (line .. "\t"):gmatch "([^\t]*)\t" do
			f[#f + 1] = field
		end
		if f[7] and line:sub(1, 1) ~= "#" then
			verdicts[#verdicts + 1] = { place = f[4], side = f[5]:gsub("^p:", ""), verdict = f[6], text = line }
		end
	end
	return verdicts
end

local outcomes, files = taken()
local met, wrong = {}, {}
for line in io.lines(work .. "/calls") do
	local folder, flags, sources = call(line)
	for _, source in ipairs(sources) do
		local path = source:find "^/" and source or folder .. "/" .. source
		local pipe <close> = io.popen("realpath " .. tap.quote(path) .. " 2>&1")
		local file = pipe:read "l" or path
		if files[file] and not met[file] then
			met[file] = true
			local count = { covered = 0, infeasible = 0, unknown = 0, only = 0 }
			for _, o in ipairs(ask(folder, flags, file)) do
				local is_taken = outcomes[o.place .. " " .. o.side]
				count[o.verdict] = count[o.verdict] + 1
				if is_taken and o.verdict == "infeasible" then
					wrong[#wrong + 1] = o.text
				elseif is_taken and o.verdict == "unknown" then
					count.only = count.only + 1
				end
			end
			print(("%-40s %5d covered %5d infeasible %5d unknown %5d only by the tests"):format(file:match "[^/]*$",
				count.covered, count.infeasible, count.unknown, count.only))
			io.stdout:flush()
		end
	end
end
for _, text in ipairs(wrong) do
	print("wrong: " .. text)
end
os.exit(#wrong == 0)
