-- builds: the programs under test of one call of duct test: each is built once, and one ahead, by a process of its own
-- while a session runs.
--   builds.new(folder, options)   folder: for the programs; options(entry, seconds): of a session of the entry
--   b:make(entry, o)   in a session's process: builds the program, unless that was done before; o as in main.build
--   b:ahead(entry, first)     begins to build the program of an entry, unless it is there or another one is being
--                      built; true: it is there; first: an entry whose program, which a session builds, makes the code
--                      that both share, or false
--   b:serve(group, entry)     begins to make the code that the programs of a group of entries share, one of which this
--                      is, and then builds these programs in copies of that process, which has read the file
--   b:close()          no more programs are needed
--   b:over(entry)      its session has ended
--   b:await(entry, seconds)   until its program, if it is the one that is being built, is there; nil: any entry; it is
--                      built for so long at most
local core = require "duct.core"
local main = require "duct.main"
local program = require "duct.program"

local builds = {}
local pause = 0.02                               -- seconds between two looks for a program
builds.__index = builds

function builds.new(folder, options)
	return setmetatable({ folder = folder, options = options, servers = {} }, builds)
end

function builds:path(entry)
	return ("%s/program.%d"):format(self.folder, entry.number)
end

local function write(path, text)
	local f <close> = assert(io.open(path, "w"))
	assert(f:write(text))
end

function builds:make(entry, o)
	local path = self:path(entry)
	if core.exists(path) then
		main.build(o, path, true)
		return
	end
	main.build(o, path .. ".new")
	write(path .. ".said", o.said or "")
	assert(os.rename(o.program, path))
	o.program = path
end

function builds:over(entry)
	if not core.exists(self:path(entry)) then
		write(self:path(entry) .. ".failed", "")
	end
end

-- In the process that builds ahead: what both would make is made once. Then all that was said is known.
local function await_code(self, entry, first)
	local path = first and first.group == entry.group and self:path(first)
	while path and not core.exists(path) and not core.exists(path .. ".failed") do
		core.sleep(pause)
	end
	local f <close> = path and io.open(path .. ".said")
	entry.group.said = f and f:read("a") or entry.group.said
end

-- In the process that builds ahead. Where there is something to be said, or building fails, the session builds, too.
local function build(self, entry, first)
	await_code(self, entry, first)
	local o = self.options(entry, 1)
	o.quiet, o.silent, o.said = true, true, entry.group.said
	main.build(o, self:path(entry) .. ".ahead")
	if o.said == entry.group.said then
		assert(os.rename(o.program, self:path(entry)))
	end
end

function builds:serve(group, entry)
	group.server = ("%s/server.%d"):format(self.folder, #self.servers + 1)
	local o = self.options(entry, 1)
	local process = core.fork()
	if not process then
		program.serve(o, group.server)
		collectgarbage()                          -- scratch folders go; what the parent will close stays
		os.exit(0)
	end
	table.insert(self.servers, process)
end

function builds:close()
	self:await(nil, 0)
	for _, process in ipairs(self.servers) do
		core.wait(process, 0)
	end
	self.servers = {}
end

function builds:ahead(entry, first)
	if not entry or self.process or core.exists(self:path(entry)) then
		return entry ~= nil and not self.process
	end
	self.entry, self.process = entry, core.fork()
	if not self.process then
		local fine = pcall(build, self, entry, first)
		collectgarbage()                          -- scratch folders go; what the parent will close stays
		os.exit(fine and 0 or 4)
	end
end

function builds:await(entry, seconds)
	if self.process and (not entry or entry == self.entry) then
		core.wait(self.process, seconds)
		self.process = nil
	end
end

return builds
