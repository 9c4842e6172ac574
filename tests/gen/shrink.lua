-- Makes a program smaller while it shows a fault: removes runs of lines, braces together with
-- what they hold, and replaces parenthesised expressions by 0 and 1.
--   lua5.4 shrink.lua FILE.c COMMAND...
-- COMMAND runs by sh with FILE's copy as $1; exit status 0 says that the fault still shows. The
-- smallest program goes to standard output.
local path = assert(arg[1], "usage: shrink.lua FILE.c COMMAND...")
local command = table.concat(arg, " ", 2)
local try = os.tmpname() .. ".c"
local tries = 0

local function shows(lines)
	local f = assert(io.open(try, "w"))
	f:write(table.concat(lines, "\n"), "\n")
	f:close()
	tries = tries + 1
	return os.execute(("sh -c %s sh %s >/dev/null 2>&1"):format("'" .. command:gsub("'", "'\\''") .. "'", try)) and true or false
end

local function without(lines, from, to)
	local out = {}
	for i, l in ipairs(lines) do if i < from or i > to then out[#out + 1] = l end end
	return out
end

-- The line that closes the brace that line i opens.
local function closes(lines, i)
	local depth = 0
	for j = i, #lines do
		local _, open = lines[j]:gsub("{", "")
		local _, close = lines[j]:gsub("}", "")
		depth = depth + open - close
		if depth <= 0 then return j end
	end
end

local function remove_lines(lines)
	local changed = false
	local size = math.max(1, #lines // 4)
	while size >= 1 do
		local i = 1
		while i <= #lines do
			local last = math.min(i + size - 1, #lines)
			if size == 1 and lines[i]:find("{") then last = closes(lines, i) or last end
			local less = without(lines, i, last)
			if #less > 0 and shows(less) then
				lines, changed = less, true
			else
				i = i + size
			end
		end
		size = size // 2
	end
	return lines, changed
end

local function unwrap_blocks(lines)
	local changed, i = false, 1
	while i <= #lines do
		local last = lines[i]:find("{%s*$") and closes(lines, i)
		if last and last > i then
			local less = without(without(lines, last, last), i, i)
			if shows(less) then lines, changed = less, true end
		end
		i = i + 1
	end
	return lines, changed
end

local function simplify(lines)
	local changed = false
	for i = 1, #lines do
		local from = 1
		while true do
			local a, b = lines[i]:find("%b()", from)
			if not a then break end
			local old, done = lines[i], false
			for _, by in ipairs { "0", "1", old:sub(a + 1, b - 1):match("^%b()") or "0" } do
				local new = old:sub(1, a - 1) .. by .. old:sub(b + 1)
				if #new < #old then
					lines[i] = new
					if shows(lines) then
						changed, done = true, true
						break
					end
					lines[i] = old
				end
			end
			from = done and a or a + 1
		end
	end
	return lines, changed
end

local lines = {}
for l in io.lines(path) do lines[#lines + 1] = l end
if not shows(lines) then
	io.stderr:write("shrink.lua: the fault does not show in ", path, "\n")
	os.exit(1)
end
repeat
	local a, b, c
	lines, a = remove_lines(lines)
	lines, b = unwrap_blocks(lines)
	lines, c = simplify(lines)
until not (a or b or c)
os.remove(try)
io.stderr:write(("shrink.lua: %d lines, %d programs tried\n"):format(#lines, tries))
print(table.concat(lines, "\n"))
