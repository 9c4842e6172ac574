-- sources: what the tests of tests/source share.
local sources = {}

-- A C file without comments and texts, its lines kept.
function sources.code_of(text)
	text = text:gsub("/%*.-%*/", function(c) return (c:gsub("[^\n]", " ")) end)
	text = text:gsub('\\[\\"]', "  "):gsub('"[^"\n]*"', '""')
	return (text:gsub("//[^\n]*", ""))
end

-- The only test of a file: it holds if the list, one line each, is empty.
function sources.tell(name, wrong)
	table.sort(wrong)
	print "1..1"
	print((#wrong == 0 and "ok" or "not ok") .. " - " .. name)
	if #wrong > 0 then print(table.concat(wrong, "\n")) end
end

return sources
