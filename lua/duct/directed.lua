-- directed: sessions for some places only (--target, --changed, --trace) or for some pairs (--pair, --var).
--   directed.options(o)       what --changed and --trace name becomes targets
--   directed.pairs(o, defuse) numbers of the pairs that are goals; nil: all
--   directed.search(session)  searches a path to each target; ends when each is reached or infeasible
local core = require "duct.core"
local later = require "duct.later"
local messages = require "duct.messages"
local program = require "duct.program"
local concolic = require "strategy.concolic"

local proof = later "duct.proof"
local directed = {}

-- The lines that `git diff` says are new, as targets that need no code.
local function changed_lines(revision)
	local folder = core.scratch()
	local status = core.run { "sh", "-c", [[git rev-parse --git-dir >"$2/diff" 2>&1 || exit 3
		git diff -U0 --no-color --no-prefix --no-ext-diff --relative "$1" -- >"$2/diff"]], "sh", revision, folder }
	local list, file = {}, nil
	for line in status == 0 and io.lines(folder .. "/diff") or function() end do
		file = line:match("^%+%+%+ (.-)\t?$") or file
		local first, count = line:match("^@@ %-%S+ %+(%d+),?(%d*) @@")
		for n = first and 0 or 1, first and (tonumber(count) or 1) - 1 or 0 do
			list[#list + 1] = ("?%s:%d"):format(file, tonumber(first) + n)
		end
	end
	core.remove(folder)
	if status == 3 then
		program.fail(2, "--changed: the working directory is not in a git tree")
	elseif revision:find("^%-") or status ~= 0 then
		program.fail(2, "--changed: git knows no revision %s", revision)
	elseif #list == 0 then
		program.fail(2, "--changed: nothing is new since %s", revision)
	end
	return list
end

-- The innermost place of a stack trace whose file is one of the program's: `#0 ... at FILE:LINE`, `#1 ...
-- FILE:LINE:COL`.
local function trace_end(path, files)
	local f, message = io.open(path)
	if not f then
		program.fail(4, "--trace: %s", message)
	end
	local place
	for line in f:lines() do
		local file, number = line:match("^%s*#%d+%s.*%s(%S-):(%d+):?%d*%s*$")
		for _, own in ipairs(file and not place and files or {}) do
			place = own:match("[^/]*$") == file:match("[^/]*$") and ("%s:%s"):format(own, number) or place
		end
	end
	f:close()
	return { place or program.fail(3, "--trace: %s: no frame of %s", path, table.concat(files, ", ")) }
end

function directed.options(o)
	for _, list in ipairs { o.changed and changed_lines(o.changed) or {},
		o.trace and trace_end(o.trace, o.files) or {} } do
		o.target = list[1] and table.move(list, 1, #list, #(o.target or {}) + 1, o.target or {}) or o.target
	end
	if o.target and (o.pair or o.var) then
		program.fail(2, "--target and --pair or --var: only one of them can be given")
	end
end

-- The variables that pairs are of, as a text.
local function variables(defuse)
	local list, seen = {}, {}
	for pair = 1, defuse:count() do
		local name = defuse:pair(pair).name
		list[#list + 1] = not seen[name] and name or nil
		seen[name] = true
	end
	return messages.listed(list)
end

function directed.pairs(o, defuse)
	if not (o.pair or o.var) then
		return nil
	end
	local list, names = {}, {}
	for _, name in ipairs(o.var or {}) do
		names[name] = true
	end
	for pair = 1, defuse:count() do
		list[#list + 1] = names[defuse:pair(pair).name] and pair or nil
	end
	for _, text in ipairs(o.pair or {}) do
		local pair = math.tointeger(text)
		if not pair or pair < 1 or pair > defuse:count() then
			program.fail(2, "--pair: there is no pair %s, but 1 to %d", text, defuse:count())
		end
		list[#list + 1] = pair
	end
	table.sort(list)
	return list[1] and list or program.fail(2, "--var: no pair is of %s; there are: %s", table.concat(o.var, ", "),
		variables(defuse))
end

function directed.search(session)
	local prover = session.options.prove and proof.new(session) or nil
	local function decided()
		return not session:aims()
	end
	concolic(session, nil, decided, prover)
	if prover and not decided() and not session:over() then
		prover:finish()
	end
	if decided() then
		session.ended = session.ended or "each target is decided"
	end
end

return directed
