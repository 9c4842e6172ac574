-- events: queries on the list of events of a run, which space:events makes.
local events = {}

-- outcomes of `asked`; concrete: executed because nothing that the call reads is symbolic
events.real, events.replaced, events.concrete = 0, 1, 2
local replaced = events.replaced

-- Outcomes of the program's conditions from event `first` on, in order, without those inside calls.
function events.outcomes(run, first)
	local list, inside = {}, 0
	for i = first, #run do
		local e = run[i]
		if e.kind == "asked" then
			inside = inside + (e.outcome == replaced and 0 or 1)
		elseif e.kind == "return" then
			inside = math.max(inside - 1, 0)
		elseif e.kind == "branch" and inside == 0 then
			list[#list + 1] = e
		end
	end
	return list
end

-- Events of the outermost calls.
function events.calls(run)
	local list, inside = {}, 0
	for _, e in ipairs(run) do
		if e.kind == "asked" then
			list[#list + 1] = inside == 0 and e or nil
			inside = inside + (e.outcome == replaced and 0 or 1)
		elseif e.kind == "return" then
			inside = math.max(inside - 1, 0)
		end
	end
	return list
end

function events.key(list)
	local text = {}
	for i, e in ipairs(list) do
		text[i] = e.site .. ":" .. e.outcome
	end
	return table.concat(text, " ")
end

return events
