-- duct STRATEGY FILE.c...: from the options to a program under test, a session, and its report.
local core = require "duct.core"
local jobs = require "duct.jobs"
local names = require "duct.names"
local parts = require "duct.parts"
local program = require "duct.program"
local proof = require "duct.proof"
local session = require "duct.session"
local setup = require "duct.setup"

local fail, is_program = program.fail, program.is_program

local function load(kind, name)
	local made, message, status = names.load(kind, name)
	return made or fail(status or 2, "%s", message)
end

local function check(o)
	jobs.check(o, fail)
	if not o.files then
		fail(2, "no C file: duct %s FILE.c...", o.strategy)
	end
	for _, option in ipairs { "merge", "shares", "stores" } do
		if o[option] then
			fail(2, "--%s is for duct farm", option)
		end
	end
	if o.once and not o.store then
		fail(2, "--once needs the --store that may have the answer")
	end
	if o.resume and not o.store then
		fail(2, "--resume needs the --store to go on with")
	end
	if o.resume and not core.exists(o.store) then
		fail(2, "--resume: there is no store %s", o.store)
	end
	if o.keep and o.keep ~= "all" and o.keep ~= "new" then
		fail(2, "--keep is `all` or `new`")
	end
	if o.aliases and o.aliases ~= "late" and o.aliases ~= "early" and o.aliases ~= "fix" then
		fail(2, "--aliases is `late`, `early` or `fix`")
	end
	if o.one_pair and o.prove then
		fail(2, "--one-pair measures the search alone: not with --prove")
	end
	if o.refine and not (o.partial or o.strategy == "ippc") then
		fail(2, "--refine needs --partial: what its queries grow by")
	end
	if o.corpus and not (o.stdin or o.file) then
		fail(2, "--corpus needs --stdin or --file: what its files are the content of")
	end
	if o.corpus and not core.exists(o.corpus) then
		fail(2, "--corpus: there is no folder %s", o.corpus)
	end
	if o.search ~= "none" then
		load("search", o.search:match("%S+") or "")
	end
	for word in o.check:gmatch("[^,]*") do
		if not names.check(word) then
			fail(2, "%s", select(2, names.check(word)))
		end
	end
	for _, list in ipairs(o.input or {}) do
		for group in list:gmatch("[^,]+") do
			if group ~= "time" and group ~= "random" and group ~= "short" then
				fail(2, "--input: `%s` is not time, random or short", group)
			end
		end
	end
	for option in pairs(names.choices) do
		if o[option] and not names.choice(option, o[option]) then
			fail(2, "%s", select(2, names.choice(option, o[option])))
		end
	end
	if o.one_pair and o.strategy ~= "dft" then
		fail(2, "--one-pair is for dft")
	end
	for _, option in ipairs { "blocks", "check_partition", "fixed" } do
		if o[option] and not o.partition then
			fail(2, "--%s is for flowtest and --partition", (option:gsub("_", "-")))
		end
	end
	if o.blocks and o.check_partition then
		fail(2, "--blocks and --check-partition: one of them")
	end
	if o.partition and (o.pipes or o.strategy == "random" or o.one_pair) then
		fail(2, "%s does not work with blocks of inputs", o.pipes and "--pipes" or o.one_pair and "--one-pair" or "random")
	end
	if o.strategy == "latest" and (is_program(o) or o.pipes) then
		fail(2, is_program(o) and "latest builds the program itself: it needs the C files" or "latest does not work with --pipes")
	end
	if is_program(o) and (o.flags or o.entry ~= "main") then
		fail(2, "%s is a program: flags and --entry were fixed when it was built", o.files[1])
	end
	if is_program(o) and o.database then
		fail(2, "--compile-commands is for C files: %s is a program", o.files[1])
	end
	program.need_files(o)
end

local function default_search(o)
	if o.strategy == "dft" then
		return o.one_pair and "cpgs" or "mix cpgs coverage"
	end
	return (o.strategy == "ippc" or o.partition) and "dfs" or "mix"
end

-- Is a search of these words for pairs?
local function for_pairs(words)
	for word in words:gmatch("%S+") do
		if word == "cpgs" or word == "sdgs" or word == "rss" or word == "rss-md2u" then
			return true
		end
	end
	return false
end

-- Runs the strategy; the store, the session, which has ended, and its figures; of one that there was already its number.
local function work(o)
	local p = parts.open(o)
	if p.answered then
		return p.store, p.answered
	end
	local strategy, s = load("strategy", o.strategy), session.new(o, p)
	if o.partition and o.strategy ~= "flowtest" then
		load("strategy", "flowtest")(s, strategy)
	else
		strategy(s)
	end
	if o.prove and (o.strategy ~= "dft" or o.partition) then
		proof.finish(s)
	end
	return p.store, s, s:finish()
end

-- What a session ends with: its tests and its report.
local function report(o, store, number)
	if o.out then
		store:report(is_program(o) and "corpus" or "tests", o.out, o.format, number)
	end
	store:report(o.json and "json" or "text", not is_program(o) and o.out or nil, nil, number)
end

-- Shares of a session in processes of their own, and what they make together.
local function shared(o, folder)
	if jobs.run(o, folder.path, function(own) work(own):close() end) then
		folder.path = nil                         -- it is not the worker's
		return 0
	end
	local store = core.store(o.store, "write")
	store:join()
	report(o, store)
	store:close()
	return 0
end

local function main(o)
	o.began = core.now()
	setup.apply(o)
	o.entry = o.entry or "main"
	o.seed = o.seed or 1
	o.partition = o.partition or o.strategy == "flowtest"
	o.search = o.strategy == "random" and "none" or o.search or default_search(o)
	o.pairs = o.strategy == "dft" or o.criterion or o.protocol or o.scope or o.prove
	o.pairs = o.pairs or o.partition and for_pairs(o.search)
	o.cross = o.cross or os.getenv("DUCT_CROSS") ~= nil
	if not o.time and not o.runs then
		o.time = 60
	end
	program.defaults(o)
	load("strategy", o.strategy)
	check(o)
	if o.database then
		program.take_recorded_flags(o)
	end
	local folder <close> = program.folder()
	o.quick = not is_program(o) and not o.pipes
	o.program = program.build(o, folder.path .. "/program", o.quick)
	if o.jobs then
		return shared(o, folder)
	end
	local store, s, figures = work(o)
	if not figures then
		report(o, store, s)
		store:close()
		return 0
	end
	report(o, store)
	if s.blocks and not o.json then
		s.blocks:text()
	end
	store:close()
	if figures.disagreed > 0 then
		fail(4, "%d answers of the solver's layers and engines differ", figures.disagreed)
	end
	return s.blocks and s.blocks:violated() and 1 or 0
end

return program.protected(main)
