-- earlier: a part of duct.session: recognises, by a second run, failures that are no fault of the function under test.
--   A pointer to a static variable is still NULL, and a function of its file sets it: with that function called before,
--   the run passes the place. The call is what the entry needs. So is that of a function of the program that the entry
--   does not call and that sets the pointer, as main may.
--   A global that main or another function sets was an input, and the run fails because of its value: with its first
--   value it does not. Where the program sets it to constants alone, inputs are these, and its failures are findings.
--   The run took too long because many of its bytes were symbolic: with the same inputs fixed it ends in time.
--   An allocation failed, and the function told an undefined function of it, such as one that prints a message and ends
--   the program, but a stub returns: when the allocation succeeds, the run passes the place and calls no such function.
local core = require "duct.core"

local earlier = {}

local kinds = { null = true, segv = true, bounds = true }

-- A runner of its own, as that of the session may still be one that calls nothing before the entry.
local function runner(self)
	local known = self.checker
	if not known or known.grow ~= self.grow then
		local grow = { calls = 2 }
		for name, value in pairs(self.grow) do
			grow[name] = math.max(value, grow[name] or 0)
		end
		known = { grow = self.grow, runner = self.new_runner(self.setup, grow) }
		self.checker = known
	end
	return known.runner
end

-- The function that has to be called first.
local function initialiser(self, trace)
	self.initialisers = self.initialisers or self.store:initialisers()
	for _, f in ipairs(self.initialisers) do
		local model = self.space:model_of(trace, ".between")
		model:set(".between", "n", 16, f.choice)
		local again <close> = runner(self):run(self.runs, model)
		if again:passes(trace) then
			return f.name
		end
	end
	return nil
end

-- The function that sets the global pointer which the run found NULL, where calling it first does not help, as it needs
-- more than duct gave it.
local function setter(self, trace)
	local flow <close> = core.flow(self.options.program, "records")
	return flow:setter(self.options.entry or "main", trace)
end

-- The undefined function that may not return.
local function handler(self, trace)
	local fails
	for _, v in ipairs(trace:inputs()) do
		fails = fails or v.value ~= 0 and v.name:find("^fault%.")
	end
	if not fails then
		return nil
	end
	local again <close> = runner(self):run(self.runs, self.space:model_of(trace, "fault."))
	return again:passes(trace) and self.store:handler(trace, again) or nil
end

-- Does the run end where another one failed?
local function fails_alike(again, trace)
	return select(2, again:ended()) and again:place() == trace:place()
end

-- The run with first values in the globals `left` that are set outside of the entry. Does it not fail there?
local function passes_without(self, trace, left)
	local model = self.space:model()
	for _, v in ipairs(trace:inputs()) do
		if not left[self.store:set_outside(v.name) or ""] then
			model:set(v.name, v.kind, v.width, v.value, v.high)
		end
	end
	local again <close> = runner(self):run(self.runs, model)
	return not fails_alike(again, trace)
end

-- The global that was set so that the run fails.
local function set_outside(self, trace, place)
	local all, names = {}, {}
	for _, v in ipairs(trace:inputs()) do
		local name = self.store:set_outside(v.name)
		names[#names + 1] = name and not all[name] and name or nil
		all[name or ""] = name ~= nil or nil
	end
	if not names[1] or not passes_without(self, trace, all) then
		return nil
	end
	for _, name in ipairs(names[2] and not self.blamed[place] and names or {}) do
		if passes_without(self, trace, { [name] = true }) then
			self.blamed[place] = name
			break
		end
	end
	self.blamed[place] = self.blamed[place] or names[1]
	return self.blamed[place]
end

-- Has the session so many seconds left?
local function has_left(self, seconds)
	return not self.deadline or core.now() + seconds < self.deadline
end

-- Does the run end in half the time when nothing in it is symbolic, or is there no time to try? Then it was slow
-- because of duct's own work, perhaps.
local function ends_when_fixed(self, trace)
	if not has_left(self, self.options.timeout / 2) then
		return true
	end
	local fixed <close> = core.partition()
	self.runner:within(self.options.timeout / 2, self.options.timeout)
	local again <close> = self.runner:run(self.runs, self.space:model_of(trace), fixed)
	local how = again:ended()
	self.runner:within(self.options.timeout, math.huge)
	if how == "limit" and self.improve and has_left(self, self.options.timeout) then   -- it has only so many steps
		self:build_again()
		return ends_when_fixed(self, trace)
	end
	return how ~= "timeout" and how ~= "limit"
end

-- The need (kind and name; "time": none) because of which the failure of a run is no fault of the program; nil: it is a
-- fault, or there was no failure. Once a place has a finding, other failures there are not examined. kind, failed:
-- results of trace:ended().
function earlier.excuse(self, trace, kind, failed)
	if not failed then
		return nil
	end
	local place = not self.pipes and trace:place()
	if kind == "timeout" and place and not self.found[place] then
		self.found[place] = not ends_when_fixed(self, trace)
		return not self.found[place] and "time" or nil, ""
	end
	local set = place and self.grow.state and not self.own[place] and set_outside(self, trace, place)
	if set then
		return "global", set
	end
	self.own[place or ""] = self.grow.state
	if not place or not kinds[kind] or self.found[place] then
		return nil
	end
	local name = kind ~= "bounds" and (initialiser(self, trace) or kind == "null" and setter(self, trace))
	if name then
		return "earlier", name
	end
	name = handler(self, trace)
	if name then
		return "handler", name
	end
	self.found[place] = true
	return nil
end

return earlier
