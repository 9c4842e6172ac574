#!/usr/bin/env lua5.4
-- One rule for memory (lib/base/grow.h): nothing in lib/ and tools/ calls malloc() and its kin, or asks for memory by
-- functions that give NULL when there is none.
local root = os.getenv "ROOT"
package.path = root .. "/tests/lib/?.lua;" .. package.path
local sources = require "sources"

-- Places that do, and why.
local allowed = {
	{ "^lib/base/grow%.c$", "the rule itself" },
	{ "^lib/runtime/", "inside the program under test, whose memory is not ours; a run that gets none ends as a limit" },
	{ "^lib/script/option_file%.c$", "Lua's allocator with a limit of its own: NULL is an error of the script" },
}

local words = {}
for word in ([[malloc calloc realloc reallocarray aligned_alloc posix_memalign memalign valloc
	strdup strndup asprintf vasprintf open_memstream]]):gmatch "%S+" do words[word] = true end

local wrong, used, n = {}, {}, 0
local files = io.popen("cd '" .. root .. "' && find lib tools -name '*.[ch]' -o -name '*.cc'")
for file in files:lines() do
	n = n + 1
	local f <close> = io.open(root .. "/" .. file)
	local line = 0
	for text in (sources.code_of(f:read "a") .. "\n"):gmatch "(.-)\n" do
		line = line + 1
		for word in text:gmatch "%f[%w_.>]([%a_][%w_]*)%(" do
			if words[word] then
				local reason
				for i, a in ipairs(allowed) do
					if file:find(a[1]) then reason, used[i] = a[2], true end
				end
				if not reason then wrong[#wrong + 1] = ("# %s:%d: %s()"):format(file, line, word) end
			end
		end
	end
end
for i, a in ipairs(allowed) do
	if not used[i] then wrong[#wrong + 1] = "# an exception that nothing needs: " .. a[1] end
end
if n < 500 then wrong[#wrong + 1] = "# only " .. n .. " files found" end
sources.tell("memory is asked for by lib/base/grow.h", wrong)
