#!/usr/bin/env lua5.4
-- Names with an underscore in comments of lib/ and tools/ exist: functions that were renamed or removed leave no trace there.
local root = os.getenv "ROOT"

-- Names of other projects, of what duct generates, and of placeholders.
local others = {}
for word in ([[back_NAME exit_group preserve_most luaL_loadfile node_t duct_between_NAME device_40011000 wire_nodes jmp_buf
	container_of]]):gmatch "%S+" do others[word] = true end

-- The text of a C file without comments; calls `take` with each comment and its line.
local function code_of(text, take)
	local out, at, line = {}, 1, 1
	while at <= #text do
		local from, to = text:find('/%*.-%*/', at)
		local from2, to2 = text:find('//[^\n]*', at)
		local from3, to3 = text:find('"[^"\n]*"', at)
		if from2 and (not from or from2 < from) then from, to = from2, to2 end
		local is_string = from3 and (not from or from3 < from)
		if is_string then from, to = from3, to3 end
		if not from then break end
		if is_string then
			while text:sub(to - 1, to - 1) == '\\' and text:sub(to - 2, to - 2) ~= '\\' do
				to = select(2, text:find('^[^"\n]*"', to + 1)) or from
			end
		end
		line = line + select(2, text:sub(at, from - 1):gsub("\n", ""))
		out[#out + 1] = text:sub(at, is_string and to or from - 1)
		local part = text:sub(from, to)
		if not is_string and take then take(part, line) end
		line, at = line + select(2, part:gsub("\n", "")), to + 1
	end
	out[#out + 1] = text:sub(at)
	return table.concat(out, " ")
end

local known, comments = {}, {}
local files = io.popen("cd '" .. root .. "' && find lib tools share lua tests/unit tests/fuzz bin Makefile -type f -not -path '*/examples/*'")
for file in files:lines() do
	local f <close> = io.open(root .. "/" .. file)
	local text = f:read "a"
	known[file:match "([%w_]+)%.%a+$" or ""] = true
	if file:find "%.[ch]$" or file:find "%.cc$" then
		local reads = file:find "^lib/" or file:find "^tools/"
		text = code_of(text, reads and function(comment, line)
			comments[#comments + 1] = { file = file, line = line, text = comment }
		end)
	end
	for word in text:gmatch "[%a_][%w_]*" do known[word] = true end
end

local wrong, n = {}, 0
for _, c in ipairs(comments) do
	for at, word in c.text:gmatch "()%f[%w_](%l[%w_]*_[%w_]+)" do
		n = n + 1
		if not (known[word] or others[word]) then
			local line = c.line + select(2, c.text:sub(1, at):gsub("\n", ""))
			wrong[#wrong + 1] = ("# %s:%d: %s"):format(c.file, line, word)
		end
	end
end
print(#wrong == 0 and n > 500 and "ok - names in comments exist" or "not ok - names in comments exist")
print(#wrong > 0 and table.concat(wrong, "\n") or "# " .. n .. " names")
print "1..1"
