#!/usr/bin/env lua5.4
-- duct-strategy(7) documents what the strategies and searches that come with duct use, each function that is checked for
-- its arguments, and nothing else; mistakes of a script are told with its file and line.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"

local documented = {}
for line in io.lines(tap.root .. "/man/man7/duct-strategy.7") do
	for name in line:match("^%.It Ic ") and line:gmatch("([%w_.]+[:.][%w_]+)") or function() end do
		documented[name:gsub("^session%.(%w+):", "%1:")] = true
	end
end
local objects = { session = true, space = true, solver = true, store = true, calls = true, prover = true, flow = true }
local function each_script(see)
	local status, list = tap.run(("ls %s/lua/strategy/*.lua %s/lua/search/*.lua"):format(tap.root, tap.root))
	tap.is(status, 0, "scripts")
	for file in list:gmatch("%S+") do see(file, tap.slurp(file):gsub("%-%-[^\n]*", "")) end
end
local uses = 0
each_script(function(file, text)
	local missing = {}
	for object, name in text:gmatch("%f[%w]([%a]+):([%a_]+)%(") do
		if objects[object] then
			uses = uses + 1
			if not documented[object .. ":" .. name] then missing[#missing + 1] = object .. ":" .. name end
		end
	end
	tap.ok(#missing == 0, file:match("[^/]*/[^/]*$") .. " uses what duct-strategy(7) documents", table.concat(missing, " "))
end)
tap.ok(uses > 60, "many uses", uses)

-- Everything checked is documented.
local checked = 0
for _, module in ipairs { "session", "abstract", "proof" } do
	local text = tap.slurp(("%s/lua/duct/%s.lua"):format(tap.root, module))
	local object, methods = text:match('arguments%.check%(%a+, "(%a+)", (%b{})')
	for name in methods:gmatch("([%a_]+) = ") do
		checked = checked + 1
		if not documented[object .. ":" .. name] then tap.ok(false, object .. ":" .. name .. " is documented") end
	end
end
tap.ok(checked > 30, "functions whose arguments are checked are documented", checked)

-- Everything documented exists.
tap.spit("there.lua", [[
return function(session)
	local calls
	session:abstract(function(c) calls = c; c:replay() end)
	local objects = { session = session, space = session.space, solver = session.solver, store = session.store,
		calls = calls, prover = session:prover(), flow = session.flow, core = require "duct.core",
		random = session.random }
	for line in io.lines(os.getenv("DOCUMENTED")) do
		local object, name = line:match("^(%a+)[:.]([%a_]+)$")
		local there = objects[object] and objects[object][name] ~= nil
		if objects[object] and not there then io.stderr:write("missing ", line, "\n") end
	end
end, { abstract = true }
]])
local list = {}
for name in pairs(documented) do list[#list + 1] = name end
tap.spit("documented", table.concat(list, "\n") .. "\n")
local status, _, err = tap.run(("DOCUMENTED=documented duct ./there.lua %s/share/examples/global_foo.c --entry test --quiet"):format(tap.root))
tap.ok(status == 0 and #list > 50 and not err:find("missing", 1, true), "what is documented is there", err)

tap.spit("one.c", "int f(int a) { if (a > 3) return 1; return 0; }\n")
for text, message in pairs {
	['session:solve("x")'] = "session:solve: argument 1 is string `x`, not an open branch",
	['session:run(7)'] = "session:run: argument 1 is number `7`, not an input",
	['session:run(nil, nil, {})'] = "session:run: argument 3 is a table, not a text",
	['session.solve(1)'] = "session:solve: called without its object; the call is session:solve(...)",
	['session:over(1)'] = "session:over: 1 argument, but it takes none",
	['session:resume {}'] = "session:resume: argument 1 is a table, not a search",
	['session:abstract()'] = "session:abstract: argument 1 is nothing, not a function",
	['session:prover():round("x")'] = "prover:round: argument 1 is string `x`, not a number",
	['session:slove(1)'] = "attempt to call a nil value (method 'slove')",
	['session.solver:ask({})'] = "bad argument #1 to 'ask' (no conditions)",
	['session.solver:ask({ 99999 })'] = "bad argument #1 to 'ask' (no condition at 1)",
	['session.space:unmet({ "x" }, session.space:model())'] = "bad argument #1 to 'unmet' (no condition at 1)",
	['session.space:branch({})'] = "bad argument #1 to 'branch' (number expected, got table)",
	['session.space:values("x")'] = "bad argument #1 to 'values' (number expected, got string)",
} do
	tap.spit("wrong.lua", "return function(session)\n\tfor _ in session:start() do\n\t\t" .. text .. "\n\tend\nend\n")
	status, _, err = tap.run("duct ./wrong.lua one.c --entry f --quiet")
	tap.ok(status > 2 and err == "duct: ./wrong.lua:3: " .. message .. "\n", text, err)
end
tap.spit("none.lua", "return function() return {} end\n")
status, _, err = tap.run("duct concolic one.c --entry f --quiet --search ./none.lua")
tap.ok(status == 3 and err == "duct: search ./none.lua: it returns no table with the function `update`\n",
	"a search without its functions", err)
tap.spit("needs.lua", "return function() end, { abstarct = true }\n")
status, _, err = tap.run("duct ./needs.lua one.c --entry f --quiet")
tap.ok(status == 3 and err:find("needs.lua: it needs `abstarct`, which is not one of abstract, flows, pairs", 1, true),
	"a strategy that needs what there is not", err)
tap.done()
