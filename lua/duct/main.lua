-- main: from the options of a strategy to a program under test and a session.
--   main.defaults(o)   values of options that were not given
--   main.check(o)      fails with a message where the options cannot be meant so
--   main.check_status(o)    the same for --fail-under and --fail-on alone
--   main.build(o, path, there)   the program under test; there: it is built
--   main.run(o) -> store, session, figures   runs the strategy; no figures: the store had the answer, its number
--                      stands for the session
--   main.status(o, store, session)   the exit status: 1 where --fail-under or --fail-on does not hold, 4 where a run
--                            refuted a verdict infeasible
local core = require "duct.core"
local directed = require "duct.directed"
local jobs = require "duct.jobs"
local later = require "duct.later"
local limits = require "duct.limits"
local names = require "duct.names"
local parts = require "duct.parts"
local program = require "duct.program"
local progress = require "duct.progress"
local property = require "duct.property"
local session = require "duct.session"
local setup = require "duct.setup"

local abstract, proof = later "duct.abstract", later "duct.proof"
local fail, is_program = program.fail, program.is_program
local main = {}

-- A strategy or search, or the session ends.
function main.load(kind, name)
	local made, message, status = names.load(kind, name)
	return made or fail(status or 2, "%s", message)
end

local known_needs = { abstract = true, flows = true, pairs = true }

-- The parts that the strategy needs of the program: [NAME] = true.
local function needs_of(o)
	main.load("strategy", o.strategy)
	local _, list = names.load("strategy", o.strategy)
	for name in pairs(list or {}) do
		if not known_needs[name] then
			fail(3, "%s: it needs `%s`, which is not one of abstract, flows, pairs", o.strategy, name)
		end
	end
	return list or {}
end

-- When the exit status is to be 1.
function main.check_status(o)
	if o.fail_on and o.fail_on ~= "finding" and o.fail_on ~= "unknown" then
		fail(2, "--fail-on is `finding` or `unknown`")
	end
	if o.fail_under and not (o.fail_under >= 0 and o.fail_under <= 100) then
		fail(2, "--fail-under is a percentage, from 0 to 100")
	end
end

-- Refuses options about the solver for searches that do not use it.
function main.check_asks(o)
	local about = o.partial and "partial" or o.refine and "refine" or o.layers and "layers" or o.engines and "engines"
	if o.strategy == "random" and (o.search_given or about) then
		fail(2, "--%s: random draws inputs: it takes no branch and asks the solver nothing",
			o.search_given and "search" or about)
	end
	if o.search == "mutate" and (about or o.strategy == "ippc") and o.strategy ~= "dft" then
		fail(2, "%s: the search mutate asks the solver nothing", about and "--" .. about or "ippc")
	end
end

-- Is a search of these words for pairs?
local function for_pairs(words)
	for word in words:gmatch("%S+") do
		if word == "cpgs" or word == "cpgs-paper" or word == "sdgs" or word == "rss" or word == "rss-md2u" then
			return true
		end
	end
	return false
end

function main.check(o)
	jobs.check(o, fail)
	main.check_status(o)
	if not o.files then
		fail(2, "no C file: duct %s FILE.c...", o.strategy)
	end
	program.need_files(o)
	for _, option in ipairs { "merge", "shares", "stores" } do
		if o[option] then
			fail(2, "--%s is for duct farm", option)
		end
	end
	if limits.refuse(o) then
		fail(2, "%s", limits.refuse(o))
	end
	if o.once and not o.store then
		fail(2, "--once needs --store FILE, which may have the answer")
	end
	if o.resume and not o.store then
		fail(2, "--resume needs --store FILE, which has the session to continue")
	end
	if o.resume and not core.exists(o.store) then
		fail(2, "--resume: there is no store %s", o.store)
	end
	if o.keep and o.keep ~= "all" and o.keep ~= "new" then
		fail(2, "--keep is `all` or `new`")
	end
	if o.confine and o.confine ~= "full" and o.confine ~= "some" and o.confine ~= "none" then
		fail(2, "--confine is `full`, `some` or `none`")
	end
	if o.aliases and not ({ late = true, la = true, early = true, fix = true })[o.aliases] then
		fail(2, "--aliases is `late`, `la`, `early` or `fix`")
	end
	if o.aliases == "la" and o.pipes then
		fail(2, "--aliases la solves in the session itself: not with --pipes")
	end
	if o.one_pair and o.prove then
		fail(2, "--one-pair measures the search alone: not with --prove")
	end
	if o.partial_mode and o.refine and o.refine ~= o.partial_mode then
		fail(2, "--partial paper and --refine: only one of them can be given")
	end
	if o.refine and not (o.partial or o.strategy == "ippc") then
		fail(2, "--refine needs --partial, whose queries it extends")
	end
	if o.corpus and not (o.stdin or o.file) and (o.entry or "main") ~= "main" then
		fail(2, "--corpus with an --entry needs --stdin or --file, whose content its files are")
	end
	if o.corpus and not core.exists(o.corpus) then
		fail(2, "--corpus: there is no folder %s", o.corpus)
	end
	if o.search ~= "none" then
		main.load("search", o.search:match("%S+") or "")
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
		fail(2, "--blocks and --check-partition: only one of them can be given")
	end
	if o.partition and (o.strategy == "random" or o.one_pair) then
		fail(2, "%s does not work with blocks of inputs", o.one_pair and "--one-pair" or "random")
	end
	if o.target and (o.jobs or o.partition or o.one_pair or o.abstract or o.strategy == "latest"
		or o.strategy == "random") then
		fail(2, "--target does not work with --jobs, --partition, --one-pair, --abstract, latest and random")
	end
	if o.abstract and not o.needs.abstract then
		fail(2, "--abstract is for latest, dft, and scripts that need it")
	end
	if o.abstract and o.strategy == "dft" and (o.partition or o.one_pair) then
		fail(2, "dft --abstract does not work with --partition and --one-pair")
	end
	for _, option in ipairs { "file", "arg", "env" } do
		local wrong = core.check_sizes(o, option)
		if wrong then
			fail(2, "%s", wrong)
		end
	end
	main.check_asks(o)
	if for_pairs(o.search) and not o.pairs and not o.target then
		fail(2, "--search: %s is for pairs, and none are watched: --criterion, --protocol, --scope", o.search)
	end
	if (o.pair or o.var) and o.strategy ~= "dft" then
		fail(2, "--pair and --var are for dft")
	end
	if (o.strategy == "latest" or o.abstract) and is_program(o) then
		fail(2, "%s builds the program itself: it needs the C files", o.abstract and "--abstract" or "latest")
	end
	if is_program(o) and (o.flags or o.entry ~= "main") then
		fail(2, "%s is a program: flags and --entry were fixed when it was built", o.files[1])
	end
	if is_program(o) and o.database then
		fail(2, "--compile-commands is for C files: %s is a program", o.files[1])
	end
	if is_program(o) and o.out and not (o.stdin or o.file) then
		fail(2, "--out: what is written for a program is the content of --stdin or --file, and neither is an input")
	end
	main.may_write(o)
end

-- Checks that duct may write to the folder for the tests.
function main.may_write(o)
	local wrong = o.out and not o.force and not is_program(o) and core.stranger(o.out)
	if wrong then
		fail(2, "--out %s", wrong)
	end
end

function main.status(o, store, number)
	local holds, why = store:holds { session = number, under = o.fail_under, on = o.fail_on }
	if core.interrupted() then
		return 130
	elseif store:counts().contradictions > 0 then
		return 4
	elseif not holds then
		core.say("duct: " .. why .. "\n")
	end
	return holds and 0 or 1
end

local function default_search(o)
	if o.strategy == "dft" then
		return o.one_pair and "cpgs" or "mix cpgs coverage rnd mutate"
	end
	return (o.strategy == "ippc" or o.partition) and "dfs" or "mix"
end

-- Refuses options that only the built program shows to be of no use.
function main.check_built(o)
	if o.strategy == "latest" and o.search_given and abstract.possible(o) then
		fail(2, "--search: latest has an order of its own where calls may be abstract")
	end
end

function main.run(o)
	main.check_built(o)
	local p = parts.open(o)
	if p.answered then
		return p.store, p.answered
	end
	o.pairs_only = o.target and {} or directed.pairs(o, p.defuse)
	o.pairs_elsewhere = o.open_pairs and not o.pairs_only and p.store:elsewhere() or nil
	local strategy, s = main.load("strategy", o.strategy), session.new(o, p)
	if o.target then
		directed.search(s)
	elseif o.partition and not o.needs.flows then
		main.load("strategy", "flowtest")(s, strategy)
	else
		strategy(s)
	end
	if o.prove and not o.target and (o.strategy ~= "dft" or o.partition) then
		proof.finish(s)
	end
	return p.store, s, s:finish()
end

-- A helper of a session with blocks of inputs: runs the strategy, which takes tasks from the session.
function main.help(o, crew)
	o.crew, o.store, o.out, o.once, o.prove, o.quiet = crew, nil, nil, nil, nil, true
	local p = parts.open(o)
	o.pairs_only = directed.pairs(o, p.defuse)
	local strategy, s = main.load("strategy", o.strategy), session.new(o, p)
	if o.needs.flows then
		strategy(s)
	else
		main.load("strategy", "flowtest")(s, strategy)
	end
	s.runner:close()
	p.store:close()
end

local default_time = 60            -- seconds of a session without --time and --runs
local least_memory = 512 << 20     -- bytes of a session and its prover, however little a run may have

function main.defaults(o)
	o.began = core.now()
	if not o.time then                                -- setup files are scripts, which may not end
		core.deadline(default_time)
	end
	setup.apply(o)
	o.entry = o.entry or "main"
	if o.property then
		property.apply(o)
	end
	directed.options(o)
	o.search_given = o.search ~= nil
	o.search = o.search or o.target and "target"
	o.seed = o.seed or 1
	o.needs = needs_of(o)
	o.needs.abstract = o.needs.abstract or o.strategy == "dft" and o.abstract ~= nil
	o.partition = o.partition or o.needs.flows
	o.search = o.strategy == "random" and "none" or o.search or default_search(o)
	if o.criterion then
		local of_pairs, others, wrong = names.split_criteria(o.criterion)
		if wrong then
			fail(2, "%s", wrong)
		end
		o.criterion, o.criteria = of_pairs, others
		o.scope = o.scope or o.criterion and core.any_criterion(others, "inter") and "inter" or nil
	end
	o.pairs = o.needs.pairs or o.criterion or o.pair or o.var or o.protocol or o.scope or o.prove
	o.pairs = o.pairs or o.partition and for_pairs(o.search)
	o.refine = o.refine or o.partial_mode
	o.cross = o.cross or os.getenv("DUCT_CROSS") ~= nil
	o.keep = o.keep or (o.strategy == "late-aliases" and "all" or "new")
	if not o.time then
		o.time = not o.runs and default_time or nil
		core.deadline(o.time or math.huge)
	end
	if o.time and not o.timeout then                  -- one run without end is not to take a short session
		o.timeout = math.min(10, math.max(1, o.time / 60))
		o.longest_timeout = o.time / 5                -- where limits are widened
	end
	program.defaults(o)
	o.own_memory = math.max(o.memory, least_memory)
	core.memory(o.own_memory * (math.tointeger(o.jobs) or 1))
end

function main.build(o, path, there)
	o.quick = not is_program(o) and not o.pipes
	progress.phase("building", o.quiet)
	o.program = there and path or program.build(o, path, o.quick)
end

return main
