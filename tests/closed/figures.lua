-- Adds up what the judge printed, and compares it with the least that has to be covered, in percent: `concolic N`, `dft N`.
--   lua5.4 figures.lua TAP [FILE]
local exercised, covered, programs = 0, { concolic = 0, dft = 0 }, 0
for line in io.lines(arg[1]) do
	local e, c, d = line:match("^# figures (%d+) (%d+) (%d+)")
	if e then
		programs = programs + 1
		exercised = exercised + e
		covered.concolic = covered.concolic + c
		covered.dft = covered.dft + d
	end
end

local function percent(strategy)
	return exercised > 0 and 100 * covered[strategy] / exercised or 0
end

print(("# %d programs; their native runs take %d outcomes, of which concolic covers %.1f %%, dft %.1f %%"):format(programs,
	exercised, percent("concolic"), percent("dft")))
for line in arg[2] and io.lines(arg[2]) or function() end do
	local strategy, least = line:match("^(%l+) (%S+)$")
	if strategy then
		print(("%s - %s covers at least %s %% of what native runs take (%.1f %%)"):format(
			percent(strategy) >= tonumber(least) and "ok" or "not ok", strategy, least, percent(strategy)))
	end
end
