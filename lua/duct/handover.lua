-- handover: load balancing between the shares of --jobs: a share with much work gives branches to idle shares.
--   handover.give(session)     if a share is idle: solves the branch that has been open longest, and gives it away with
--                              all paths below it, as an input and the prefix of its path
--   handover.take(session)     takes over such a branch and returns its first path, in a new tree; nil when no work is
--                              left
-- If no process takes a branch that was given, or its input takes another path, the session is not exhausted: the store
-- counts branches given and taken (store_join).
local values = require "duct.values"

local handover = {}

local pause = 0.01                                    -- seconds
local form = "<I4i8"                                  -- conditions before it, prefix

local function packed(space, model, depth, prefix)
	local list = {}
	for _, v in ipairs(space:variables()) do
		v.low, v.high = model:get(v.name)
		list[#list + 1] = v.low and v or nil
	end
	return form:pack(depth, prefix) .. values.pack(list)
end

local function unpacked(space, text)
	local depth, prefix, at = form:unpack(text)
	return values.into(space:model(), (values.unpack(text, at))), depth, prefix
end

-- Not with partial path constraints: an input may then leave the path to its branch.
local function pool_of(session)
	return session.shared and not session.options.partial and session.options.pool
end

function handover.give(session)
	local pool, space = pool_of(session), session.space
	if not pool or space:pending() < 2 or not pool:hungry() then
		return
	end
	local branch, depth, prefix = space:oldest()
	local model = branch and session:solve(branch)
	if model and space:open(branch) and pool:give(packed(space, model, depth, prefix)) then
		space:give(branch)
		session.gave = session.gave + 1
	end
end

-- Starts on a branch taken over. A session that was not exhausted before stays so.
local function begin(session, text)
	session.doubtful = not session:all_within()
	session.adopted = session.adopted + 1
	local guided = session.guides
	session:fresh()
	if guided then
		session:guide()                           -- before the first run, which it has to see
	end
	local model, depth, prefix = unpacked(session.space, text)
	local path = session:run(model, nil, "solved")
	if not session.space:take_over(depth, prefix) then
		session.mispredicted = session.mispredicted + 1
	end
	session:drop_closed(path)
	return path
end

function handover.take(session)
	local pool = pool_of(session)
	while pool and not session:over() do
		local text = pool:take(pause)
		if text then
			return begin(session, text)
		elseif pool:alone() then
			break
		end
		session:tick()
	end
	if pool then
		pool:leave()
	end
end

return handover
