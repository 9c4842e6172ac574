-- Marks the conditions of a C program, for its native run: each leaf of the condition of an `if`, a loop or a `?:` that
-- stands in parentheses becomes closed_hit(ID, !!(LEAF)), the operand of a switch closed_value(ID, OPERAND). Lines keep
-- their numbers. A leaf is what `&&` and `||` join; its place is its first character, which is also where Clang has it.
--   mark.source(text) -> text, leaves: list of { id =, line =, column =, switch = bool }, variables: name -> id
-- A statement whose line ends in a comment `/* use X def Y */` uses X and defines Y: closed_use(ID, LINE) and
-- closed_def(ID, LINE) stand before it.
-- Code below `#ifdef NATIVE` and in other directives is not marked, nor are constants (`while (1)`).
local mark = {}

-- The text with comments, strings, character constants, directives and the native part blanked out.
local function blank(text)
	local function spaces(s)
		return (s:gsub("[^\n]", " "))
	end
	local at = text:find("\n#ifdef NATIVE", 1, true)
	local head, tail = text:sub(1, at or -1), at and text:sub(at + 1) or ""
	local out, i = {}, 1
	while i <= #head do
		local found
		for _, pattern in ipairs { "^/%*.-%*/", "^//[^\n]*", '^"[^"\\\n]*"', "^'[^'\\\n]*'" } do
			found = found or head:match(pattern, i)
		end
		if not found and head:find("^[\"']", i) then
			local quote, j = head:sub(i, i), i + 1
			while head:sub(j, j) ~= quote do
				j = j + (head:sub(j, j) == "\\" and 2 or 1)
			end
			found = head:sub(i, j)
		elseif not found and head:find("^#", i) and head:sub(1, i - 1):find("\n[ \t]*$") then
			local j = i
			repeat
				j = head:find("\n", j + 1, true)
			until not j or head:sub(j - 1, j - 1) ~= "\\"
			found = head:sub(i, (j or #head + 1) - 1)
		end
		found = found or head:sub(i, i)
		local keep = #found == 1 and not found:find("[\"'#]")
		out[#out + 1] = keep and found or found:find("^[\"']") and ("0"):rep(#found) or spaces(found)
		i = i + #found
	end
	return table.concat(out) .. spaces(tail)
end

local function closing(code, open)
	local depth = 0
	for i = open, #code do
		local c = code:sub(i, i)
		if c:find("[%(%[{]") then
			depth = depth + 1
		elseif c:find("[%)%]}]") then
			depth = depth - 1
			if depth == 0 then
				return i
			end
		end
	end
	error("no closing parenthesis")
end

-- Places of a separator in code[first..last] outside of parentheses.
local function splits(code, first, last, separator)
	local list, i = {}, first
	while i <= last do
		if code:sub(i, i):find("[%(%[{]") then
			i = closing(code, i)
		elseif code:sub(i, i + #separator - 1) == separator then
			list[#list + 1] = i
			i = i + #separator - 1
		end
		i = i + 1
	end
	return list
end

local function trim(code, first, last)
	while code:find("^%s", first) do
		first = first + 1
	end
	while code:find("^%s", last) do
		last = last - 1
	end
	return first, last
end

-- Is it, perhaps in parentheses of its own, more than one leaf?
local function joined(code, first, last)
	first, last = trim(code, first, last)
	if code:sub(first, first) == "(" and closing(code, first) == last then
		return joined(code, first + 1, last - 1)
	end
	return #splits(code, first, last, "&&") + #splits(code, first, last, "||") > 0
end

local function leaves(code, first, last, found)
	first, last = trim(code, first, last)
	if first > last then
		return
	end
	for _, operator in ipairs { "?", "||", "&&" } do
		local at = splits(code, first, last, operator)
		if operator == "?" and #at > 0 then
			break
		elseif #at > 0 then
			at[#at + 1] = last + 1
			local from = first
			for _, place in ipairs(at) do
				leaves(code, from, place - 1, found)
				from = place + 2
			end
			return
		end
	end
	if code:sub(first, first) == "(" and closing(code, first) == last and joined(code, first + 1, last - 1) then
		return leaves(code, first + 1, last - 1, found)
	end
	if not code:sub(first, last):find("^%d+$") then
		found[#found + 1] = { first = first, last = last }
	end
end

local function condition(code, word, open, found)
	local first, last = open + 1, closing(code, open) - 1
	if word == "for" then
		local at = splits(code, first, last, ";")
		first, last = at[1] + 1, at[2] - 1
	end
	if word == "switch" then
		first, last = trim(code, first, last)
		found[#found + 1] = { first = first, last = last, switch = true }
	else
		leaves(code, first, last, found)
	end
end

local function conditions(code)
	local found = {}
	for at, word, open in code:gmatch("()%f[%w_](%l+)%f[^%w_]%s*()%(") do
		if word == "if" or word == "while" or word == "for" or word == "switch" then
			condition(code, word, open, found)
		end
	end
	return found
end

-- `( ... ) ?`: the condition of a conditional expression.
local function conditional(code, found)
	for close in code:gmatch("()%)%s*%?") do
		local open, depth = close, 0
		repeat
			local c = code:sub(open, open)
			depth = depth + (c == ")" and 1 or c == "(" and -1 or 0)
			open = open - 1
		until depth == 0
		leaves(code, open + 2, close - 1, found)
	end
end

local function place(text, at)
	local before = text:sub(1, at - 1)
	local _, lines = before:gsub("\n", "")
	return lines + 1, #before:match("[^\n]*$") + 1
end

-- Calls that are inserted before the statements of lines with pairs: [place in the text] = calls.
local function uses(text, variables)
	local calls, number, id, at = {}, 0, 1000, 1
	for line in (text .. "\n"):gmatch("([^\n]*)\n") do
		number = number + 1
		local comment = line:match("/%*([^*]*)%*/%s*$") or ""
		for what, name in comment:gmatch("%f[%w](%l%l%l) ([%w_.]+)") do
			if what == "use" or what == "def" then
				if not variables[name] then
					variables[name], id = id, id + 1
				end
				local first = at + #line:match("^%s*")
				calls[first] = (calls[first] or "") .. ("closed_%s(%d, %d); "):format(what, variables[name], number)
			end
		end
		at = at + #line + 1
	end
	return calls
end

function mark.source(text)
	local code = blank(text)
	local found = conditions(code)
	conditional(code, found)
	local variables, ends = {}, {}
	local begins = uses(text, variables)
	for id, leaf in ipairs(found) do
		leaf.id = id
		leaf.line, leaf.column = place(text, leaf.first)
		begins[leaf.first] = (begins[leaf.first] or "") .. (leaf.switch and "closed_value(%d, (" or "closed_hit(%d, !!("):format(id)
		ends[leaf.last] = "))"
	end
	local out = {}
	for i = 1, #text do
		out[#out + 1] = (begins[i] or "") .. text:sub(i, i) .. (ends[i] or "")
	end
	return table.concat(out), found, variables
end

return mark
