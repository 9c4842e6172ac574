-- Inputs from a corpus of files, as fuzzers keep them: the content of each file becomes standard
-- input, or the content of the first --file; without --stdin and --file, of standard input, whole.
local core = require "duct.core"

local chunk = 4096                  -- bytes that are read between two looks at the clock

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

-- The input that the content of a file makes; nil: it cannot be read, or there is no more time.
local function input_of(session, file, name, size)
	local f = io.open(file, "rb")
	if not f then
		return nil
	end
	local bytes = f:read(size or "a") or ""
	f:close()
	local model = session.space:model()
	model:set(name .. ".len", "u", 32, #bytes)
	for from = 0, #bytes - 1, chunk do
		if session:over() then
			return nil
		end
		model:fill(name, from, bytes:sub(from + 1, from + chunk))
	end
	return model
end

-- Adds one input for each file to `inputs`; content beyond the maximal length is cut off.
function corpus.read(session, inputs)
	local name, size = corpus.source(session.options)
	local files = session.options.corpus and corpus.files(session.options.corpus) or {}
	for i, file in ipairs(files) do
		local input = input_of(session, file, name, size)
		inputs[#inputs + 1] = input
		if not input and session:over() then
			core.say(("duct: there was no time to read all of the corpus: %d of %d files\n"):format(i - 1, #files))
			return
		end
	end
end

return corpus
