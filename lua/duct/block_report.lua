-- block_report: methods of Blocks that report the blocks of inputs, as text and JSON.
--   b:finish()      at the end: the blocks, whether each was explored to its end, guards and merges as JSON
--   b:text()        the same for people
local Report = {}

local function fail(status, message)
	error({ status = status, message = message }, 0)
end

local function quoted(s)
	return '"' .. s:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function names_of(self, members)
	local list = {}
	for k, i in ipairs(members) do
		list[k] = quoted((self.partition:input(i)))
	end
	return "[" .. table.concat(list, ", ") .. "]"
end

-- The blocks that others share: { block = B, guarded = blocks that it guards directly }.
function Report:shared()
	local list, by_block = {}, {}
	for _, block in ipairs(self:in_order()) do
		local guard = self.partition:guard(block)
		if guard then
			by_block[guard] = by_block[guard] or { block = guard, guarded = {} }
			list[#list + 1] = not by_block[guard].guarded[1] and by_block[guard] or nil
			table.insert(by_block[guard].guarded, block)
		end
	end
	return list
end

local function guard_text(self, shared)
	local texts = {}
	for k, block in ipairs(shared.guarded) do
		texts[k] = names_of(self, self.partition:members(block))
	end
	return ('{"inputs": %s, "of": [%s]}'):format(names_of(self, self.partition:members(shared.block)),
		table.concat(texts, ", "))
end

local function merge_text(self, i)
	local _, _, a, b, file, line, col = self.partition:merge(i)
	return ('{"inputs": [%s, %s], "file": %s, "line": %d, "column": %d}'):format(quoted(a), quoted(b),
		quoted(file), line, col)
end

-- Do all runs of a block end at one place, which no run passes, whatever the values of other blocks?
function Report:always_ends(b)
	return b and b.complete and not b.passes and not b.several and not next(b.cut)
end

-- Why an assertion that plain concolic testing violates may have been missed; nil: it was not.
function Report:doubt()
	local session, list, _, count = self.session, self:each_done(), self.partition:counts()
	if session.options.strategy == "latest" then
		return "calls are abstract: flows are followed in real runs only"
	elseif session.options.check_partition and select(3, self.partition:counts()) > 0 then
		return "inputs of given blocks flow into one decision"
	elseif session.ended then
		return "the session ended before its time: " .. session.ended
	elseif session.cut > 0 or session.mispredicted > 0 or session.store:counts().lost > 0 then
		return "runs were cut short, mispredicted or lost precision"
	end
	for _, b in ipairs(list) do
		for other in pairs(b.cut) do
			if not self:always_ends(self.done[self.partition:block(other)]) then
				return "runs ended because of another block's inputs"
			end
		end
		if not b.complete then
			return "a block was not explored to its end"
		end
	end
	if not (#list == count and self:stable()) then
		return "not all blocks were explored"
	end
	return session.options.strategy == "dft" and count > 1 and "a pair may need the inputs of two blocks" or nil
end

-- Checks that each name given by --fixed is an input that a run has met, or a prefix of one, as `s` of `s[40]`.
function Report:check_fixed()
	local met = {}
	for i = 1, self.inputs do
		met[(self.partition:input(i)):match("^[%w_]*")] = true
	end
	for name, value in pairs(self.given) do
		if not met[name:match("^[%w_]*")] then
			fail(2, ("--fixed %s=%d: no run has met an input of this name"):format(name, value))
		end
	end
end

function Report:finish()
	self:check_fixed()
	local session, texts, paths, met, guards = self.session, {}, {}, {}, {}
	local total, count, merges = self.partition:counts()
	for i = 1, total do
		if self.partition:block(i) == i then
			texts[#texts + 1] = names_of(self, self.partition:members(i))
			paths[#paths + 1] = self.done[i] and self.done[i].paths or 0
		end
	end
	for i = 1, merges do
		met[i] = merge_text(self, i)
	end
	for i, shared in ipairs(self:shared()) do
		guards[i] = guard_text(self, shared)
	end
	if count > 1 then
		session.judged = false
	end
	self.why = self:doubt()
	local calls = session.calls and session.calls.text .. ",\n " or ""
	session.extra = calls
		.. ('"blocks": [%s],\n "partition": {"complete": %s, "doubt": %s, "paths": [%s],\n'
		.. '  "explored": %d, "helped": %d, "guards": [%s],\n  "%s": [%s]}'):format(
		table.concat(texts, ", "), not self.why, self.why and quoted(self.why) or "null", table.concat(paths, ", "),
		self.explored, self.helped, table.concat(guards, ",\n   "),
		session.options.check_partition and "violations" or "merges",
		table.concat(met, ",\n   "))
end

local most_lines = 20

-- For people.
function Report:text()
	local total, count, merges = self.partition:counts()
	local check = self.session.options.check_partition
	local function lines(n, line)
		for i = 1, math.min(n, most_lines) do
			io.write("  ", line(i), "\n")
		end
		if n > most_lines then
			io.write(("  and %d more\n"):format(n - most_lines))
		end
	end
	local roots = {}
	for i = 1, total do
		roots[#roots + 1] = self.partition:block(i) == i and i or nil
	end
	local function inputs_of(block)
		local list = {}
		for k, input in ipairs(self.partition:members(block)) do
			list[k] = self.partition:input(input)
		end
		return table.concat(list, " ")
	end
	io.write(("blocks of inputs: %d, %s\n"):format(count, self.why or "each explored to its end"))
	lines(#roots, function(i)
		local d = self.done[roots[i]]
		return ("%s: %d paths"):format(inputs_of(roots[i]), d and d.paths or 0)
	end)
	local shared = self:shared()
	io.write(shared[1] and "guards, fixed to values of each of their paths that reaches the guarded blocks:\n" or "")
	lines(#shared, function(i)
		local list = {}
		for k, block in ipairs(shared[i].guarded) do
			list[k] = inputs_of(block)
		end
		return ("%s: of %s"):format(inputs_of(shared[i].block), table.concat(list, " | "))
	end)
	io.write(merges > 0 and (check and "violations:\n" or "merged:\n") or "")
	lines(merges, function(i)
		local _, _, a, b, file, line, col = self.partition:merge(i)
		return line > 0 and ("%s:%d:%d: %s and %s"):format(file, line, col, a, b) or ("%s and %s: %s"):format(a, b, file)
	end)
end

return Report
