-- grammars: the valid sequences of token kinds of share/examples/calculator.c and pl0.c, by their grammars.
local grammars = {}

-- A grammar: NAME = list of alternatives, each a list of tokens and names. All sequences of at most `most` tokens
-- that a name derives, as a set of texts.
local function derive(grammar, start, most)
	local known = {}                              -- [name][length] = { [text] = true }
	local function empty()
		local lengths = {}
		for n = 0, most do lengths[n] = {} end
		return lengths
	end
	for name in pairs(grammar) do known[name] = empty() end
	local function combine(alternative)
		local all = empty()
		all[0][""] = true
		for _, part in ipairs(alternative) do
			local more, tails = empty(), known[part] or { [1] = { [part] = true } }
			for n = 0, most do
				for m = 0, most - n do
					for head in pairs(all[n]) do
						for tail in pairs(tails[m] or {}) do
							more[n + m][head .. (n > 0 and m > 0 and " " or "") .. tail] = true
						end
					end
				end
			end
			all = more
		end
		return all
	end
	local changed
	repeat
		changed = false
		for name, alternatives in pairs(grammar) do
			for _, alternative in ipairs(alternatives) do
				for n, texts in pairs(combine(alternative)) do
					for text in pairs(texts) do
						changed = changed or not known[name][n][text]
						known[name][n][text] = true
					end
				end
			end
		end
	until not changed
	local set, count = {}, 0
	for n = 0, most do
		for text in pairs(known[start][n]) do set[text], count = true, count + 1 end
	end
	return set, count
end

function grammars.calculator(operations)
	return derive({
		sum = { { "product" }, { "product", "+", "sum" }, { "product", "-", "sum" } },
		product = { { "n" }, { "n", "*", "product" }, { "n", "/", "product" }, { "n", "%", "product" } },
	}, "sum", 2 * operations + 1)
end

-- The end of the text is a token, too.
function grammars.pl0(tokens)
	return derive({
		program = { { "block", "." } },
		block = { { "consts", "vars", "procedures", "statement" } },
		consts = { {}, { "const", "defs", ";" } }, defs = { { "id", "=", "n" }, { "id", "=", "n", ",", "defs" } },
		vars = { {}, { "var", "ids", ";" } }, ids = { { "id" }, { "id", ",", "ids" } },
		procedures = { {}, { "procedure", "id", ";", "block", ";", "procedures" } },
		statement = { {}, { "id", ":=", "expression" }, { "call", "id" }, { "begin", "statements", "end" },
			{ "if", "condition", "then", "statement" }, { "while", "condition", "do", "statement" } },
		statements = { { "statement" }, { "statement", ";", "statements" } },
		condition = { { "odd", "expression" }, { "expression", "relation", "expression" } },
		relation = { { "=" }, { "#" }, { "<" }, { "<=" }, { ">" }, { ">=" } },
		expression = { { "terms" }, { "+", "terms" }, { "-", "terms" } },
		terms = { { "term" }, { "term", "+", "terms" }, { "term", "-", "terms" } },
		term = { { "factor" }, { "factor", "*", "term" }, { "factor", "/", "term" } },
		factor = { { "id" }, { "n" }, { "(", "expression", ")" } },
	}, "program", tokens - 1)
end

return grammars
