-- builds: builds the programs under test of one call of duct test: each once, and the next one in a process of its own
-- while a session runs.
--   builds.new(folder, options)   folder: for the programs; options(entry, seconds): options of a session of the entry
--   b:make(entry, o)   in a session's process: builds the program unless it is there; o as in main.build
--   b:ahead(entry, first)     starts a process that builds the entry's program, unless it is there or another one is
--                      being built; returns true if it is there. first: the entry of the current session, if
--                      its program has code that both share, which is then not made twice; or false
--   b:serve(entry, only_known)   starts a process that parses the entry's file; forks of it make the programs of all
--                      entries in that file. only_known: uses such a process, starts none
--   b:close()          no more programs are needed
--   b:over(entry)      the entry's session has ended
--   b:await(entry, seconds)   waits, `seconds` at most, until the entry's program is there, if that is being
--                      built; nil: whichever is being built
local core = require "duct.core"
local main = require "duct.main"
local program = require "duct.program"

local builds = {}
local most_servers = 3                           -- at once: each may take 300 MiB
local pause = 0.02                               -- seconds between two checks for a program
builds.__index = builds

function builds.new(folder, options)
	return setmetatable({ folder = folder, options = options, servers = {}, served = {}, count = 0 }, builds)
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

-- In the process that builds ahead: waits until the session has made the code that both programs share. Returns the
-- messages that were printed then.
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

function builds:serve(entry, only_known)
	if not entry or not entry.is_served or not entry.group.object_folder or entry.server then
		return
	end
	local of = self.served[entry.group] or {}
	self.served[entry.group] = of
	if not of[entry.home] and not only_known then
		self.count = self.count + 1
		of[entry.home] = ("%s/server.%d"):format(self.folder, self.count)
		local o = self.options(entry, 1)
		o.files = { entry.home }
		local process = core.fork()
		if not process then
			program.serve(o, of[entry.home])
			collectgarbage()                          -- scratch folders go; what the parent will close stays
			os.exit(0)
		end
		table.insert(self.servers, process)
		if #self.servers > most_servers then
			core.wait(table.remove(self.servers, 1), 0)
		end
	end
	entry.server = of[entry.home]
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
