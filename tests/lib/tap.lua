-- tap: results of a test script, and what such scripts need to run programs.
local tap = { count = 0, failed = 0 }

tap.root = os.getenv("ROOT") or "."
tap.scratch = os.getenv("TMPDIR") or "."

function tap.ok(good, name, detail)
	tap.count = tap.count + 1
	if not good then tap.failed = tap.failed + 1 end
	print((good and "ok" or "not ok") .. " - " .. name)
	if not good and detail then
		for line in tostring(detail):gmatch("[^\n]+") do print("# " .. line) end
	end
	io.stdout:flush()
	return good
end

function tap.is(got, want, name)
	return tap.ok(got == want, name, ("got %s, want %s"):format(tostring(got), tostring(want)))
end

function tap.done()
	print("1.." .. tap.count)
	os.exit(tap.failed == 0 and 0 or 1)
end

-- A word of shell.
function tap.quote(s) return "'" .. s:gsub("'", "'\\''") .. "'" end

function tap.slurp(path)
	local f = io.open(path, "rb")
	if not f then return nil end
	local s = f:read("a")
	f:close()
	return s
end

function tap.spit(path, text)
	local f = assert(io.open(path, "wb"))
	f:write(text)
	f:close()
end

local runs = 0

-- Runs a shell command: exit status (128 + signal), standard output, standard error.
function tap.run(command)
	runs = runs + 1
	local base = ("%s/run%d"):format(tap.scratch, runs)
	local _, how, code = os.execute(("{ %s\n} >%s.out 2>%s.err </dev/null"):format(command, base, base))
	local out, err = tap.slurp(base .. ".out"), tap.slurp(base .. ".err")
	os.remove(base .. ".out")
	os.remove(base .. ".err")
	return how == "signal" and 128 + code or code, out or "", err or ""
end

-- An empty folder in the scratch.
function tap.folder(name)
	local path = tap.scratch .. "/" .. name
	os.execute("rm -rf " .. tap.quote(path) .. " && mkdir -p " .. tap.quote(path))
	return path
end

-- For each seed a result: `check(seed, folder)` raises an error when something is wrong. KEEP_FAILED=DIR keeps the
-- folders of failing seeds there.
function tap.seeds(first, last, check)
	for seed = first, last do
		local dir = tap.folder("seed" .. seed)
		local good, why = pcall(check, seed, dir)
		tap.ok(good, ("seed %d"):format(seed), type(why) == "table" and why[1] or why)
		local keep = os.getenv("KEEP_FAILED")
		if not good and keep then
			os.execute(("mkdir -p %s && rm -rf %s/seed%d && mv %s %s/"):format(keep, keep, seed, dir, keep))
		end
		os.execute("rm -rf " .. tap.quote(dir))
	end
end

-- Was every path run, within limits at least? What it left is then infeasible, or limited.
function tap.whole(report)
	return report.exhausted or report.ended == "limits"
end

return tap
