-- The store of duct: man5 store describes it. Times are seconds; hashes are hexadecimal text.
-- application_id and user_version of the file say that it is one and in which version.

CREATE TABLE program (
	id   INTEGER PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE,      -- of the sources and the model
	name TEXT NOT NULL              -- main file
);

CREATE TABLE function (
	id      INTEGER PRIMARY KEY,
	program INTEGER NOT NULL REFERENCES program,
	unit    TEXT NOT NULL,          -- the translation unit, as in flow(5)
	hash    TEXT NOT NULL,          -- of its conditions and calls, wherever it stands
	name    TEXT NOT NULL,
	file    TEXT NOT NULL,
	line    INTEGER NOT NULL,
	last    INTEGER NOT NULL,       -- its last line
	source  TEXT NOT NULL           -- hash of the file's content, empty when it could not be read
);
CREATE INDEX function_program ON function (program, name);
CREATE INDEX function_name ON function (name, hash);

-- An outcome of a condition: an objective of branch coverage.
CREATE TABLE branch (
	id        INTEGER PRIMARY KEY,
	function  INTEGER NOT NULL REFERENCES function,
	number    INTEGER NOT NULL,     -- of the condition within its function, from 1
	side      TEXT NOT NULL,        -- true, false, case, default
	value     INTEGER,              -- of a case
	condition TEXT NOT NULL,
	file      TEXT NOT NULL,        -- of a macro's condition where the macro is used, or its argument is
	line      INTEGER NOT NULL,
	col       INTEGER NOT NULL,
	key       TEXT NOT NULL,        -- its unit, branch and outcome in flow(5)
	branch    INTEGER NOT NULL,
	outcome   INTEGER NOT NULL,
	decision  INTEGER,              -- number within its function of the && and || that it is an operand of; NULL none
	next      INTEGER NOT NULL,     -- number of the condition evaluated then; 0, -1: the decision is true, false
	region_file TEXT NOT NULL,      -- its place in llvm-cov: where a macro's definition has it; else as above
	region_line INTEGER NOT NULL,
	region_col  INTEGER NOT NULL
);
CREATE INDEX branch_function ON branch (function);

-- A def-use pair.
CREATE TABLE pair (
	id       INTEGER PRIMARY KEY,
	function INTEGER NOT NULL REFERENCES function,  -- of the definition
	rules    TEXT NOT NULL,         -- protocol and scope: what counts as one
	key      TEXT NOT NULL,         -- as in pairs(5): the same while the function is
	number   INTEGER NOT NULL,      -- its place among the pairs of the program, from 1
	variable TEXT NOT NULL,
	kind     TEXT NOT NULL,         -- c, p:true, p:false, p:case VALUE, p:default
	def_file TEXT NOT NULL,
	def_line INTEGER NOT NULL,
	def_col  INTEGER NOT NULL,
	use_file TEXT NOT NULL,
	use_line INTEGER NOT NULL,
	use_col  INTEGER NOT NULL,
	path     TEXT,                  -- lines of a shortest way on which nothing overwrites it; NULL not looked for, none
	UNIQUE (function, rules, key)
);

-- The question that a verdict answers.
CREATE TABLE question (
	id   INTEGER PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE,
	text TEXT NOT NULL              -- what was hashed, a line each
);

CREATE TABLE session (
	id        INTEGER PRIMARY KEY,
	program   INTEGER NOT NULL REFERENCES program,
	question  INTEGER NOT NULL REFERENCES question,
	strategy  TEXT NOT NULL,
	search    TEXT NOT NULL,
	entry     TEXT NOT NULL,
	seed      TEXT NOT NULL,        -- unsigned 64-bit, decimal
	plan      TEXT NOT NULL,        -- how inputs are built; empty for main
	narrowing TEXT NOT NULL,        -- what the user stated about the inputs, a line each
	started   REAL NOT NULL,        -- Unix time
	ended     TEXT,                 -- why it ended; NULL while it runs or when it was killed
	exhausted INTEGER NOT NULL DEFAULT 0,
	extra     TEXT                  -- JSON members that the strategy adds
);

CREATE TABLE parameter (
	session  INTEGER NOT NULL REFERENCES session,
	kind     TEXT NOT NULL,         -- source, flag, environment, bound, parameter, folder
	position INTEGER NOT NULL,
	value    TEXT NOT NULL,
	PRIMARY KEY (session, kind, position)
) WITHOUT ROWID;

-- Figures of a session: runs, paths, seconds, what solvers were asked.
CREATE TABLE figure (
	session INTEGER NOT NULL REFERENCES session,
	name    TEXT NOT NULL,
	value   REAL NOT NULL,
	PRIMARY KEY (session, name)
) WITHOUT ROWID;

CREATE TABLE execution (
	session      INTEGER NOT NULL REFERENCES session,
	number       INTEGER NOT NULL,  -- in the order of running, from 1
	run          INTEGER NOT NULL,  -- id of its input
	parent       INTEGER NOT NULL,  -- input that it was derived from, 0 none
	origin       TEXT NOT NULL,
	ending       TEXT NOT NULL,
	steps        INTEGER NOT NULL,
	cpu          REAL NOT NULL,
	mispredicted INTEGER NOT NULL,
	PRIMARY KEY (session, number)
) WITHOUT ROWID;

CREATE TABLE test (
	id         INTEGER PRIMARY KEY,
	session    INTEGER NOT NULL REFERENCES session,
	number     INTEGER NOT NULL,    -- from 1
	run        INTEGER NOT NULL,
	origin     TEXT NOT NULL,
	ending     TEXT NOT NULL,       -- as in trace(5)
	message    TEXT,                -- of the fault, and its place
	file       TEXT,
	line       INTEGER NOT NULL,
	status     INTEGER NOT NULL,    -- exit status
	signal     INTEGER NOT NULL,
	result     INTEGER,             -- of the entry function; NULL none
	failure    INTEGER NOT NULL,
	fresh      INTEGER NOT NULL,    -- covered something new when it ran
	output     BLOB NOT NULL,       -- standard output
	inputs     TEXT NOT NULL,       -- JSON: [[name, kind, width, hexadecimal value, offset if not 0], ...]
	branches   TEXT NOT NULL,       -- JSON: ids of the branches that it takes, of a failure in its order (store(5))
	pairs      TEXT NOT NULL,       -- and of the pairs that it covers
	ub         TEXT,                -- undefined behaviour that the run went on after: KIND at PLACE; ...
	wrote      TEXT NOT NULL DEFAULT '[]', -- inputs and globals that the entry function left other values in, like inputs
	UNIQUE (session, number)
);

-- Tests of a suite that `duct cover` recorded, in sessions of strategy cover.
CREATE TABLE suite (
	test      INTEGER PRIMARY KEY REFERENCES test,
	name      TEXT NOT NULL,
	processes INTEGER NOT NULL      -- of instrumented programs
);

-- The findings of one session about each of its objectives: the outcomes of branches, and the pairs that it watches.
CREATE TABLE objective (
	session  INTEGER NOT NULL REFERENCES session,
	kind     TEXT NOT NULL CHECK (kind IN ('branch', 'pair')),
	goal     INTEGER NOT NULL,      -- id of the branch or pair
	verdict  TEXT NOT NULL,         -- covered, infeasible, unknown
	evidence TEXT NOT NULL,
	runs     INTEGER NOT NULL,      -- that covered it
	PRIMARY KEY (session, kind, goal)
) WITHOUT ROWID;

-- Lines of a function that have code, and how many runs of a session passed each: [[line, runs], ...].
CREATE TABLE passed (
	session  INTEGER NOT NULL REFERENCES session,
	function INTEGER NOT NULL REFERENCES function,
	lines    TEXT NOT NULL,
	PRIMARY KEY (session, function)
) WITHOUT ROWID;

-- Verdicts for good: infeasible, and covered with the test that shows it.
CREATE TABLE verdict (
	question INTEGER NOT NULL REFERENCES question,
	kind     TEXT NOT NULL CHECK (kind IN ('branch', 'pair')),
	goal     INTEGER NOT NULL,      -- id of the branch or pair
	verdict  TEXT NOT NULL CHECK (verdict IN ('covered', 'infeasible')),
	evidence TEXT NOT NULL,
	session  INTEGER NOT NULL REFERENCES session,
	PRIMARY KEY (question, kind, goal)
) WITHOUT ROWID;

-- The grounds of proofs: the verdicts(5) that prove gave to one call of a session, infeasible pairs and the others.
CREATE TABLE proof (
	session  INTEGER NOT NULL REFERENCES session,
	number   INTEGER NOT NULL,      -- of the call, from 1
	verdicts TEXT NOT NULL,
	PRIMARY KEY (session, number)
) WITHOUT ROWID;

CREATE TABLE failure (
	session  INTEGER NOT NULL REFERENCES session,
	number   INTEGER NOT NULL,
	kind     TEXT NOT NULL,         -- an ending of trace(5), or a fault that the run went on after
	file     TEXT,
	line     INTEGER NOT NULL,
	function TEXT,
	message  TEXT,
	test     INTEGER NOT NULL,      -- number of the first that shows it
	count    INTEGER NOT NULL,
	PRIMARY KEY (session, number)
) WITHOUT ROWID;

-- Where a fault was looked for.
CREATE TABLE place (
	session  INTEGER NOT NULL REFERENCES session,
	number   INTEGER NOT NULL,      -- in the order of the program, from 1
	kind     TEXT NOT NULL,         -- as --check names it
	function TEXT NOT NULL,
	file     TEXT NOT NULL,
	line     INTEGER NOT NULL,
	col      INTEGER NOT NULL,
	verdict  TEXT NOT NULL,         -- found, safe, unknown; share: safe on all paths of a share
	test     INTEGER NOT NULL,      -- number of the first that shows it, 0 none
	runs     INTEGER NOT NULL,      -- that showed it
	PRIMARY KEY (session, number)
) WITHOUT ROWID;

-- A place that control may come to, as an objective: a call of an error function, a label, what --target names.
CREATE TABLE target (
	session   INTEGER NOT NULL REFERENCES session,
	number    INTEGER NOT NULL,     -- in the order of the program, from 1
	criterion TEXT NOT NULL,        -- error, label, target, function, statement
	name      TEXT NOT NULL,        -- abort, assert, reach_error, ERROR, ...; of a label its own
	function  TEXT NOT NULL,
	file      TEXT NOT NULL,
	line      INTEGER NOT NULL,
	col       INTEGER NOT NULL,
	ways      TEXT,                 -- JSON: ids of branches, one of which every run takes that comes there; NULL not known
	test      INTEGER NOT NULL,     -- number of the first that comes there, 0 none
	runs      INTEGER NOT NULL,     -- that came there
	PRIMARY KEY (session, number)
) WITHOUT ROWID;

-- Verdicts of proofs about objectives beside branches and pairs: of a place, a target, or conditions of a decision that come out
-- so in one evaluation.
CREATE TABLE proved (
	session  INTEGER NOT NULL REFERENCES session,
	place    INTEGER NOT NULL,      -- its number, 0 none
	target   INTEGER NOT NULL,      -- its number, 0 none
	outcomes TEXT NOT NULL,         -- JSON: ids of branches, one after the other; empty: none
	verdict  TEXT NOT NULL CHECK (verdict IN ('infeasible', 'unknown')),
	evidence TEXT NOT NULL,
	PRIMARY KEY (session, place, target, outcomes)
) WITHOUT ROWID;

-- Why a person accepts that an objective is not covered.
CREATE TABLE justification (
	objective TEXT PRIMARY KEY,     -- its name in the traceability table
	text      TEXT NOT NULL,
	made      REAL NOT NULL         -- Unix time
) WITHOUT ROWID;

CREATE TABLE lost (
	session INTEGER NOT NULL REFERENCES session,
	number  INTEGER NOT NULL,
	reason  TEXT NOT NULL,
	file    TEXT,
	line    INTEGER NOT NULL,
	count   INTEGER NOT NULL,
	PRIMARY KEY (session, number)
) WITHOUT ROWID;

-- Limits of duct's own: of the plan, or touched by runs since they were widened last.
CREATE TABLE touched (
	session INTEGER NOT NULL REFERENCES session,
	number  INTEGER NOT NULL,
	kind    TEXT NOT NULL,          -- as in trace(5)
	name    TEXT NOT NULL,
	value   INTEGER NOT NULL,       -- what the limit is
	runs    INTEGER NOT NULL,       -- that touched it; 0: it is one of the plan
	PRIMARY KEY (session, number)
) WITHOUT ROWID;

-- Needs: conditions that functions expect their callers to meet, an entry a place.
CREATE TABLE need (
	session  INTEGER NOT NULL REFERENCES session,
	number   INTEGER NOT NULL,
	kind     TEXT NOT NULL,         -- as in trace(5)
	name     TEXT NOT NULL,
	value    INTEGER NOT NULL,
	function TEXT,
	file     TEXT,
	line     INTEGER NOT NULL,
	test     INTEGER NOT NULL,      -- number of the test, when it is a finding; else 0
	count    INTEGER NOT NULL,      -- runs that ended so
	PRIMARY KEY (session, number)
) WITHOUT ROWID;

-- Inputs of tests, a row a value.
CREATE VIEW input AS
	SELECT test.id AS test, test.session, test.number, e.key AS position,
	       json_extract(e.value, '$[0]') AS name, json_extract(e.value, '$[1]') AS kind,
	       json_extract(e.value, '$[2]') AS width, json_extract(e.value, '$[3]') AS value
	FROM test, json_each(test.inputs) AS e;

-- Which branches a test takes.
CREATE VIEW coverage AS
	SELECT test.id AS test, test.session, test.number, e.value AS branch
	FROM test, json_each(test.branches) AS e;

-- Which pairs a test covers.
CREATE VIEW pair_coverage AS
	SELECT test.id AS test, test.session, test.number, e.value AS pair
	FROM test, json_each(test.pairs) AS e;
