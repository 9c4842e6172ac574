-- Judges what duct says of small programs by what their native runs do: see README.
--   lua5.4 judge.lua SECONDS SCRATCH FILE...     prints TAP, and `# figures EXERCISED CONCOLIC DFT` for each program
-- (CONCOLIC: - with ONE_SESSION)
local home = arg[0]:match("^(.*)/[^/]*$")
package.path = home .. "/?.lua;" .. package.path
local mark = require "mark"

-- Clang compiles without starting itself again where nothing else is to be done; gold links in less time.
local link = "gcc" .. (os.execute("command -v ld.gold >/dev/null") and " -fuse-ld=gold" or "")
local compilers = {
	{ name = "gcc -O0", command = link .. " -O0 -o %s %s" },
	{ name = "gcc -O2", command = link .. " -O2 -o %s %s" },
	{ name = "clang", command = "clang-19 -O1 -c -o %s.o %s", link = link .. " -o %s %s.o %s" },
}
local sanitized = { command = "clang-19" .. (link:find "gold" and " -fuse-ld=gold" or "")
	.. " -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -o %s %s" }
local ids, values = 1024, 64                 -- as in hits.h
local one_compiler, one_session = os.getenv("ONE_COMPILER"), os.getenv("ONE_SESSION")
local overrun = 6                            -- seconds that a session may take beyond its time

local function read(path)
	local file = io.open(path, "rb")
	if not file then
		return ""
	end
	local text = file:read("a")
	file:close()
	return text
end

local function write(path, text)
	local file = assert(io.open(path, "wb"))
	file:write(text)
	file:close()
end

local function quote(s)
	return "'" .. s:gsub("'", "'\\''") .. "'"
end

local function run(command, ...)
	local _, _, status = os.execute(command:format(...))
	return status
end

-- The first comment: `word: text`, each as often as wanted, `;` or a line's end between them.
local function header(text)
	local fields = { run = {}, pairs = {}, flags = {} }
	for line in text:match("^/%*(.-)%*/"):gmatch("[^\n]+") do
		local word, rest = line:match("^[ *]*(%l+): *(.-)%s*$")
		if word and fields[word] and type(fields[word]) == "table" then
			table.insert(fields[word], rest)
		elseif word then
			fields[word] = rest
		end
	end
	return fields
end

-- hits: the object that records outcomes; none
local function compile(p, compiler, source, program, hits)
	local status = run("%s %s -w -DNATIVE -I%s %s %s 2>%s/compile.err", compiler.command:format(program, source),
		hits and "-include hits.h" or "", quote(home), not compiler.link and hits or "", p.flags, p.dir)
	if status == 0 and compiler.link then
		status = run("%s %s 2>%s/compile.err", compiler.link:format(program, program, hits), p.flags, p.dir)
	end
	if status ~= 0 then
		error(("%s does not compile it: %s"):format(compiler.command, read(p.dir .. "/compile.err"):match("[^\n]*error[^\n]*")), 0)
	end
end

local function execute(p, program, err)
	for n, line in ipairs(#p.runs > 0 and p.runs or { "$P" }) do
		local folder = ("%s/run.%d"):format(p.dir, n)
		run("rm -rf %s; mkdir %s; cd %s; ASAN_OPTIONS=symbolize=0 P=%s timeout -k 1 20 sh -c %s >/dev/null 2>>%s </dev/null", folder, folder, folder,
			program, quote(line), err)
	end
end

-- The outcomes that runs of that program took: taken[id * 2 + outcome], and values[id] of a switch.
local function hits(program)
	local table_bytes = read(program .. ".hits")
	local taken, seen = {}, {}
	if #table_bytes == 0 then
		error("no run came to its beginning: " .. program, 0)
	end
	for i = 0, ids * 2 - 1 do
		taken[i] = table_bytes:byte(i + 1) ~= 0 or nil
	end
	for id = 0, ids - 1 do
		local at = ids * 2 + id * values * 8 + 1
		local n = string.unpack("<i8", table_bytes, at)
		for i = 1, n do
			seen[id] = seen[id] or {}
			seen[id][i] = string.unpack("<i8", table_bytes, at + i * 8)
		end
	end
	return taken, seen
end

-- Rows of a report: a list of fields each.
local function rows(text)
	local list = {}
	for line in text:gmatch("[^\n]+") do
		if not line:find("^#") then
			local row = {}
			for field in (line .. "\t"):gmatch("([^\t]*)\t") do
				row[#row + 1] = field
			end
			list[#list + 1] = row
		end
	end
	return list
end

local function position(text)
	local line, column = text:match(":(%d+):(%d+)$")
	return tonumber(line), tonumber(column)
end

-- Groups of the rows of each switch, in the order of their first labels.
local function switches(branches)
	local by, groups = {}, {}
	for _, row in ipairs(branches) do
		if row[5]:find("^p:case") or row[5] == "p:default" then
			local key = row[1] .. " " .. row[3]
			if not by[key] then
				by[key] = { first = math.huge }
				groups[#groups + 1] = by[key]
			end
			by[key].first = math.min(by[key].first, (position(row[4])))
			table.insert(by[key], row)
		end
	end
	table.sort(groups, function(a, b) return a.first < b.first end)
	return groups
end

local function outcome_taken(leaf, side, native)
	return native.taken[leaf.id * 2 + (side == "p:true" and 1 or 0)]
end

local function label_of(row)
	local text = row[5]:match("^p:case (.*)")
	return text and (math.tointeger(tonumber(text)) or (text:match("^'(.)'$") or ""):byte() or text)
end

local function case_taken(group, row, seen)
	local labels = {}
	for _, other in ipairs(group) do
		labels[label_of(other) or "default"] = true
	end
	for _, value in ipairs(seen or {}) do
		if value == label_of(row) or row[5] == "p:default" and not labels[value] then
			return true
		end
	end
	return false
end

-- Calls found(row, leaf or group, taken by which native) for each outcome of a report whose condition is marked.
local function each_outcome(p, branches, found)
	local leaf_at, number = {}, 0
	local groups = switches(branches)
	for _, leaf in ipairs(p.leaves) do
		if leaf.switch then
			number = number + 1
			for _, row in ipairs(groups[number] or {}) do
				found(row, function(native) return case_taken(groups[number], row, native.seen[leaf.id]) end)
			end
		else
			leaf_at[leaf.line .. ":" .. leaf.column] = leaf
		end
	end
	for _, row in ipairs(branches) do
		local line, column = position(row[4])
		local leaf = leaf_at[line .. ":" .. column]
		if leaf and (row[5] == "p:true" or row[5] == "p:false") then
			leaf.met = true
			found(row, function(native) return outcome_taken(leaf, row[5], native) end)
		end
	end
end

local function native_names(p, taken)
	local names = {}
	for _, native in ipairs(p.natives) do
		if taken(native) then
			names[#names + 1] = native.name
		end
	end
	return #names > 0 and table.concat(names, ", ")
end

local function judge_branches(p, session)
	local branches = rows(session.branches)
	each_outcome(p, branches, function(row, taken)
		local by = native_names(p, taken)
		if not by then
			return
		end
		local key = row[4] .. row[5]
		p.exercised[key] = true
		session.covered = session.covered + (row[6] == "covered" and 1 or 0)
		if row[6] == "infeasible" then
			p.wrong(("%s %s of `%s` is infeasible (%s: %s), taken by %s"):format(row[4]:match("[^/]*$"), row[5], row[2], session.name,
				row[7], by))
		elseif row[6] == "unknown" then
			p.note(("%s %s of `%s`: unknown to %s: %s"):format(row[4]:match("[^/]*$"), row[5], row[2], session.name, row[7]))
		end
	end)
	for _, leaf in ipairs(p.leaves) do
		if not session.killed and not leaf.switch and not leaf.met and native_names(p, function(native)
				return native.taken[leaf.id * 2] or native.taken[leaf.id * 2 + 1]
			end) then
			p.wrong(("%d:%d: a native run comes to this condition, %s has none there"):format(leaf.line, leaf.column,
				session.name))
		end
	end
end

-- Pairs that lines with `def X` and `use X` in their comments exercised: infeasible are they when all on these lines are.
local function judge_pairs(p, session)
	local list = rows(session.pairs)
	for variable, id in pairs(p.variables) do
		for _, native in ipairs(p.natives) do
			for _, value in ipairs(native.seen[id] or {}) do
				local def, use = value >> 16, value & 0xffff
				local evidence, all
				for _, row in ipairs(list) do
					if row[2] == variable and position(row[3]) == def and position(row[4]) == use then
						all = all ~= false and row[6] == "infeasible"
						evidence = row[7]
					end
				end
				if all then
					p.wrong(("pair of %s, %d -> %d, is infeasible (%s: %s), exercised by %s"):format(variable, def, use,
						session.name, evidence, native.name))
				end
			end
		end
	end
end

local kinds = {
	{ "division by zero", "div" }, { "null pointer", "null" }, { "member access within null", "null" },
	{ "out of bounds", "bounds" }, { "shift exponent", "shift" }, { "left shift", "shift" }, { "integer overflow", "overflow" },
	{ "cannot be represented", "overflow" }, { "heap%-buffer", "bounds" }, { "stack%-buffer", "bounds" },
	{ "global%-buffer", "bounds" }, { "use%-after", "bounds" }, { "insufficient space", "bounds" }, { "SEGV", "null" },
	{ "dynamic%-stack", "bounds" }, { "applying", "bounds" },
}

-- The text of the sanitizers with the source places in place of addresses: one addr2line answers for all runs, where the
-- sanitizer would start one in each.
local function located(program, text)
	local asked, list = {}, {}
	for address in text:gmatch("%(" .. program:gsub("%p", "%%%0") .. "%+(0x%x+)%)") do
		if not asked[address] then
			asked[address] = ""
			list[#list + 1] = address
		end
	end
	write(program .. ".addresses", table.concat(list, "\n"))
	run("addr2line -a -i -e %s <%s.addresses >%s.places", program, program, program)
	local n = 0
	for line in read(program .. ".places"):gmatch("[^\n]+") do
		if line:find("^0x") then
			n = n + 1
		else
			asked[list[n]] = asked[list[n]] .. " " .. line
		end
	end
	return (text:gsub("%(%S+%+(0x%x+)%)", asked))
end

-- Reports of the sanitizers: [line] = { kind = text }. A report of AddressSanitizer is at the first line of the program that
-- its stack names.
local function violations(p, text)
	local found, pending = {}, nil
	local function add(line, message)
		for _, kind in ipairs(kinds) do
			if message:find(kind[1]) then
				found[line] = found[line] or {}
				found[line][kind[2]] = message
			end
		end
	end
	for line in text:gmatch("[^\n]+") do
		local at, message = line:match("^" .. p.pattern .. ":(%d+):%d+: runtime error: (.*)")
		if at then
			add(tonumber(at), message)
		elseif line:find("ERROR: AddressSanitizer") then
			pending = line
		elseif pending and line:find("^%s*#%d") and line:find(p.pattern .. ":%d") then
			add(tonumber(line:match(p.pattern .. ":(%d+)")), pending)
			pending = nil
		end
	end
	return found
end

local function judge_checks(p, session)
	local list = rows(session.checks)
	for line, by_kind in pairs(p.violations) do
		for kind, message in pairs(by_kind) do
			local all, evidence
			for _, row in ipairs(list) do
				if (row[2] == kind or kind == "null" and row[2] == "bounds") and position(row[3]) == line then
					all = all ~= false and row[4] == "safe"
					evidence = row[5]
				end
			end
			if all then
				p.wrong(("check %s of line %d is safe (%s: %s), natively: %s"):format(kind, line, session.name, evidence,
					message))
			end
		end
	end
end

local function session(p, name, strategy, seconds)
	local store = ("%s/%s.db"):format(p.dir, name)
	local status = run("cd %s && timeout -k 2 %d duct %s %s %s --time %s --quiet --store %s >%s.out 2>%s.err </dev/null %s",
		p.dir, math.ceil(seconds) + overrun, strategy, p.path, p.entry ~= "main" and "--entry " .. p.entry or "", seconds,
		store, store, store, p.flags ~= "" and "-- " .. p.flags or "")
	if status == 124 or status == 137 then
		p.note(("%s is stopped %d s after its time"):format(name, overrun))
	elseif status > 1 then
		p.wrong(("%s ends with status %d: %s"):format(name, status, read(store .. ".err"):match("[^\n]*") or ""))
	end
	local s = { name = name, covered = 0, killed = status == 124 or status == 137 }
	run("report --store %s --branches=%s.branches --pairs=%s.pairs --checks=%s.checks 2>/dev/null", store, store, store, store)
	for _, what in ipairs { "branches", "pairs", "checks" } do
		s[what] = read(store .. "." .. what)
	end
	judge_branches(p, s)
	judge_pairs(p, s)
	judge_checks(p, s)
	return s
end

local function natively(p)
	local text, source = p.text, p.dir .. "/" .. p.file
	p.marked, p.leaves, p.variables = mark.source(text)
	write(source, p.marked)
	local record = p.scratch .. "/hits.o"
	for i, compiler in ipairs(compilers) do
		local program = ("%s/native%d"):format(p.dir, i)
		if i == 1 or p.differ or not one_compiler then
			if not p.kept then
				compile(p, compiler, source, program, record)
				execute(p, program, "/dev/null")
			end
			p.natives[i] = { name = compiler.name }
			p.natives[i].taken, p.natives[i].seen = hits(program)
			if not p.differ and read(program .. ".hits") ~= read(p.dir .. "/native1.hits") then
				print(("# %s: what runs take differs with %s: `compilers: differ` is missing"):format(p.file, compiler.name))
			end
		end
	end
	if p.faults then
		if not p.kept then
			compile(p, sanitized, p.path, p.dir .. "/sanitized")
			execute(p, p.dir .. "/sanitized", p.dir .. "/sanitized.err")
		end
		p.violations = violations(p, located(p.dir .. "/sanitized", read(p.dir .. "/sanitized.err")))
	end
end

local function judge(path, seconds, scratch)
	local file = path:match("[^/]*$")
	local name = file:gsub("%.c$", "")
	local text = read(path)
	local fields = header(text)
	local bad, notes = {}, {}
	local p = {
		path = path, file = file, text = text, dir = scratch .. "/" .. name, scratch = scratch, entry = fields.entry,
		runs = fields.run, differ = fields.compilers == "differ", kept = os.getenv("NATIVES_KEPT"), flags = table.concat(fields.flags, " "), faults = fields.faults, natives = {}, violations = {},
		exercised = {}, pattern = "%S*" .. file:gsub("%p", "%%%0"),
		wrong = function(s) bad[#bad + 1] = s end, note = function(s) notes[#notes + 1] = s end,
	}
	run("mkdir -p %s", p.dir)
	local ok, message = pcall(natively, p)
	if not ok then
		print(("not ok - %s: %s"):format(name, message))
		return
	end
	local concolic = one_session and { covered = "-" } or session(p, "concolic", "concolic", seconds)
	local dft = session(p, "dft", "dft --prove", seconds)
	local exercised = 0
	for _ in pairs(p.exercised) do
		exercised = exercised + 1
	end
	print(("%s - %s%s"):format(#bad == 0 and "ok" or "not ok", name, #bad > 0 and (": %d wrong"):format(#bad) or ""))
	for _, line in ipairs(bad) do
		print("# " .. line)
	end
	for _, line in ipairs(os.getenv("NOTES") and notes or {}) do
		print("#   " .. line)
	end
	print(("# figures %d %s %d %s"):format(exercised, concolic.covered, dft.covered, name))
end

for i = 3, #arg do
	judge(arg[i], tonumber(arg[1]), arg[2])
end
