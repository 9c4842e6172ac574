-- duct test [FILE.c[:FUNC]...]: tests of a function, or of each function of the files by turns, in a folder with a
-- Makefile, a page and the store, from which a second call continues. A turn is a session of dft with proofs in a
-- process of its own. Which entry comes next, and for how long, is up to duct.entries. When there are too many entries
-- for the time, the next call begins with those that had no turn.
local builds = require "duct.builds"
local core = require "duct.core"
local counted = require "duct.counted"
local turns = require "duct.entries"
local functions = require "duct.functions"
local main = require "duct.main"
local messages = require "duct.messages"
local program = require "duct.program"
local programs = require "duct.programs"
local progress = require "duct.progress"
local setup = require "duct.setup"

local fail, copy = program.fail, programs.copy
local fixed = 500                  -- blocks that take as long to build as what each program has
local large = 2000                 -- blocks of which finding pairs takes as long as building
local many = 4                     -- entries of one file, for which all of its code is worth making
local most_code = 0.5              -- of a file's code: an entry that reaches more makes all of it at once
local page = 3                     -- times what reading the open objectives takes, for the page and the summary
local kill = 9                     -- the signal
local least_turn = 0.1             -- seconds
local late = 0.05                  -- of all the time, that a turn may take beyond what is left
local obeying = 1                  -- seconds, and a twentieth of its time, for a turn that was told to end
local page_of_new = 1              -- times what reading a program takes, for these of a new store
local most_writing = 0.5           -- of all the time, that is kept for writing, at most
local shown = 8                    -- functions that are listed, at most
local named = 3                    -- of those that no session has run

local function base(path)
	return path and path:match("[^/]+$")
end

-- The files of a program that runs from an entry may need, all where something that the user states may need any; the
-- functions that the others define, a set; and its size, in blocks, by the time that its session takes to begin.
local function needed(group, flow, own)
	local all = not group.files[2] or own.init or own.assume or own.global or own.stub or own.scope == "inter"
		or own.criteria
	local files, elsewhere, code, blocks, is_needed = {}, {}, {}, 0, not all and flow:needed(own.entry)
	for i, file in ipairs(group.files) do
		if all or is_needed[i - 1] then
			files[#files + 1], code[file] = file, 0
			for _, f in ipairs(flow:functions(i - 1)) do
				code[file] = code[file] + f.blocks
			end
			blocks = blocks + code[file]
		else
			for _, f in ipairs(flow:functions(i - 1)) do
				elsewhere[f.name] = true
			end
		end
	end
	return files, elsewhere, fixed + blocks * (1 + blocks / large), code
end

-- The file that defines the entry.
local function home_of(group, flow, name)
	for i, file in ipairs(group.files) do
		for _, f in pairs(flow:functions(i - 1)) do
			if f.name == name then
				return file
			end
		end
	end
end

-- Does the entry reach most of the code of its program?
local function comes_to_most(flow, name)
	local reached, own, all = flow:reachable(name), 0, 0
	for unit = 0, flow:units() - 1 do
		for id, f in pairs(flow:functions(unit)) do
			all, own = all + f.blocks, own + (reached[unit] and reached[unit][id] and f.blocks or 0)
		end
	end
	return own > most_code * all
end

-- Is it a main that has no inputs, and so one path only?
local function is_same(flow, name, near)
	if name ~= "main" or flow:takes_arguments() then
		return false
	end
	for callee in pairs(near) do
		local is_own = callee:find("^duct_") or callee:find("^__VERIFIER_")
		if is_own or core.asks(callee) or not (flow:find(callee) or core.library_has(callee) or callee:find("^llvm%.")) then
			return false
		end
	end
	return true
end

-- Adds the entries of a program: those named, or every function of its files that can be one. Its flow is kept as a
-- file of this name.
local function add_entries(entries, group, skipped, kept)
	local folder <close> = program.folder()
	local flow = program.flow(group, folder.path)
	if os.rename(folder.path .. "/flow", kept) then
		group.model = { files = group.files, flags = group.flags, records = kept }
	end
	local function add(name)
		local own = setup.of(group, name)
		local fine, why = flow:plan(own)
		if fine then
			local files, elsewhere, size, code = needed(group, flow, own)
			local near = turns.near(flow, name)
			entries[#entries + 1] = { name = name, group = group, number = #entries,
				conditions = turns.conditions(flow, name, near), near = near, same = is_same(flow, name, near),
				files = files, elsewhere = elsewhere, size = size, code = code, home = home_of(group, flow, name),
				makes_all = group.files[2] ~= nil or comes_to_most(flow, name) }
		elseif group.named[1] then
			fail(2, "%s", messages.with_functions(why, group.files, flow))
		else
			skipped[#skipped + 1] = ("%s: %s"):format(name, why)
		end
	end
	local ours, seen = {}, {}
	for _, file in ipairs(group.files) do
		ours[base(file)] = not group.tested or group.tested[file]
	end
	for _, name in ipairs(group.named) do
		add(name)
	end
	local function add_all(of_headers)
		for f in functions.each(flow) do
			if not seen[f.name] and of_headers ~= (ours[base(f.file)] or false) then
				seen[f.name] = true
				add(f.name)
			end
		end
	end
	if not group.named[1] then
		add_all(false)
		if not next(seen) then
			add_all(true)                        -- a library in a header, and a file that includes it
		end
	end
end

-- The options of the session that a turn is; fails with a message where they cannot be meant so.
local function turn_options(entry, seconds)
	local o = copy(entry.group, { strategy = "dft", prove = true, entry = entry.name, time = seconds, out = false,
		json = false, fail_under = false, fail_on = false, files = entry.files, elsewhere = entry.elsewhere,
		open_pairs = true, server = entry.server })
	for key, value in pairs(o) do
		o[key] = value or nil
	end
	main.defaults(o)
	main.check(o)
	return o
end

-- The target that the entry cannot reach, if an error says that.
local function out_of_reach(why)
	return type(why) == "table" and (why.message or ""):match("^%-%-target (.*): no .* can reach$")
end

-- Runs a session for those targets that its entry can reach; the others are left in a file, a line each. Fails when it
-- can reach none.
local function run(o, place)
	while true do
		local fine, store, session, figures = pcall(main.run, o)
		if fine then
			return store, session, figures
		end
		local name = out_of_reach(store)
		if not name then
			error(store, 0)
		end
		local f <close> = assert(io.open(place .. ".missed", "a"))
		f:write(name, "\n")
		local left = {}
		for _, target in ipairs(o.target) do
			left[#left + 1] = target:gsub("^%./", "") ~= name and target or nil
		end
		o.target = left[1] and left or error(store, 0)
	end
end

-- One turn, in a process of its own, which leaves its figures in a file.
local function take_turn(entry, seconds, place, made)
	core.deadline(seconds, true)
	local o = turn_options(entry, seconds)
	local is_built, why = pcall(made.make, made, entry, o)
	local said = io.open(place .. ".said", "w")
	if said then
		said:write(o.said or "")
		said:close()
	end
	if not is_built then
		error(why, 0)
	end
	-- building took longer than was thought: without a run it would be for nothing
	local more = math.min(core.now() - o.began + entry.needs - o.time, entry.spare)
	if more > 0 then
		o.time = o.time + more
		core.deadline(entry.needs, true)
	end
	local built, run_from = core.now() - o.began, core.now()
	local store, session, figures = run(o, place)
	local c, starting = store:counts(), figures and (session.first_run or core.now()) - run_from or 0
	store:close()
	local f = assert(io.open(place, "w"))
	f:write(("%.3f %.3f %d %d %d %d %d %d %d %d %d %s\n"):format(built, starting,
		c.covered, c.infeasible, c.total, c.pairs.covered, c.pairs.infeasible,
		c.pairs.total, c.failures, c.suite + c.pairs.suite, figures and figures.pending or 0,
		figures and figures.ended or "exhausted"))
	f:close()
	return 0
end

-- take_turn, for a status. A program may be so large that its time was over before its first run: no error of the call.
local function protected_turn(entry, seconds, place, made)
	return program.protected(function()
		local fine, result = pcall(take_turn, entry, seconds, place, made)
		if fine then
			return result
		elseif out_of_reach(result) then
			return 0
		elseif type(result) ~= "string" or not result:find("the script does not end: the time", 1, true) then
			error(result, 0)
		end
		assert(io.open(place .. ".late", "w")):close()
		return 0
	end)({})
end

-- A turn; after `most` seconds it is told that its time is over, and is ended if it does not heed that.
local function turn(entry, seconds, most, folder, made)
	local place = folder .. "/figures"
	for _, ending in ipairs { "", ".said", ".late", ".missed" } do
		os.remove(place .. ending)
	end
	local process = core.fork()
	if not process then
		local status = protected_turn(entry, seconds, place, made)
		collectgarbage()                          -- scratch folders go; what the parent will close stays
		os.exit(status)
	end
	local status = core.wait(process, most, obeying + most / 20)
	local said <close> = io.open(place .. ".said")
	entry.group.said = said and said:read "a" or entry.group.said   -- what the compiler said of a program is said once
	entry.missed = {}
	for name in core.exists(place .. ".missed") and io.lines(place .. ".missed") or function() end do
		entry.missed[name] = true
	end
	local f = io.open(place)
	if not f and next(entry.missed) then
		entry.failed = "no target is in what it can reach"
		return 0
	elseif not f then
		local over = core.exists(place .. ".late") or status == 128 + kill
		entry.failed = over and "its time was over before its first run: --time" or "could not be tested"
		return over and 0 or status
	end
	local line = f:read("l")
	f:close()
	local n, numbers = {}, line:match("^%S+ %S+ ([%d ]+)")
	for word in numbers:gmatch("%d+") do
		n[#n + 1] = math.tointeger(word)
	end
	local building, starting, ended = line:match("^(%S+) (%S+) [%d ]+ (.*)$")
	entry.figures, entry.building, entry.starting, entry.ended = n, tonumber(building), tonumber(starting), ended
	return 0
end

-- Tells the schedule what is open, unless that takes more than a small part of the time since it was done last; returns
-- how many objectives were decided since the turn before, nil: unknown.
local function learn(schedule, store_path, last)
	local began, before = core.now(), last.decided
	last.decided = nil
	if core.exists(store_path) and began - last.at >= 8 * last.took then
		local store <close> = core.store(store_path, "read")
		local open, decided = store:open()
		schedule:learn(open)
		last.at, last.took, last.decided = core.now(), core.now() - began, decided
	end
	return before and last.decided and last.decided - before
end

-- All entries by turns, until the time is up or none needs more. reading: seconds that reading a program took.
-- Returns the worst status of a turn, and the seconds that writing the page and the summary takes, which count, too.
local function take_turns(entries, o, folder, reading, deadline)
	local status, taken = 0, 0
	core.deadline(math.max(least_turn, deadline - core.now()))
	local store <close> = core.exists(o.store) and core.store(o.store, "read") or nil
	local schedule, writing = turns.schedule(entries, store, o.time, reading), 0
	local made, learned = builds.new(folder, turn_options), { at = 0, took = 0 }
	learn(schedule, o.store, learned)
	while not core.interrupted() do
		writing = math.min(learned.at > 0 and page * learned.took or page_of_new * reading, most_writing * o.time)
		local left = deadline - core.now() - writing
		local entry, seconds = schedule:next(left)
		if not entry or taken > 0 and left < math.min(schedule.least, schedule:begins(entry)) then
			break
		end
		seconds = math.ceil(math.min(seconds, math.max(left, least_turn)) * 10) / 10   -- it is told as a bound
		progress.prefix = #entries > 1 and ("%s (%d of %d): "):format(entry.name, entry.place, #entries) or entry.name .. ": "
		local began, closing = core.now(), schedule:closes(entry, seconds)
		made:serve(entry, true)
		made:await(entry, left)
		local waited = core.now() - began
		-- of one file, the first program may have what its entry needs alone, while the next one makes the code for all
		local group, objects = entry.group, entry.group.object_folder
		local alone = not (entry.makes_all or group.was_made)
		if left - seconds > schedule.least then
			local first = objects and not alone and not group.was_made and entry
			local soon = schedule:soon(left - seconds)
			made:serve(soon)
			if made:ahead(soon, first) then
				made:serve(schedule.waiting[1], true)
				made:ahead(schedule.waiting[1], first)
			end
		end
		group.object_folder = not alone and objects or nil
		local own = math.max(least_turn, seconds - closing - (core.now() - began))
		entry.needs, entry.spare = schedule:needs(entry), left - (core.now() - began) - own
		local most = math.max(left - (core.now() - began), own) + late * o.time
		status, taken = math.max(status, turn(entry, own, most, folder, made)), taken + 1
		group.object_folder, group.was_made = objects, true
		made:over(entry)
		local took = core.now() - began
		entry.building = entry.building and entry.building + waited
		core.deadline(math.max(least_turn, deadline - core.now()))
		schedule:took(entry, took, learn(schedule, o.store, learned), took - seconds + closing)
	end
	made:close()
	core.pause(true)                              -- what follows is written, however long that takes
	progress.prefix = ""
	progress.clear()
	return status, writing
end

local ends = { time = "time ran out", exhausted = "every path was run", interrupted = "interrupted",
	["nothing left to try"] = "nothing left to try", limits = "every path within the limits was run",
	runs = "the runs were used up", memory = "the session took all of --memory",
	["out of reach"] = "open objectives need too many steps" }

-- The functions that fit on a screen, and a line about the others: first those with findings, then those of
-- which most is open.
local function chosen(entries)
	local list, untested, done = {}, 0, 0
	for i, entry in ipairs(entries) do
		local n = entry.figures
		if n or entry.failed then
			entry.open, entry.order = n and n[3] - n[1] - n[2] + n[6] - n[4] - n[5] or math.huge, i
			list[#list + 1] = entry
		else
			untested = untested + 1
		end
	end
	table.sort(list, function(a, b)
		local x, y = a.figures and a.figures[7] or 0, b.figures and b.figures[7] or 0
		if (x > 0) ~= (y > 0) then
			return x > 0
		elseif a.open ~= b.open then
			return a.open > b.open
		end
		return a.order < b.order
	end)
	for k = #list, 1, -1 do
		if k <= shown and (#entries <= shown or list[k].open > 0 or list[k].figures[7] > 0) then
			break
		end
		done = done + (table.remove(list, k).open == 0 and 1 or 0)
	end
	return list, untested, #entries - untested - #list, done
end

-- The names of functions that no session has run, so that what only they reach is in no figure.
local function not_counted(entries, store)
	local had, list = {}, {}
	for _, q in ipairs(store:questions(false)) do
		had[q.entry] = true
	end
	for _, entry in ipairs(entries) do
		list[#list + 1] = not entry.figures and not had[entry.name] and entry.name or nil
	end
	return list
end

-- A line for each function with the results of its own session.
local function show_functions(entries, store)
	local missing = store and not_counted(entries, store) or {}
	if missing[1] then
		print("not counted: what is reached only from " .. messages.listed(missing, named))
	end
	local width = 8
	local title = "functions, with what they call:"
	print(core.colour() and "\27[1m" .. title .. "\27[m" or title)
	local list, untested, others, done = chosen(entries)
	for _, entry in ipairs(list) do
		width = math.max(width, #entry.name)
	end
	for _, entry in ipairs(list) do
		local n = entry.figures
		if n then
			print(("  %-" .. math.min(width, 32) .. "s  branches %d/%d  pairs %d/%d%s%s  %s"):format(entry.name, n[1],
				n[3] - n[2], n[4], n[6] - n[5], n[2] + n[5] > 0 and ("  %d infeasible"):format(n[2] + n[5]) or "",
				n[7] > 0 and ("  %d finding%s"):format(n[7], n[7] == 1 and "" or "s") or "", ends[entry.ended] or entry.ended))
		else
			print(("  %-" .. width .. "s  %s"):format(entry.name, entry.failed))
		end
	end
	if others > 0 and others == done then
		print(("  %s%d, with nothing open"):format(list[1] and "and " or "", others))
	elseif others > 0 then
		print(("  and %d more%s"):format(others, done > 0 and (", %d of them with nothing open"):format(done) or ""))
	end
	if untested > 0 then
		print(("  %d had no turn: %s"):format(untested, core.interrupted() and "interrupted" or "no time was left"))
	end
end

-- For functions whose runs depended on behaviour that C leaves to implementations: recounts their tests on the
-- untouched program, in the remaining time, or a thirtieth of all time. Returns lines about the verdicts that became
-- unknown.
local function recount(o, entries, left)
	local store <close> = core.store(o.store)
	local list, deadline, lines, skipped = store:questions(true), core.now() + math.max(left, o.time / 30), {}, 0
	local possible = list[1] and counted.possible()
	for _, q in ipairs(list) do
		local seconds = deadline - core.now()
		local r = possible and seconds > 0 and not core.interrupted() and
			counted.session(store, q.session, { store = o.store, seconds = seconds, confine = o.confine })
		skipped = skipped + (r and 0 or 1)
		if r and r.branches.missed + r.pairs.missed > 0 then
			for _, entry in ipairs(entries) do
				local n = entry.name == q.entry and entry.figures
				if n then
					n[1], n[4] = n[1] - r.branches.missed, n[4] - r.pairs.missed
				end
			end
			lines[#lines + 1] = ("%s: the untouched program takes %d outcomes and %d pairs fewer; they are unknown: %s")
				:format(q.entry, r.branches.missed, r.pairs.missed, r.missed[1] or "duct report --pairs")
		end
	end
	if skipped > 0 then
		lines[#lines + 1] = ("not run on the untouched program, where addresses and the like may differ: the tests of %d %s: "
			.. "duct recount %s"):format(skipped, skipped == 1 and "function" or "functions", program.quoted(o.store))
	end
	return lines
end

-- The folder for the results of a call, in which there are no files of others.
local function place_of(o, what)
	return o.out or what.out or (base(what.files[1]):gsub("%.[^.]*$", "")) .. "-duct"
end

local function report(o, store, entries, skipped, found, left, differs)
	local one, models = #entries == 1, {}
	for _, entry in ipairs(entries) do
		if entry.group.model ~= models[#models] then
			models[#models + 1] = entry.group.model
		end
	end
	store:report { kind = "html", place = o.out .. "/html", session = "all", models = models }
	local written, why = pcall(store.report, store, { kind = "collection", place = o.out, format = o.format,
		session = "all" })
	if not written and not tostring(why):find("no session has tests", 1, true) then
		error(why, 0)
	end
	if o.json then
		store:report { kind = "json", session = "all", not_counted = not_counted(entries, store) }
		return
	end
	if one then
		store:report { kind = "text", session = "all", stats = o.stats, brief = true }
	else
		store:report { kind = "screen", session = "all", stats = o.stats, store = program.quoted(o.store),
			between = function() show_functions(entries, store) end }
	end
	for _, line in ipairs(differs) do
		print(line)
	end
	if skipped[1] then
		print("not an entry: " .. skipped[1] .. (skipped[2] and ("; and %d more: duct plan"):format(#skipped - 1) or ""))
	end
	if left[1] then
		print((left[2] and "left out: %d files of tests or examples, such as %s; name them to test them"
			or "left out: %d file of tests or examples, %s; name it to test it"):format(#left, left[1]))
	end
	if found then
		print("flags: from " .. found)
	end
	print(written and ("tests: make -C %s check"):format(program.quoted(o.out)) or "tests: none; no function had a run")
	print(("page:  %s/html/index.html"):format(o.out))
	for _, entry in ipairs(entries) do
		if entry.ended == "time" or entry.ended == "interrupted" or not entry.figures and not entry.failed then
			print("more:  the same command continues where this one stopped")
			break
		end
	end
end

-- Has the store a session, of an earlier call or of a turn that was ended?
local function has_sessions(path)
	local store <close> = core.store(path, "read")
	local open = store:open()
	return next(open) ~= nil
end

-- The targets that no entry can reach, of those that all had a turn for.
local function missed(entries)
	local list = {}
	for name in pairs(entries[1].missed or {}) do
		local all = true
		for _, entry in ipairs(entries) do
			all = all and entry.missed and entry.missed[name]
		end
		list[#list + 1] = all and name or nil
	end
	table.sort(list)
	return list
end

local function any_figures(entries)
	for _, entry in ipairs(entries) do
		if entry.figures then
			return true
		end
	end
end

return program.protected(function(o)
	local started = core.now()
	setup.project(o)
	main.check_status(o)
	local what = programs.read(o)
	o.files = what.files
	program.need_files(o)
	o.strategy, o.time = "dft", o.time or 60
	o.out = place_of(o, what)
	main.may_write(o)
	local folder <close> = program.folder()
	local entries, skipped, found, reading = {}, {}, nil, 0
	for i, group in ipairs(programs.list(o, what)) do
		local began = core.now()
		add_entries(entries, group, skipped, folder.path .. "/model." .. i)
		reading = math.max(reading, core.now() - began)
		found = found or not o.database and group.found
	end
	if #entries == 0 then
		fail(2, "%s: no function that could be tested%s", what.files[1], skipped[1] and ": " .. skipped[1] or "")
	end
	turn_options(entries[1], o.time)              -- what is wrong is said once, not by each turn
	core.own(o.out)
	o.store = o.store or o.out .. "/store.db"
	for _, entry in ipairs(entries) do
		local group = entry.group
		group.store, group.entries = o.store, (group.entries or 0) + 1
		group.homes = group.homes or {}
		group.homes[entry.home or ""] = (group.homes[entry.home or ""] or 0) + 1
	end
	for _, entry in ipairs(entries) do
		local group = entry.group
		if group.files[2] or group.entries >= many then
			group.object_folder = folder.path .. "/objects"
			entry.is_served = entry.home and group.homes[entry.home] >= many
		else
			entry.code = nil
		end
	end
	core.store(o.store):close()
	local deadline = started + o.time
	local status, writing = take_turns(entries, o, folder.path, reading, deadline)
	for _, name in ipairs(missed(entries)) do
		core.say(("duct: --target %s: no code that %s can reach\n"):format(name,
			#entries == 1 and entries[1].name or "one of these functions"))
		status = 2
	end
	if status < 2 and not any_figures(entries) and not has_sessions(o.store) then
		show_functions(entries)
		return 4
	elseif core.exists(o.store) and (status < 2 or any_figures(entries)) then
		local differs = recount(o, entries, deadline - core.now() - writing)
		local store = core.store(o.store, "read")
		report(o, store, entries, skipped, found, what.left, differs)
		status = math.max(status, main.status(o, store, "all"))
		store:close()
	end
	return status
end)
