-- The tables of tests/bench/dft from its lines: program, search, pair/seed, covered, CPU seconds, queries, paths.
local programs, searches, rows, shared = {}, {}, {}, {}

for line in io.lines(arg[1]) do
	local program, search, pair, covered, cpu, asked, paths = line:match(("([^\t]*)\t"):rep(6) .. "([^\t]*)")
	local r = { covered = tonumber(covered), cpu = tonumber(cpu), asked = tonumber(asked), paths = tonumber(paths) }
	if not rows[program] then
		rows[program] = {}
		programs[#programs + 1] = program
	end
	if search == "shared" then
		local part = pair:match("^%a+")                 -- last, end
		shared[program] = shared[program] or {}
		local s = shared[program][part] or { covered = 0, cpu = 0, asked = 0, paths = 0 }
		shared[program][part] = s
		for key, value in pairs(r) do s[key] = s[key] + value end
	else
		if not rows[program][search] then rows[program][search] = { sum = { covered = 0, cpu = 0, asked = 0, paths = 0 } } end
		if not searches[search] then
			searches[search] = true
			searches[#searches + 1] = search
		end
		local s = rows[program][search]
		s[pair] = r
		for key, value in pairs(s.sum) do s.sum[key] = value + r[key] end
	end
end

-- The value at a share of a sorted list, between its neighbours.
local function quantile(list, share)
	local at = 1 + (#list - 1) * share
	local low = math.floor(at)
	return list[low] + (at - low) * ((list[low + 1] or list[low]) - list[low])
end

local function spread(s)
	local list = {}
	for pair, r in pairs(s) do
		if pair ~= "sum" and r.covered == 1 then list[#list + 1] = r.cpu end
	end
	if #list == 0 then return "-" end
	table.sort(list)
	return ("%.1f (%.1f)"):format(1000 * quantile(list, 0.5), 500 * (quantile(list, 0.75) - quantile(list, 0.25)))
end

-- How likely a pair took b longer than a (Vargha, Delaney), over all pairs that both covered.
local function a12(a, b)
	local wins = 0
	for _, x in ipairs(a) do
		for _, y in ipairs(b) do wins = wins + (y > x and 1 or y == x and 0.5 or 0) end
	end
	return wins / (#a * #b)
end

-- Two-sided p of Wilcoxon's signed-rank test, by the normal approximation with ties.
local function wilcoxon(a, b)
	local d = {}
	for i = 1, #a do
		if a[i] ~= b[i] then d[#d + 1] = b[i] - a[i] end
	end
	table.sort(d, function(x, y) return math.abs(x) < math.abs(y) end)
	local plus, ties, i, n = 0, 0, 1, #d
	while i <= n do
		local k = i
		while k < n and math.abs(d[k + 1]) == math.abs(d[i]) do k = k + 1 end
		for m = i, k do plus = plus + (d[m] > 0 and (i + k) / 2 or 0) end
		ties = ties + (k - i + 1) ^ 3 - (k - i + 1)
		i = k + 1
	end
	if n < 6 then return 1 end
	local z = (math.abs(plus - n * (n + 1) / 4) - 0.5) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
	if z < 0 then return 1 end
	local t = 1 / (1 + 0.2316419 * z)              -- Abramowitz and Stegun, 26.2.17
	local tail = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
		* t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
	return math.min(1, 2 * tail)
end

print("each pair on its own: pairs covered; CPU of those, median (semi-interquartile range) in ms; queries and paths of all")
print(("%-12s %-9s %14s %18s %9s %9s %9s"):format("program", "search", "covered", "CPU ms", "CPU s", "queries", "paths"))
local total = {}
for _, program in ipairs(programs) do
	for _, search in ipairs(searches) do
		local s = rows[program][search]
		if s then
			local n = 0
			for pair in pairs(s) do n = n + (pair ~= "sum" and 1 or 0) end
			print(("%-12s %-9s %7d of %3d %18s %9.2f %9d %9d"):format(program, search, s.sum.covered, n, spread(s), s.sum.cpu,
				s.sum.asked, s.sum.paths))
			local t = total[search] or { covered = 0, cpu = 0, asked = 0, paths = 0 }
			total[search] = t
			for key, value in pairs(s.sum) do t[key] = t[key] + value end
		end
	end
end
for _, search in ipairs(searches) do
	local t = total[search]
	print(("%-12s %-9s %14d %18s %9.2f %9d %9d"):format("all", search, t.covered, "", t.cpu, t.asked, t.paths))
end

local saved = {}                                  -- share of CPU, by search
print("\ncpgs against another, on pairs that both cover: CPU saved, A12 (over 0.5: cpgs is faster), Wilcoxon's p")
for _, search in ipairs(searches) do
	local a, b, x, y = {}, {}, 0, 0
	for _, program in ipairs(programs) do
		for pair, r in pairs(rows[program].cpgs or {}) do
			local other = (rows[program][search] or {})[pair]
			if pair ~= "sum" and r.covered == 1 and other and other.covered == 1 then
				a[#a + 1], b[#b + 1] = r.cpu, other.cpu
				x, y = x + r.cpu, y + other.cpu
			end
		end
	end
	if search ~= "cpgs" and #a > 0 then
		saved[search] = 1 - x / y
		print(("%-9s %4d pairs %7.1f %% %6.2f  p = %.4f"):format(search, #a, 100 * (1 - x / y), a12(a, b), wilcoxon(a, b)))
	end
end

-- The target, and what leaves no room for it.
local best, dearest
for _, search in ipairs(searches) do
	if search ~= "cpgs" then
		best = (not best or total[search].covered > total[best].covered) and search or best
		dearest = saved[search] and (not dearest or saved[search] < saved[dearest]) and search or dearest
	end
end
local function verdict(is, wanted)
	return is >= wanted and "met" or "missed"
end
if best and total.cpgs then
	local more = total.cpgs.covered / math.max(1, total[best].covered) - 1
	print(("\ntarget: 12 %% more pairs than the best other, %s: %.1f %%, %s"):format(best, 100 * more, verdict(more, 0.12)))
	if dearest then
		print(("target: 15 %% less CPU than the best other, %s: %.1f %%, %s"):format(dearest, 100 * saved[dearest],
			verdict(saved[dearest], 0.15)))
	end
	local alike, easy, covered = {}, 0, 0
	for _, program in ipairs(programs) do
		local same = true
		for _, search in ipairs(searches) do
			local s = rows[program][search]
			same = same and s and s.sum.covered == rows[program].cpgs.sum.covered
		end
		alike[#alike + 1] = same and program or nil
		for pair, r in pairs(rows[program].cpgs or {}) do
			if pair ~= "sum" and r.covered == 1 then
				covered, easy = covered + 1, easy + (r.paths <= 3 and 1 or 0)
			end
		end
	end
	print(("%d of %d pairs that cpgs covers take it 3 runs or fewer; as many are covered by every search in: %s"):format(easy,
		covered, #alike > 0 and table.concat(alike, " ") or "none"))
end

-- Pairs that no search covers in so many runs: on the others every search is equally good.
local easy_runs = 3
local hard = {}                                   -- program, pair/seed
for _, program in ipairs(programs) do
	local is_easy = {}
	for _, search in ipairs(searches) do
		for pair, r in pairs(rows[program][search] or {}) do
			if pair ~= "sum" then
				is_easy[pair] = is_easy[pair] or r.covered == 1 and r.paths <= easy_runs
			end
		end
	end
	for pair, easy in pairs(is_easy) do
		if not easy then hard[#hard + 1] = { program, pair } end
	end
end
print(("\nhard pairs: the %d that no search covers in %d runs; CPU seconds, queries and paths of all of them; below, cpgs saves"):format(
	#hard, easy_runs))
print(("%-28s %9s %9s %9s %9s %14s %9s"):format("search", "covered", "CPU s", "queries", "paths", "more covered", "CPU less"))
local sums = {}
for _, search in ipairs(searches) do
	local t = { covered = 0, cpu = 0, asked = 0, paths = 0 }
	sums[search] = t
	for _, h in ipairs(hard) do
		local r = (rows[h[1]][search] or {})[h[2]]
		for key, value in pairs(t) do t[key] = value + (r and r[key] or 0) end
	end
end
for _, search in ipairs(searches) do
	local t, c = sums[search], sums.cpgs
	print(("%-28s %9d %9.2f %9d %9d %14s %9s"):format(search, t.covered, t.cpu, t.asked, t.paths,
		c and c ~= t and ("%+.1f %%"):format(100 * (c.covered / math.max(1, t.covered) - 1)) or "",
		c and c ~= t and ("%.1f %%"):format(100 * (1 - c.cpu / t.cpu)) or ""))
end

print([[

one session for all pairs, against cpgs pair by pair
to last: until the session covered its last pair, to those pairs alone that pair by pair covered
in all: until the session ended, to all pairs, with those that were not covered; the session has the limits of all
pairs together, so one pair that nobody covers may take them all]])
print(("%-12s %14s %20s %20s %18s %18s"):format("program", "covered", "CPU s to last", "CPU s in all", "queries to last",
	"paths to last"))
for _, program in ipairs(programs) do
	local s, cpgs, one = shared[program], rows[program].cpgs, { covered = 0, cpu = 0, asked = 0, paths = 0 }
	for pair, r in pairs(cpgs or {}) do
		if pair ~= "sum" and r.covered == 1 then
			for key, value in pairs(r) do one[key] = one[key] + value end
		end
	end
	if s and cpgs then
		print(("%-12s %5d to %-5d %8.3f to %-8.3f %8.3f to %-8.3f %7d to %-7d %7d to %d"):format(program, s.last.covered,
			one.covered, s.last.cpu, one.cpu, s["end"].cpu, cpgs.sum.cpu, s.last.asked, one.asked, s.last.paths, one.paths))
	end
end
