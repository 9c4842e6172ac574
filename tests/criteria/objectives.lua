-- objectives: what duct says of boundaries, loops and mutants, compared with running all inputs natively.
--   lua5.4 objectives.lua FROM TO        generated programs, one result a seed
--   lua5.4 objectives.lua FILE FUNCTION  one of two int parameters, each in -6..6
--   STRONG=all, or a seed: of it, mutants that `duct mutants` says are killed are compiled, too, and some input has to show each
-- Two sessions each: one that runs all paths, one of a few runs whose proofs decide the others.
-- For each objective the program has a copy of the function in which its place also computes what the mutant would (or
-- whether the boundary is met), in C, from the texts of the report. Covered is what some input of the range shows there;
-- a session that ran all paths has to call all others infeasible.
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local low, high = -6, 6

local function read(path)
	local f <close> = assert(io.open(path))
	return f:read("a")
end
local function write(path, text)
	local f <close> = assert(io.open(path, "w"))
	f:write(text)
end

-- ---- programs

-- A function of a and b whose loops end and whose operators are defined for all values.
local function generate(seed)
	math.randomseed(seed)
	local lines, depth = {}, 0
	local names = { "a", "b", "x", "y", "n" }
	local function pick(list)
		return list[math.random(#list)]
	end
	local function value()
		return math.random(3) == 1 and tostring(math.random(0, 7)) or pick(names)
	end
	local function sum()
		return ("%s %s %s"):format(pick(names), pick { "+", "-", "*", "&", "|", "^" }, value())
	end
	local function relation()
		return ("%s %s %s"):format(pick(names), pick { "<", "<=", ">", ">=", "==", "!=" }, value())
	end
	local function condition()
		local text = relation()
		if math.random(3) == 1 then
			text = text .. pick { " && ", " || " } .. relation()
		end
		return text
	end
	local function put(text)
		lines[#lines + 1] = ("\t"):rep(depth + 1) .. text
	end
	local block
	local function statement()
		local kind = depth < 3 and math.random(7) or 1
		if kind <= 3 then
			put(("%s = %s;"):format(pick { "x", "y", "n" }, sum()))
		elseif kind == 4 then
			put(("%s %s %s;"):format(pick { "x", "y" }, pick { "+=", "-=", "^=" }, value()))
		elseif kind == 5 or kind == 6 then
			put(("if (%s) {"):format(condition()))
			block(math.random(2))
			put "}"
		else
			local i = "i" .. depth
			put(("for (int %s = 0; %s < (%s & 3); %s++) {"):format(i, i, pick { "a", "b", "n" }, i))
			block(math.random(2))
			if math.random(2) == 1 then
				depth = depth + 1
				put(("if (%s)"):format(relation()))
				put(pick { "\tbreak;", "\tcontinue;", "\treturn x;" })
				depth = depth - 1
			end
			put "}"
		end
	end
	function block(n)
		depth = depth + 1
		for _ = 1, n do
			statement()
		end
		depth = depth - 1
	end
	for _ = 1, 5 do
		statement()
	end
	return ("int f(int a, int b)\n{\n\tint x = a, y = 1, n = b;\n%s\n\treturn x + y + n;\n}\n"):format(
		table.concat(lines, "\n"))
end

-- ---- objectives as C

-- The occurrence of `whole` in the line that contains the column; nil: there is none.
local function find(line, whole, col)
	local at = 1
	while true do
		local first, last = line:find(whole, at, true)
		if not first then
			return nil
		elseif first <= col and col <= last then
			return first, last
		end
		at = first + 1
	end
end

-- The expression that computes `whole`, and notes in hit[k] whether the objective's condition holds; nil: of a loop.
local function probe(k, text)
	local whole, rest = text:match("^`(.-)`(.*)$")
	local left, op = whole:match("^(%w+) (%p+) ")
	local right = whole:match("^%w+ %p+ (.*)$")
	local note = ("hit[%d] |= "):format(k)
	local edge = rest:match("^: (.*)$")
	if edge then
		return whole, ("(%s(%s), %s)"):format(note, edge, whole)
	elseif rest == " left out" then
		return whole, ("({ int o_ = %s; %s; %so_ != %s; %s; })"):format(left, whole, note, left, left)
	end
	local mutant = rest:match("^ as `(.*)`$")
	local more = rest:match(" ([+-] 1)$")
	mutant = mutant or ("%s %s (%s %s)"):format(left, op, right, more)
	if #op > 1 and op:find("=$") and not op:find("^[<>=!]") then
		return whole, ("({ int o_ = %s; %s; int n_ = %s; %s = o_; %s; %sn_ != %s; %s = n_; })"):format(left, whole, left,
			left, mutant, note, left, left)
	end
	return whole, ("({ int o_ = %s; %so_ != (%s); o_; })"):format(whole, note, mutant)
end

-- Those of loops at a line: counted in a copy where the loop's body and its ends do.
local function loop_copy(lines, number, k, text)
	local line = lines[number]
	local head, start, test, step = line:match("^(%s*)for %((.-); (.-); (.-)%) {$")
	local copy = table.move(lines, 1, #lines, 1, {})
	local last = number
	repeat
		last = last + 1
	until copy[last] == head .. "}"
	local note = text:find("before") and "n_ == 0" or text:find("second") and "n_ >= 2" or "n_ == 1"
	copy[number] = ("%s{ int n_ = 0; %s; while (1) { if (!(%s)) break; n_++;"):format(head, start, test)
	if text:find("second") then
		copy[number] = copy[number] .. (" hit[%d] |= n_ == 2;"):format(k)
		note = "0"
	end
	for i = number + 1, last - 1 do
		copy[i] = copy[i]:gsub("^" .. head .. "\t\tcontinue;", head .. "\t\tgoto next_;")
		-- from loops within it, too
		copy[i] = copy[i]:gsub("^(\t+)return (.*);$", ("%%1{ hit[%d] |= %s; return %%2; }"):format(k, note))
	end
	copy[last] = ("%snext_: %s; } hit[%d] |= %s; }"):format(head, step, k, note)
	return copy
end

local function copy_of(lines, o, k)
	if o.criterion == "loops" then
		return loop_copy(lines, o.line, k, o.text)
	end
	local whole, expression = probe(k, o.text)
	local first, last = find(lines[o.line], whole, o.col)
	assert(first, o.text .. " is not at " .. o.line .. ":" .. o.col)
	local copy = table.move(lines, 1, #lines, 1, {})
	copy[o.line] = lines[o.line]:sub(1, first - 1) .. expression .. lines[o.line]:sub(last + 1)
	return copy
end

-- ---- one program

local function objectives(name)
	local list = {}
	local report = assert(io.popen(("duct report %s.db --criterion boundaries,loops,mutants"):format(name)))
	for line in report:lines() do
		local criterion, where, text, verdict = line:match("^(%l+)\t[^\t]*\t[^\t]*\t([^\t]*)\t([^\t]*)\t(%l+)")
		if criterion then
			local number, col = where:match(":(%d+):(%d+)$")
			list[#list + 1] = { criterion = criterion, line = tonumber(number), col = tonumber(col), text = text,
				verdict = verdict }
		end
	end
	report:close()
	return list
end

-- Which objectives some input shows natively.
local function native(name, func, list)
	local lines, all = {}, { "static char hit[10000];\n" }
	for line in io.lines(name .. ".c") do
		lines[#lines + 1] = line
	end
	for k, o in ipairs(list) do
		local copy = table.concat(copy_of(lines, o, k), "\n")
		all[#all + 1] = copy:gsub("int " .. func .. "%(", "static int f_" .. k .. "(") .. "\n"
	end
	all[#all + 1] = "#include <stdio.h>\nint main(void)\n{\n"
	all[#all + 1] = ("\tfor (int a = %d; a <= %d; a++)\n\t\tfor (int b = %d; b <= %d; b++) {\n"):format(low, high, low, high)
	for k in ipairs(list) do
		all[#all + 1] = ("\t\t\tf_%d(a, b);\n"):format(k)
	end
	all[#all + 1] = ("\t\t}\n\tfor (int k = 1; k <= %d; k++)\n\t\tputchar('0' + hit[k]);\n\treturn 0;\n}\n"):format(#list)
	write(name .. "-all.c", table.concat(all))
	assert(os.execute(("gcc -w -fwrapv -o %s-all %s-all.c"):format(name, name)), "the copies do not compile")
	local run <close> = assert(io.popen(("./%s-all"):format(name)))
	return run:read("a")
end

-- ---- strong mutation

-- The lines with the mutant in place of its operator.
local function mutated(lines, number, col, text)
	local whole, rest = text:match("^`(.-)`(.*)$")
	local left, op, right = whole:match("^(%w+) (%p+) (.*)$")
	local more = rest:match(" ([+-] 1)$")
	local instead = rest == " left out" and "(void)0" or rest:match("^ as `(.*)`$")
		or ("%s %s (%s %s)"):format(left, op, right, more)
	local first, last = find(lines[number], whole, col)
	local copy = table.move(lines, 1, #lines, 1, {})
	copy[number] = lines[number]:sub(1, first - 1) .. "(" .. instead .. ")" .. lines[number]:sub(last + 1)
	return table.concat(copy, "\n")
end

local strong_main = [[
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static sigjmp_buf back;
static void late(int signal) { siglongjmp(back, signal); }
static int differs(int (*mutant)(int, int), int a, int b)
{
	struct itimerval t = { { 0, 0 }, { 0, 100000 } };
	if (sigsetjmp(back, 1))
		return 1;
	setitimer(ITIMER_REAL, &t, 0);
	return mutant(a, b) != FUNC(a, b);
}
int main(void)
{
	signal(SIGALRM, late);
	signal(SIGFPE, late);
	for (int k = 0; mutants[k]; k++) {
		int met = 0;
		for (int a = LOW; a <= HIGH && !met; a++)
			for (int b = LOW; b <= HIGH && !met; b++)
				met = differs(mutants[k], a, b);
		putchar('0' + met);
	}
	return 0;
}
]]

-- Is each mutant that duct calls killed one that some input of the range tells from the program? "" or those that are not,
-- and figures.
local function judge_strong(name, func)
	local lines, all, killed, alive = {}, {}, {}, 0
	for line in io.lines(name .. ".c") do
		lines[#lines + 1] = line
	end
	local process <close> = assert(io.popen(("DUCT_TEST_SECONDS=1 duct mutants %s.db 2>%s.log"):format(name, name)))
	for line in process:lines() do
		local number, col, text, how = line:match("^[^#\t]*:(%d+):(%d+)\t([^\t]*)\t%l+\t(%l+)$")
		alive = alive + (how == "alive" and 1 or 0)
		if how == "killed" then
			killed[#killed + 1] = text
			all[#all + 1] = mutated(lines, tonumber(number), tonumber(col), text):gsub("int " .. func .. "%(",
				"static int m_" .. #killed .. "(") .. "\n"
		end
	end
	all[#all + 1] = table.concat(lines, "\n") .. "\nstatic int (*mutants[])(int, int) = { "
	for k in ipairs(killed) do
		all[#all + 1] = ("m_%d, "):format(k)
	end
	all[#all + 1] = "0 };\n" .. strong_main:gsub("FUNC", func):gsub("LOW", low):gsub("HIGH", high)
	write(name .. "-strong.c", table.concat(all))
	assert(os.execute(("gcc -w -fwrapv -o %s-strong %s-strong.c"):format(name, name)), "the mutants do not compile")
	local run <close> = assert(io.popen(("./%s-strong"):format(name)))
	local met, wrong = run:read("a"), {}
	for k, text in ipairs(killed) do
		wrong[#wrong + 1] = met:sub(k, k) ~= "1" and text .. ": killed, but no input tells it from the program" or nil
	end
	return table.concat(wrong, "\n"), ("%d killed, %d alive"):format(#killed, alive)
end

-- how: options; shown: what native() found; and returns it, too.
local function judge(name, func, how, shown)
	local ranges = ("--range a=%d..%d --range b=%d..%d"):format(low, high, low, high)
	local session = ("rm -f %s.db; duct concolic %s.c --entry %s %s --criterion boundaries,loops,mutants %s --time 60 --quiet"
		.. " --store %s.db --json >%s.json 2>%s.log"):format(name, name, func, ranges, how, name, name, name)
	if not os.execute(session) then
		return "the session fails: " .. read(name .. ".log")
	end
	local exhausted = read(name .. ".json"):find('"exhausted": true', 1, true)
	local list = objectives(name)
	shown = shown or native(name, func, list)
	local wrong, covered, infeasible = {}, 0, 0
	for k, o in ipairs(list) do
		local is_shown = shown:sub(k, k) == "1"
		covered = covered + (o.verdict == "covered" and 1 or 0)
		infeasible = infeasible + (o.verdict == "infeasible" and 1 or 0)
		if o.verdict == "covered" and not is_shown or o.verdict == "infeasible" and is_shown
			or exhausted and o.verdict == "unknown" then
			wrong[#wrong + 1] = ("%s %d:%d %s: %s, natively %s"):format(o.criterion, o.line, o.col, o.text, o.verdict,
				is_shown and "shown" or "not shown")
		end
	end
	if #list == 0 then
		return "no objectives"
	end
	return table.concat(wrong, "\n"), ("%d objectives, %d covered, %d infeasible%s"):format(#list, covered, infeasible,
		exhausted and ", exhausted" or ""), shown
end

local function result(name, func)
	local wrong, figures, shown = judge(name, func, "--runs 4000")
	tap.ok(wrong == "", ("%s: %s"):format(name, figures or "no result"), wrong)
	local strong = os.getenv("STRONG")
	if strong == "all" or strong and name == "p" .. strong then
		wrong, figures = judge_strong(name, func)
		tap.ok(wrong == "", ("%s mutants: %s"):format(name, figures), wrong)
	end
	wrong, figures = judge(name, func, "--prove --runs 8", shown)
	tap.ok(wrong == "", ("%s by proof: %s"):format(name, figures or "no result"), wrong)
end

if tonumber(arg[1]) then
	for seed = tonumber(arg[1]), tonumber(arg[2]) do
		write(("p%d.c"):format(seed), generate(seed))
		result(("p%d"):format(seed), "f")
	end
else
	result(arg[1]:gsub("%.c$", ""), arg[2])
end
tap.done()
