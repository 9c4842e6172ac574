-- loops: functions whose loop shrinks a number while it counts, from seeds, and conditions on what they return: no
-- outcome that prove calls infeasible may be taken with any of all inputs, which the compiled program tries.
--   loops.lua FROM TO [SECONDS]    SECONDS: of each proof (4)
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local conditions = 6
local between = math.random

local function pick(...)
	return (select(between(select("#", ...)), ...))
end

-- The loop. Where it may have no end, k ends it.
local function loop()
	local shrink = pick(("n /= %d"):format(pick(2, 3, 5, 7, 10, 16)), ("n >>= %d"):format(between(3)),
		("n = n / %d - %d"):format(between(2, 4), between(0, 2)), ("n = n * %d / %d"):format(between(2), pick(3, 5)),
		("n -= %d"):format(pick(1, 7, 100)), "n &= n - 1", ("n = n & 1 ? n / 2 : n / %d"):format(pick(2, 4)),
		("n %%= %d, n /= 2"):format(pick(100, 1000)))
	local on = pick("n", ("n > %d"):format(pick(0, 1, 5)), ("n >= %d"):format(pick(1, 10)),
		("n != %d"):format(between(0, 1)), ("n > 0 && c < %d"):format(pick(5, 12, 20)))
	local count = pick("c++", "c++", "c--", "c += 2", "c = c + (n & 1)", "c += 1 + (n > 100)")
	local ends = between(10) <= 7 and not shrink:find "%-" and not shrink:find "1 / " and not on:find "!= 1"
	on = ends and on or ("(%s) && k-- > 0"):format(on)
	if between(2) == 1 then
		return ("while (%s) { %s; %s; }"):format(on, shrink, count)
	end
	return ("do { %s; } while (%s);"):format(pick(shrink .. "; " .. count, count .. "; " .. shrink), on)
end

-- The program, whose conditions stand on lines from `first` on, and the type of its input.
local first = 10
local function program()
	local input, inner = pick("unsigned short", "short", "unsigned char", "signed char"), pick("unsigned", "int")
	local list = { ("static int count(%s n)\n{\n\tint c = %d, k = 70000;\n\t%s\n\treturn k < -9 ? k : %s;\n}"):format(
		inner, pick(0, 0, 1, -1, 5), loop(),
		pick("c", "c", ("c > %d ? -1 : c"):format(pick(8, 10, 16)), "n == 0 ? c : -2")),
		("int f(%s n)\n{\n\tint g = 0, r = count(n);"):format(input) }
	for i = 0, conditions - 1 do
		list[#list + 1] = ("\tif (r %s %d) g += %d;"):format(pick("==", "==", ">", "<"), between(-4, 24), 1 << i)
	end
	return table.concat(list, "\n") .. "\n\treturn g;\n}\n", input
end

local main = [[
#include <stdio.h>
int main(void)
{
	int taken = 0, not = 0;
	for (int i = -40000; i < 70000; i++) {
		int g = f((%s)i);
		taken |= g;
		not |= ~g;
	}
	printf("%%d %%d\n", taken & 63, not & 63);
}
]]

-- By condition, as bits: which were true, and which false, with some input; nil: one of them takes too long.
local function run_all(text, input)
	tap.spit("all.c", text .. main:format(input))
	local _, all = tap.run("gcc -w -O1 -fwrapv -o all all.c && timeout 10 ./all")
	local taken, missed = all:match "(%d+) (%d+)"
	return math.tointeger(tonumber(taken)), math.tointeger(tonumber(missed))
end

local from, to, seconds = tonumber(arg[1]), tonumber(arg[2]), arg[3] or 4
local never, proved, compared = 0, 0, 0
for seed = from, to do
	math.randomseed(seed, 31)
	local text, input = program()
	local taken, missed = run_all(text, input)
	tap.spit("x.c", text)
	local _, told = tap.run((". $ROOT/tests/lib/judge.sh; TIME=%s; judge x.c"):format(seconds))
	local wrong = {}
	for line, side in told:gmatch "(%d+)([tf])" do
		local i = tonumber(line) - first
		if taken and i >= 0 and i < conditions then
			proved = proved + 1
			wrong[#wrong + 1] = (side == "t" and taken or missed) >> i & 1 == 1 and line .. side or nil
		end
	end
	for i = 0, taken and conditions - 1 or -1 do
		never = never + (~taken >> i & 1) + (~missed >> i & 1)
	end
	compared = compared + (taken and 1 or 0)
	tap.ok(#wrong == 0 and not told:find "failed", ("loops %d"):format(seed),
		table.concat(wrong, " ") .. "\n" .. told .. text)
end
tap.ok(compared > (to - from) / 2 and proved > never / 2,
	("%d of %d outcomes that none takes are proved, %d programs"):format(proved, never, compared))
tap.done()
