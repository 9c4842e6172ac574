-- See tests/bench/pointers.   lua5.4 pointers.lua LIST SCRATCH SECONDS BEST-SECONDS WORD...
-- A line for each function: outcomes of conditions that no option covers, the most that any session covers, how many there
-- are, seconds, needs, findings; below it what these are.
package.path = os.getenv "ROOT" .. "/tests/lib/?.lua;" .. package.path
local json = require "json"
local list, scratch, seconds, best = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4])

local function quote(s)
	return "'" .. s:gsub("'", "'\\''") .. "'"
end

local function chosen(name)
	for i = 5, #arg do
		if name:find(arg[i], 1, true) then
			return true
		end
	end
	return #arg < 5
end

-- { package, flags, file, entry, alternatives: list of options }.
local function subjects()
	local found, package, flags = {}, nil, nil
	for line in io.lines(list) do
		if line:find "^package" then
			package, flags = line:match "^package (%S+) ?(.*)$"
		elseif line ~= "" and not line:find "^#" then
			local file, entry, rest = line:match "^(%S+) (%S+) ?(.*)$"
			local s = { package = package, flags = flags:gsub("%S*\"%S*", quote), file = file, entry = entry, alternatives = {} }
			for options in (rest ~= "" and rest .. "|" or ""):gmatch "([^|]*)|" do
				s.alternatives[#s.alternatives + 1] = options
			end
			if chosen(package .. "/" .. entry) then
				found[#found + 1] = s
			end
		end
	end
	return found
end

local function session(s, name, options, time)
	local to = ("%s/%s-%s-%s"):format(scratch, s.package, s.entry, name)
	local command = ("cd %s/%s/src && timeout -k 5 %d duct concolic %s --entry %s --time %g --quiet --json --store %s.db %s -- -w %s >%s.json 2>%s.err </dev/null")
		:format(quote(os.getenv "REAL"), s.package, math.ceil(time) + 20, s.file, s.entry, time, to, options, s.flags, to, to)
	local _, _, status = os.execute(command)
	local ok, report = pcall(function()
		local file <close> = assert(io.open(to .. ".json"))
		return json.decode(file:read "a")
	end)
	if status > 1 or not ok then
		local file <close> = assert(io.open(to .. ".err"))
		return nil, ("status %d: %s"):format(status, file:read "l" or "no message")
	end
	return report
end

local function measure(s)
	local r, message = session(s, "none", "", seconds)
	if not r then
		print(("%-12s %-26s %s"):format(s.package, s.entry, message))
		return
	end
	local own = r.branches.covered
	local most, how = own, ""
	for i = 0, best > 0 and #s.alternatives or -1 do
		local options = s.alternatives[i] or ""
		local other, why = session(s, tostring(i), options, best)
		if not other then
			print(("#   %s: %s"):format(options, why))
		elseif other.branches.covered > most then
			most, how = other.branches.covered, options == "" and "more time" or options
		end
	end
	print(("%-12s %-26s %5d %5d %5d %6.1f %5d %5d  %s"):format(s.package, s.entry, own, most, r.branches.total, r.seconds, #r.needs,
		#r.failures, r.mispredicted > 0 and ("%d mispredicted; "):format(r.mispredicted) .. how or how))
	for _, f in ipairs(r.failures) do
		print(("#   finding: %s at %s:%d in %s"):format(f.kind, f.file, f.line, f["function"] or "?"))
	end
	return { own = own, most = most, total = r.branches.total, findings = #r.failures }
end

print(("%-12s %-26s %5s %5s %5s %6s %5s %5s  %s"):format("package", "function", "own", "best", "of", "s", "needs", "finds",
	"best by"))
local n, failed, own, most, total, findings = 0, 0, 0, 0, 0, 0
for _, s in ipairs(subjects()) do
	local r = measure(s)
	n, failed = n + 1, failed + (r and 0 or 1)
	if r then
		own, most, total, findings = own + r.own, most + r.most, total + r.total, findings + r.findings
	end
end
print(("%d functions: %d outcomes covered with no option in %g s each, %.1f %% of the %d that the best session of %g s covers; %d in all; %d findings; %d without a session")
	:format(n, own, seconds, most > 0 and 100 * own / most or 0, most, best, total, findings, failed))
os.exit(failed == 0)
