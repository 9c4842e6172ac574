-- agree: what duct claims of a program, against what compilers say of its emitted tests.
--
-- The sides of branches that `duct report --branches` lists as covered must be, by line,
-- column and side, those that clang's coverage build counts when the emitted tests run
-- against the untouched source, and none may lie on a line that gcov never saw run.
local json = require "json"
local tap = require "tap"

local agree = {}
local quote = tap.quote

-- An example's own words: ` * duct: ARGUMENTS`, ` * expect: KEY=VALUE ...`, ` * oracle: FLAGS`, and
-- ` * files: NAME...`, further units and headers beside it.
function agree.header(path)
	local h, text = {}, tap.slurp(path)
	for key, rest in text:match("^/%*(.-)%*/"):gmatch("\n %* (%l+): ([^\n]*)") do h[key] = rest end
	if h.duct then
		h.strategy, h.args = h.duct:match("^(%S+)%s*(.*)$")
		h.args, h.flags = (h.args .. " -- "):match("^(.-)%s*%-%-%s+(.-)%s*%-*%s*$")
		h.sources, h.units = { path }, {}
		for name in (h.files or ""):gmatch("%S+") do
			local file = path:match("^(.*)/") .. "/" .. name
			h.sources[#h.sources + 1] = file
			if name:find("%.c$") then h.units[#h.units + 1] = file end
		end
	end
	return h
end

-- Longer limits where programs are slower (tests/run); those of an example's own words come after them.
local slower = tonumber(os.getenv "SLOWER") or 1
local limits = slower > 1 and ("--time %d --query-timeout %d "):format(60 * slower, 10 * slower) or ""

-- Runs the session; keeps report and tests in `folder`.
function agree.session(t, folder)
	local command = ("duct %s %s %s%s --store %s/store --out %s/tests --json --quiet%s"):format(
		t.strategy or "concolic", quote(t.file) .. " " .. table.concat(t.units or {}, " "), limits, t.args, folder, folder,
		t.flags ~= "" and " -- " .. t.flags or "")
	local status, out, err = tap.run(command)
	if status ~= 0 then return nil, ("%s\nexit status %d\n%s"):format(command, status, err) end
	local fine, result = pcall(json.decode, out)
	if not fine then return nil, command .. "\n" .. result end
	return result, command
end

-- Values of -DNAME=VALUE, for expectations such as 2^N.
local function defines(flags)
	local d = {}
	for name, v in flags:gmatch("%-D(%w+)=(%d+)") do d[name] = tonumber(v) end
	return d
end

-- Of inputs that limits narrow `exhausted` says that every path within them was run, and what these leave open counts
-- as infeasible: which it is for them.
local function within(result)
	local list = setmetatable({ exhausted = result.exhausted or result.ended == "limits" }, { __index = result })
	for _, aim in ipairs { "branches", "pairs" } do
		local c = result[aim] or {}
		list[aim] = setmetatable({ unknown = (c.unknown or 0) - (c.limited or 0), infeasible = (c.infeasible or 0)
			+ (c.limited or 0) }, { __index = c })
	end
	return list
end

function agree.expect(t, found)
	local result = within(found)
	for key, want in (t.expect or ""):gmatch("(%S+)=(%S+)") do
		local got = result
		for part in key:gmatch("[^.]+") do got = type(got) == "table" and got[part] or nil end
		if key == "exhausted" then got = result.exhausted end
		if type(got) == "table" then got = #got end
		local value = load("return " .. want, "expect", "t", defines(t.flags))()
		tap.ok(got == value, ("%s: %s is %s"):format(t.name, key, want),
			("got %s, want %s"):format(tostring(got), tostring(value)))
	end
end

-- Where clang counts conditions that macros make: in their definitions. By function, number and place.
local function regions(store)
	local at = {}
	local _, out = tap.run("sqlite3 -tabs " .. quote(store) .. " " .. quote([[
		SELECT f.name || ' ' || number || ' ' || b.line || ':' || col, region_file || ':' || region_line || ':' || region_col
		FROM branch AS b JOIN function AS f ON f.id = function WHERE side IN ('true', 'false')]]))
	for key, place in out:gmatch("([^\t\n]+)\t([^\n]+)") do at[key] = place end
	return at
end

-- duct's claims: {["line:col:T"] = true} by base name of the file, objectives of any verdict,
-- and places that are cases.
function agree.claims(store)
	local status, out, err = tap.run("duct report --store " .. quote(store) .. " --branches")
	if status ~= 0 then return nil, "duct report --branches: " .. err end
	local header = out:match("^#([^\n]*)\n")
	if not header then return nil, "duct report --branches: no header line" end
	local column, n, region = {}, 0, regions(store)
	for name in header:gmatch("[^\t ]+") do
		n = n + 1
		column[name] = n
	end
	local claims = { covered = {}, listed = {}, case = {}, n = 0 }
	for line in out:gmatch("([^\n]+)") do
		if not line:find("^#") then
			local field = {}
			for f in (line .. "\t"):gmatch("([^\t]*)\t") do field[#field + 1] = f end
			local place = field[column.position]
			local key = field[column["function"]] .. " " .. field[column.number] .. " " .. (place:match("%d+:%d+$") or "")
			place = region[key] or place
			local file, l, c = place:match("([^/]+):(%d+):(%d+)$")
			local kind, verdict = field[column.kind or column.side], field[column.verdict]
			if not file or not kind or not verdict then return nil, "odd line: " .. line end
			kind = kind:gsub("^p:", "")
			local at = ("%s:%d:%d"):format(file, l, c)
			local side = kind == "false" and "F" or "T"
			if kind:find("^case") or kind:find("^default") then claims.case[at] = true end
			claims.listed[at .. ":" .. side] = verdict
			if verdict == "covered" then claims.covered[at .. ":" .. side] = true end
			claims.n = claims.n + 1
		end
	end
	return claims
end

-- Spans of assumptions' arguments, whose conditions are constraints: {first byte, last byte}.
local function assumptions(source)
	local spans = {}
	for _, name in ipairs { "duct_assume", "__VERIFIER_assume" } do
		for from, args, to in source:gmatch(name .. "%s*()(%b())()") do
			spans[#spans + 1] = { from, to }
		end
	end
	return spans
end

local function starts_of_lines(source)
	local at = { 1 }
	for p in source:gmatch("\n()") do at[#at + 1] = p end
	return at
end

-- Is this region no objective: in an assumption, or the false side of a case?
local function judge(source, starts, spans, l, c)
	local byte = (starts[l] or 0) + c - 1
	for _, s in ipairs(spans) do
		if byte >= s[1] and byte < s[2] then return "assumption" end
	end
	local before, here = source:sub(1, byte - 1), source:sub(byte, byte + 8)
	if here:find("^case%W") or here:find("^default%W") or before:find("switch%s*%($") then return "case" end
end

-- A region without width is a condition of a system header's macro. Where one use of a macro has
-- several, the first is the operand of sizeof in assert, which never runs but is counted: those.
local function phantoms(branches)
	local first, found = {}, {}
	for _, b in ipairs(branches) do
		local l, c, l2, c2, _, _, id = table.unpack(b)
		if l == l2 and c == c2 then
			local at = ("%d:%d:%d"):format(id, l, c)
			if first[at] then found[first[at]] = true else first[at] = b end
		end
	end
	return found
end

-- Sides that clang counts, from `llvm-cov export`, for the sources named in `sources` (by base name).
function agree.counted(export, sources)
	local sides = {}
	for _, f in ipairs(export.data[1].functions) do
		local phantom = phantoms(f.branches)
		for _, b in ipairs(f.branches) do
			local l, c, _, _, yes, no, id = table.unpack(b)
			local file = f.filenames[id + 1]:match("[^/]+$")
			local source = sources[file]
			if source and not phantom[b] then
				local at = ("%s:%d:%d"):format(file, l, c)
				local skip = judge(source.text, source.starts, source.spans, l, c)
				if skip ~= "assumption" then
					if yes > 0 then sides[at .. ":T"] = true end
					if no > 0 and skip ~= "case" then sides[at .. ":F"] = true end
				end
			end
		end
	end
	return sides
end

-- A test that does not end is run for so many seconds: DUCT_TEST_SECONDS of emitted tests.
local patience = "DUCT_TEST_SECONDS=1"

-- Runs the emitted tests built by clang for coverage; the export.
function agree.clang(folder)
	local dir = folder .. "/clang"
	local script = ([[
rm -rf DIR && cp -r FOLDER/tests DIR || exit 9
make -s -C DIR clean >/dev/null 2>&1
flags="-fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation"
LLVM_PROFILE_FILE="DIR/%p%c.profraw" PATIENCE make -C DIR check CC=clang-19 CFLAGS="-O0 -w $flags" LDFLAGS="-fprofile-instr-generate" >DIR/log 2>&1 || { tail -n 30 DIR/log >&2; exit 8; }
llvm-profdata-19 merge -o DIR/profile DIR/*.profraw || exit 7
objects=
for f in $(find DIR -type f -perm -u+x | sort); do
	[ "$(head -c 4 "$f" | tail -c 3)" = ELF ] && objects="$objects -object $f"
done
llvm-cov-19 export ${objects# -object} -instr-profile DIR/profile >DIR/export.json || exit 6
]]):gsub("DIR", dir):gsub("FOLDER", folder):gsub("PATIENCE", patience)
	local status, _, err = tap.run(script)
	if status ~= 0 then return nil, ("clang coverage build: status %d\n%s"):format(status, err) end
	return json.decode(tap.slurp(dir .. "/export.json"))
end

-- Lines by gcov: {["file:line"] = did it run}; those without code are not there.
function agree.gcov(folder)
	local dir = folder .. "/gcov"
	local script = ([[
rm -rf DIR && cp -r FOLDER/tests DIR || exit 9
make -s -C DIR clean >/dev/null 2>&1
gcc -c -o DIR/dump-at-signal.o ROOT/tests/lib/dump.c || exit 9
PATIENCE make -C DIR check CC=gcc CFLAGS="-O0 -w --coverage" LDFLAGS="DIR/dump-at-signal.o --coverage" >DIR/log 2>&1 || { tail -n 30 DIR/log >&2; exit 8; }
cd DIR && find . -name '*.gcda' | xargs gcov --json-format --stdout >lines.json 2>log || { cat log >&2; exit 7; }
]]):gsub("DIR", dir):gsub("FOLDER", folder):gsub("ROOT", tap.root):gsub("PATIENCE", patience)
	local status, _, err = tap.run(script)
	if status ~= 0 then return nil, ("gcov build: status %d\n%s"):format(status, err) end
	local ran = {}
	for line in tap.slurp(dir .. "/lines.json"):gmatch("[^\n]+") do
		for _, file in ipairs(json.decode(line).files) do
			for _, l in ipairs(file.lines) do
				local at = file.file:match("[^/]+$") .. ":" .. l.line_number
				ran[at] = ran[at] or l.count > 0
			end
		end
	end
	return ran
end

local function missing(from, of)
	local list = {}
	for k in pairs(from) do if not of[k] then list[#list + 1] = k end end
	table.sort(list)
	return list
end

function agree.sources(files)
	local sources = {}
	for _, path in ipairs(files) do
		local text = tap.slurp(path)
		sources[path:match("[^/]+$")] = { text = text, starts = starts_of_lines(text), spans = assumptions(text) }
	end
	return sources
end

-- Lines of definitions of macros, {["file:line"] = true}: gcov says nothing of them, because code of
-- a macro is code of the line that uses it.
function agree.macro_lines(files)
	local lines = {}
	for _, path in ipairs(files) do
		local n, macro = 0, false
		for line in (tap.slurp(path) .. "\n"):gmatch("([^\n]*)\n") do
			n = n + 1
			macro = macro or line:find("^%s*#%s*define%f[%s]") ~= nil
			if macro then lines[path:match("[^/]+$") .. ":" .. n] = true end
			macro = macro and line:find("\\$") ~= nil
		end
	end
	return lines
end

-- All of it, as TAP results. t: name, file, args, flags; and optionally strategy, expect, units (more C
-- files), sources (all files whose branches count), gcov (false: without gcov). Returns the session's result.
function agree.check(t)
	t.flags = t.flags or ""
	local folder = tap.folder(t.name)
	local result, detail = agree.session(t, folder)
	if not tap.ok(result, t.name .. ": session", detail) then return end
	agree.expect(t, result)
	tap.is(result.mispredicted, 0, t.name .. ": no prediction missed")
	local claims, why = agree.claims(folder .. "/store")
	if not tap.ok(claims, t.name .. ": branches reported", why) then return result end
	tap.is(claims.n, result.branches.total, t.name .. ": one line an objective")
	local export, problem = agree.clang(folder)
	if tap.ok(export, t.name .. ": tests pass when clang builds them", problem) then
		local counted = agree.counted(export, agree.sources(t.sources or { t.file }))
		local more, less = missing(claims.covered, counted), missing(counted, claims.covered)
		tap.ok(next(claims.covered) and #more + #less == 0, t.name .. ": sides covered are those clang counts",
			("claimed, not counted: %s\ncounted, not claimed: %s"):format(table.concat(more, " "), table.concat(less, " ")))
	end
	local ran, trouble
	if t.gcov ~= false then ran, trouble = agree.gcov(folder) end
	if t.gcov ~= false and tap.ok(ran, t.name .. ": tests pass when gcc builds them", trouble) then
		local dead, macro = {}, agree.macro_lines(t.sources or { t.file })
		for side in pairs(claims.covered) do
			local at, line = side:match("^((.*:%d+):%d+):%a$")
			if ran[line] == false or ran[line] == nil and not claims.case[at] and not macro[line] then dead[#dead + 1] = side end
		end
		tap.ok(#dead == 0, t.name .. ": no claimed side on a line that gcov never ran", table.concat(dead, " "))
	end
	os.execute("rm -rf " .. quote(folder))
	return result
end

return agree
