-- madeup: makes stores of recorded suites from given data, without running them.
local tap = require "tap"
local made = 0

-- A store with tests that cover these branches and pairs: { { branch... }, { pair... } } each; its path. `file`: the
-- source that it is of.
return function(tests, branches, pairs, file)
	made = made + 1
	local path, sql = "s" .. made .. ".db", { tap.slurp(tap.root .. "/share/schema.sql"), "BEGIN;",
		"PRAGMA application_id = 1685414772; PRAGMA user_version = 11;",
		"INSERT INTO program VALUES (1, 'h', 'x.c'); INSERT INTO question VALUES (1, 'q', '');",
		"INSERT INTO function VALUES (1, 1, 'x.c', 'f', 'f', 'x.c', 1, 5, '');",
		"INSERT INTO session (id, program, question, strategy, search, entry, seed, plan, narrowing, started)"
		.. " VALUES (1, 1, 1, 'cover', '', 'main', '0', '', '', 1);",
		("INSERT INTO parameter VALUES (1, 'folder', 1, '%s');"):format(file and file:match("^(.*)/") or "/nowhere") }
	local name = file and file:match("[^/]+$") or "x.c"
	local function add(text, ...) sql[#sql + 1] = text:format(...) end
	local hit = { {}, {} }
	for _, t in ipairs(tests) do
		for kind = 1, 2 do for _, k in ipairs(t[kind]) do hit[kind][k] = (hit[kind][k] or 0) + 1 end end
	end
	for i = 1, branches do
		add("INSERT INTO branch VALUES (%d, 1, %d, '%s', NULL, 'x < %d', '%s', %d, 3, 'x.c', %d, %d, NULL, 0, '%s', %d, 3);",
			i, (i + 1) // 2, i % 2 == 1 and "true" or "false", i, name, (i + 1) // 2, (i + 1) // 2, i - 1, name, (i + 1) // 2)
		add("INSERT INTO objective VALUES (1, 'branch', %d, '%s', '%s', %d);", i, hit[1][i] and "covered" or "unknown",
			hit[1][i] and "suite: some" or "", hit[1][i] or 0)
	end
	for i = 1, pairs do
		add("INSERT INTO pair VALUES (%d, 1, 'default intra', '%016x', %d, 'v%d', 'c', '%s', %d, 1, '%s', %d, 2, '%d-%d');",
			i, i, i, i % 50, name, i % 900 + 1, name, i % 1000 + 1, i % 900 + 1, i % 900 + 3)
		add("INSERT INTO objective VALUES (1, 'pair', %d, '%s', '%s', %d);", i, hit[2][i] and "covered" or "unknown",
			hit[2][i] and "suite: some" or "", hit[2][i] or 0)
	end
	for i, t in ipairs(tests) do
		add("INSERT INTO test (id, session, number, run, origin, ending, line, status, signal, failure, fresh, output,"
			.. " inputs, pairs, branches) VALUES (%d, 1, %d, %d, 'suite', 'exit', 0, 0, 0, 0, 0, '', '[]', '[%s]', '[%s]');",
			i, i, i, table.concat(t[2], ","), table.concat(t[1], ","))
		add("INSERT INTO suite VALUES (%d, 'test <%d>', 1);", i, i)
	end
	sql[#sql + 1] = "COMMIT;"
	tap.spit("sql", table.concat(sql, "\n"))
	local status, _, err = tap.run(("rm -f %s && sqlite3 %s <sql"):format(path, path))
	if status ~= 0 then error(err) end
	return path
end
