#!/usr/bin/env lua5.4
-- Which function duct test gives the next turn: where branches are left that lead deeper, until these bring nothing.
-- Which branch a search has next when the session itself made runs, as its last chance.
package.path = ("%s/tests/lib/?.lua;%s/lua/?.lua;"):format(os.getenv("ROOT"), os.getenv("ROOT")) .. package.path
local tap = require "tap"
local entries = require "duct.entries"

local group = {}

-- A schedule for functions a, b and c, all of the same conditions, of which a had its turn.
local function after_a(pending, open)
	local list = {}
	for i, name in ipairs { "a", "b", "c" } do
		list[i] = { name = name, group = group, number = i, conditions = { [1] = 9 }, near = { [name] = 0 }, size = 500 }
	end
	local s = entries.schedule(list, nil, 60, 0.1)
	local first = s:next(60)
	tap.is(first.name, "a", "the first in the order begins")
	first.figures, first.building, first.starting, first.ended = { 4, 0, 9, 40, 0, 400, 0, 44, pending }, 0.1, 0, "time"
	s:learn(open)
	s:took(first, 2, 0)
	s:learn(open)
	return s
end

-- The next three turns, which decide nothing.
local function order(s)
	local names = {}
	for i = 1, 3 do
		local entry = s:next(50)
		names[i] = entry.name
		entry.figures, entry.building, entry.starting = entry.figures or { 0, 0, 9, 0, 0, 9, 0, 0, 0 }, 0.1, 0
		entry.ended = "time"
		s:took(entry, 2, 0)
	end
	return table.concat(names, " ")
end

tap.is(order(after_a(0, { a = 400 })), "b c a", "a function without a branch to take waits until others had a turn")
tap.is(order(after_a(90, { a = 0 })), "b c a", "so does one close to which nothing is open")
tap.is(order(after_a(90, { a = 400 })):sub(1, 1), "a", "one with both goes on, though its first turn decided nothing new")
tap.ok(order(after_a(90, { a = 400 })) ~= "a a a", "but not when that brings nothing, again and again")

local steps = require "duct.steps"
-- A session that makes such a run when it is asked whether it is over for the nth time; a search with no branch but that
-- run's, which asks, too.
local function choice(n)
	local asked, path, list = 0, nil, {}
	local session = { over = function()
		asked = asked + 1
		path = asked == n and { 7 } or path
		return false
	end, untold = function()
		local told = { path }
		path = nil
		return told
	end }
	session.over()
	return steps.choose(session, {
		update = function(_, new) table.move(new, 1, #new, #list + 1, list) end,
		select = function() session.over() return table.remove(list) end,
	})
end
tap.is(choice(1), 7, "a branch of a path that the session ran on its own is chosen")
tap.is(choice(2), 7, "... also when that was while the search chose")
tap.ok(not pcall(choice, 9), "a search that has none is told of, rather than asked again without end")

-- The choices, of n, that are turns; those in `good` bring something.
local function turns(n, good)
	local t, news, list = require("duct.earned").turns(1, 8, 2), 0, {}
	for i = 1, n do
		if t:due(news) then
			list[#list + 1] = i
			news = good[i] and news + 1 or news
		end
	end
	return table.concat(list, " ")
end
tap.is(turns(30, {}), "1 2 3 5 7 11 15 23", "turns that bring nothing come half as often, down to one of eight")
tap.is(turns(19, { [11] = true }), "1 2 3 5 7 11 15 16 17 19", "one that brings something makes them frequent again")

-- Questions about aliases, of which a run brought 100 and none has news: how many are asked in 100 choices?
local function asked(n)
	local queue = { first = 1 }
	for i = 1, 100 do
		queue[i] = i
	end
	local session = setmetatable({ news = 0, waiting = queue, space = { open = function() return true end } },
		{ __index = require "duct.aliases" })
	session.closed_alias = function() return false end
	local count = 0
	for _ = 1, n do
		count = count + (session:alias() and 1 or 0)
	end
	return count
end
tap.ok(asked(4) == 4 and asked(100) < 25, "questions about aliases without news make room for others")
tap.done()
