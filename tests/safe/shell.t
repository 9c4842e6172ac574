#!/usr/bin/env lua5.4
-- Words that a script gives to a shell (program.quoted) are the words that the shell reads: all bytes, and 2000 words of
-- what is special there.
-- limit: 120
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap = require "tap"
local folder = tap.folder("shell")
local pieces = { "'", '"', "`", "$", "\\", "\n", " ", "\t", ";", "&", "|", "(", ")", "<", ">", "*", "?", "[", "]", "{", "}", "!",
	"#", "~", "=", "-", "%", "a", "\1", "\127", "\200", "\255", "$(touch x)", "`touch x`", "\r" }
local words = { "", "-n", "~", "~root", "a=b", "x\n", "\n" }

for c = 1, 255 do
	words[#words + 1] = string.char(c)
end
math.randomseed(26, 25)
for _ = 1, 2000 do
	local word = {}
	for i = 1, math.random(8) do
		word[i] = pieces[math.random(#pieces)]
	end
	words[#words + 1] = table.concat(word)
end
tap.spit(folder .. "/f.c", "int f(int a)\n{\n\treturn a;\n}\n")
tap.spit(folder .. "/words", table.concat(words, "\0") .. "\0")
tap.spit(folder .. "/quote.lua", [[
return function()
	local program = require "duct.program"
	local to = assert(io.open("command", "w"))
	to:write "printf '%s\\0'"
	for word in assert(io.open("words")):read("a"):gmatch "([^\0]*)\0" do
		to:write(" ", program.quoted(word))
	end
	to:close()
end
]])
local status, _, err = tap.run(("cd %s && duct ./quote.lua f.c --entry f --quiet --runs 1"):format(tap.quote(folder)))
tap.is(status, 0, "the words are written", err)
for _, shell in ipairs { "dash", "bash", "sh" } do
	local ran, out = tap.run(("cd %s && command -v %s >/dev/null || exit 77; %s ./command"):format(tap.quote(folder), shell, shell))
	tap.ok(ran == 77 or ran == 0 and out == tap.slurp(folder .. "/words"), shell .. " reads them as they were")
end
tap.ok(not tap.slurp(folder .. "/x"), "and runs nothing of them")
tap.done()
