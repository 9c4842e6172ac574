-- Adds up what the judge printed, and compares it with the least that has to be covered, in percent: `concolic N`, `dft N`.
--   lua5.4 figures.lua TAP [FILE]
local programs, exercised, covered = 0, { concolic = 0, dft = 0 }, { concolic = 0, dft = 0 }
for line in io.lines(arg[1]) do
	local e, c, d = line:match("^# figures (%d+) (%S+) (%d+)")
	if e then
		programs = programs + 1
		for strategy, n in pairs { concolic = math.tointeger(c), dft = math.tointeger(d) } do   -- `-`: it had no session
			exercised[strategy] = exercised[strategy] + e
			covered[strategy] = covered[strategy] + n
		end
	end
end

local function percent(strategy)
	return exercised[strategy] > 0 and 100 * covered[strategy] / exercised[strategy] or 0
end

print(("# %d programs; their native runs take %d outcomes, of which concolic covers %.1f %%, dft %.1f %%"):format(programs,
	exercised.dft, percent("concolic"), percent("dft")))
for line in arg[2] and io.lines(arg[2]) or function() end do
	local strategy, least = line:match("^(%l+) (%S+)$")
	if strategy then
		print(("%s - %s covers at least %s %% of what native runs take (%.1f %%)"):format(
			percent(strategy) >= tonumber(least) and "ok" or "not ok", strategy, least, percent(strategy)))
	end
end
