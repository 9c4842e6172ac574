#!/bin/sh
# limit: 60
# Questions without an answer: how long a session waits for them, with a solver and a clock made for it.
. "$ROOT/tests/lib/tap.sh"

cat >wait.lua <<'END'
local core = require "duct.core"
local Questions = require "duct.questions"

return function()
	local now, asked, again = 0, 0, 0
	core.now = function() return now end
	core.cpu = core.now
	local s = setmetatable({ began = 0, asking = 0, vain = 0, slowness = 1, solve_cpu = 0, past = {}, searches = {},
		options = { query_timeout = 10 } }, { __index = Questions })
	s.store = { lose = function() end }
	s.space = { place = function() end, drop = function() end, waive = function() return false end, put_off = function() end, resume = function() return true end,
		branch = function(_, b) return 1, 1, 0, "f", 1, 1, false, b // 1000 end }
	s.solver = { counts = function() return { child_seconds = 0 } end }
	function s.solver.ask(_, b, seconds)
		asked = asked + 1
		now = now + (b == 2000 and 0.01 or seconds or 10)
		return b == 2000 and "sat" or "unknown", {}, "hard"
	end
	function s.closed_alias() end
	function s.over() return false end
	function s.tick() end
	s:hurry()
	for i = 1, 100 do
		s:solve(1000 + i)
	end
	io.stderr:write(("hard asked %d in %.1f s\n"):format(asked, now))
	io.stderr:write(("easy %s\n"):format(s:solve(2000) and "answered"))
	for _ = 1, 10000 do
		s:solve(2000)
	end
	asked = 0
	s:solve(1101)
	io.stderr:write(("later asked %d\n"):format(asked))
	s:resume({ update = function(_, list) again = #list end })
	io.stderr:write(("again %d\n"):format(again))
	local took = {}
	for round = 1, 3 do
		local from = now
		s:solve(1001)
		took[round] = ("%.0f"):format(now - from)
		s:resume({ update = function() end })
	end
	io.stderr:write(("longer %s\n"):format(table.concat(took, " ")))
	s.deadline, s.vain = 10, 0
	now = 0
	s:hurry()
	s:solve(3001)
	io.stderr:write(("short %.1f s\n"):format(now))
	s.deadline, s.vain, now, s.unanswered = 2, 0, 0, nil
	s:hurry()
	s:solve(4001)
	io.stderr:write(("a fiftieth of two seconds %.2f s\n"):format(now))
	s.deadline, s.vain, s.asking, s.solve_cpu, now, s.unanswered = 60, 0, 0, 0, 0, nil
	s:hurry()
	for site = 10, 309 do
		s:solve(1000 * site)
		now = now + 0.05
	end
	io.stderr:write(("many sites %s\n"):format(now - 15 < 0.4 * 15 and "leave time" or now - 15))
	asked = 0
	s:solve(10000)
	s:hurry()
	s:solve(10000)
	io.stderr:write(("hurried asked %d\n"):format(asked))
end
END
echo 'int main(void) { return 0; }' >m.c
duct ./wait.lua m.c --quiet >out 2>log
for line in 'hard asked 2 in 2.0 s' 'easy answered' 'later asked 1' 'again 101' 'longer 4 10 10' 'short 0.2 s' 'a fiftieth of two seconds 0.04 s' 'many sites leave time' 'hurried asked 1'; do
	grep -q "^$line" log
	ok $? "$line"
done
finish
