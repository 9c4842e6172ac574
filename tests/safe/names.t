#!/usr/bin/env lua5.4
-- Files and flags with names that each language reads as something else: sessions, reports in every format, emitted
-- tests.
-- limit: 240
package.path = os.getenv("ROOT") .. "/tests/lib/?.lua;" .. package.path
local tap, json = require "tap", require "json"

local names = { "a b", "a'b", 'a"b', "a`touch touched`b", "a$(touch touched)b", "$HOME", "$(HOME)", "$$", "a#b",
	"a:b", "a;touch touched;b",
	"a&b", "a|b", "a<b>", "(a)", "a(b", "[a]", "{a,b}", "a*b", "a?b", "~a", "!a", "%a", "a%b", "a=b", "a\\b",
		"a\\nb", "-a", "--help",
	"@a", "a,b", "a\tb", "a\nb", "a\rb", "a\27[31mb", "a*/b", "a/*b", "\xc3\xa4", "\xff\xfe", "\xc0\xaf",
		"\xed\xa0\x80", "&amp;", "</script>",
	"]]>", "a??/b" }
local code = "int %s(int a)\n{\n\tif (a > %d)\n\t\treturn 1;\n\treturn 0;\n}\n"
local refused = { ['a"b'] = true, ["a\\b"] = true, ["a\\nb"] = true, ["a\rb"] = true }

local function sh(command)
	return os.execute("{ " .. command .. "\n} >out 2>&1 </dev/null")
end

local function q(word)
	return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function put(name, text)
	local f <close> = assert(io.open(name, "wb"))
	f:write(text)
end

local function get(name)
	local f <close> = io.open(name, "rb")
	return f and f:read "a" or ""
end

-- A program of two files with this name. The sessions are in one store, which all formats report below.
local function try(i, name)
	local dir = ("n%d"):format(i)
	local entry = dir .. "/" .. name:gsub("/", "_") .. ".c"
	sh("mkdir -p " .. q(dir))
	put(entry, code:format("f", i))                   -- another program each time
	put(dir .. "/" .. name:gsub("/", "_") .. "2.c", code:format("g", i))
	local files = q(entry) .. " " .. q(dir .. "/" .. name:gsub("/", "_") .. "2.c")
	if name:find "[\t\n]" then
		return not sh("duct concolic " .. files .. " --entry f -t 20 -q")
			and get "out":find("must not have tabs or newlines", 1, true),
			"not refused by name"
	end
	if not sh(("duct concolic %s --entry f -t 20 -q --store all.db"):format(files)) then
		return false, "the session fails"
	end
	local emitted = sh(("report all.db --session latest --out %s/tests"):format(dir))
	if refused[name] then
		return not emitted and get "out":find("cannot be written", 1, true), "tests are not refused by name"
	elseif not emitted then
		return false, "--out fails"
	end
	return sh(("make -s -C %s/tests check CFLAGS=-O0"):format(dir)), "emitted tests do not build or pass"
end

local sessions = 0
for i, name in ipairs(names) do
	local good, why = try(i, name)
	sessions = sessions + (name:find "[\t\n]" and 0 or 1)
	tap.ok(good and not io.open "touched", ("a file called %q"):format(name):gsub("[^ -~]", "?"),
		(why or "") .. "\n" .. get "out")
end

-- All of these names in each format.
local function formats()
	for _, form in ipairs { "--json", "--json --branches", "--json --tests", "", "--annotate", "--markdown", "--branches",
		"--tests", "--format gcc" } do
		if not sh(("report all.db --all %s"):format(form)) then
			return false, form .. " fails"
		elseif form == "--json" and not pcall(json.decode, get "out") then
			return false, form .. " is no JSON"
		elseif form == "--branches" and select(2, get "out":gsub("\n[^#]", "")) < 2 * sessions then
			return false, "outcomes are missing"
		end
	end
	if not sh "report all.db --all --cobertura=cobertura --junit=junit --sarif=sarif --lcov=lcov --html page" then
		return false, "a format fails"
	elseif not sh "xmllint --noout cobertura junit || ! command -v xmllint" then
		return false, "--cobertura or --junit is no XML"
	elseif not pcall(json.decode, get "sarif") then
		return false, "--sarif is no JSON"
	elseif get("page/index.html"):find("</script>]]>", 1, true) then
		return false, "the page's script is ended by a name"
	end
	local files = 0
	for line in get "lcov":gmatch "[^\n]*\n" do
		files = files + (line:find "^SF:" and 1 or 0)
		if not line:find "^[A-Z]+:" and line ~= "end_of_record\n" then
			return false, "a line of --lcov: " .. line
		end
	end
	return files >= sessions, ("files in --lcov: %d of %d"):format(files, sessions)
end
local good, why = formats()
tap.ok(good and not io.open "touched", "all of these names in each format of report", (why or "") .. "\n" .. get "out")

put("flag.c", "#ifdef X\n#endif\n" .. code:format("f", 3))
for _, flag in ipairs { "-DX=$;touch touched;", "-DX=a#b", "-DX=$(shell touch touched)", "-DX=`touch touched`",
	"-DX='\"\\", "-DX=a b", "-DX=\\#",
	"-DX(a)=a&b|c<d>", "-DX=%", "-DX=~!*?[]{}" } do
	sh "rm -rf tests flag.db"
	good = sh(("duct concolic flag.c --entry f -t 20 -q --store flag.db --out tests -- %s && make -s -C tests check CFLAGS=-O0"):format(q(flag)))
	tap.ok(good and not io.open "touched" and not io.open "tests/touched", "the flag " .. flag, get "out")
end
tap.ok(not sh "duct concolic flag.c --entry f -t 20 -q --out tests2 -- '-DX=a\nb'"
	and get "out":find("a flag that cannot be written in a makefile", 1, true),
	"a flag with a newline is refused", get "out")

put("farm\ntouch touched.c", code:format("f", 3))
tap.ok(not sh "duct farm concolic 'farm\ntouch touched.c' >lines" and get "out":find("newline", 1, true)
	and get "lines" == "",
	"duct farm: no line for a name with a newline", get "out")
put("farm'; touch touched.c", code:format("f", 3))
tap.ok(sh [[duct farm concolic "farm'; touch touched.c" -t 20 >lines && sh lines]] and not io.open "touched",
	"duct farm: a quote", get "out")
tap.done()
