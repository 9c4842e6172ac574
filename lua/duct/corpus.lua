-- Inputs from a corpus of files, as fuzzers keep them: the content of each file becomes standard
-- input, or the content of the first --file; without --stdin and --file, of standard input, whole.
local core = require "duct.core"

local corpus = {}

-- The name of the bytes in inputs, and their maximal number, if there is one.
function corpus.source(options)
	if options.file and not options.stdin then
		local name, size = options.file[1]:match("^(.*)=(%d+)$")
		return name, tonumber(size)
	end
	return "stdin", options.stdin
end

-- The maximal number of inputs NAME[i].
function corpus.size(options, name)
	if name == "stdin" then
		return options.stdin
	end
	for _, spec in ipairs(options.file or {}) do
		local file, size = spec:match("^(.*)=(%d+)$")
		if file == name then
			return tonumber(size)
		end
	end
end

-- The names of the files of a folder, in order.
function corpus.files(folder)
	local files = {}
	for _, name in ipairs(core.list(folder)) do
		if name:sub(1, 1) ~= "." then
			files[#files + 1] = folder .. "/" .. name
		end
	end
	table.sort(files)
	return files
end

-- Bytes of the longest one.
function corpus.longest(folder)
	local most = 0
	for _, file in ipairs(corpus.files(folder)) do
		local f = io.open(file, "rb")
		most = math.max(most, f and f:seek "end" or 0)
		if f then
			f:close()
		end
	end
	return most
end

-- Adds one input for each file to `inputs`; content beyond the maximal length is cut off.
function corpus.read(session, inputs)
	local name, size = corpus.source(session.options)
	for _, file in ipairs(session.options.corpus and corpus.files(session.options.corpus) or {}) do
		local f = io.open(file, "rb")
		local bytes = f and f:read(size or "a") or ""
		if f then
			f:close()
			local model = session.space:model()
			model:set(name .. ".len", "u", 32, #bytes)
			for i = 1, #bytes do
				model:set(("%s[%d]"):format(name, i - 1), "c", 8, bytes:byte(i))
			end
			inputs[#inputs + 1] = model
		end
	end
end

return corpus
