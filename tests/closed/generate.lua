-- Programs for the judge whose sizes, depths, hidden state and environment are drawn: the same for the same number.
--   lua5.4 generate.lua FIRST LAST FOLDER      writes FOLDER/gen_N.c
-- Two of three are functions of drawn parameters (strings, arrays, lists, trees, pointers that may alias, callbacks) with
-- drawn conditions on them and on state; the native driver calls them over drawn inputs up to three times as large as the
-- largest bound. The third is a main with drawn questions to arguments, stdin, environment and files, and twelve drawn runs.
local first, last, folder = tonumber(arg[1]), tonumber(arg[2]), arg[3]

local state
local function draw(low, high)
	state = (state * 6364136223846793005 + 1442695040888963407)
	return low + (state >> 33) % (high - low + 1)
end
local function pick(list)
	return list[draw(1, #list)]
end

local words = { "start", "stop", "verbose", "quit", "a", "--", "yes", "the-longest-word-here", "0x10", "none" }

-- A part is made for the n-th place of a program: parameters, declarations of the file, lines of the body, what the driver
-- passes. In text, N is the number of the part, B, C and K are drawn numbers.
local function fill(text, n, drawn)
	return (text:gsub("%$(%u)", function(c) return c == "N" and tostring(n) or tostring(drawn[c]) end))
end

local parts = {}

local function part(p)
	parts[#parts + 1] = p
end

-- strings
part { parameter = "const char *s$N", pass = "text(3 * $B, \"$W\")", body = [[
	if (strlen(s$N) > $B)
		r += 1;]] }
part { parameter = "const char *s$N", pass = "maybe(text(3 * $B, \"$W\"))", body = [[
	if (!s$N)
		return -1;
	if (strcmp(s$N, "$W") == 0)
		r += 2;]] }
part { parameter = "const char *s$N", pass = "text(4 * $B + 4, \"$W\")", declare = "", body = [[
	n = 0;
	for (int i = 0; s$N[i]; i++) {
		if (s$N[i] == '$L')
			n++;
	}
	if (n > $C)
		r += 4;]] }
part { parameter = "char *s$N", pass = "text(5 * $C + 5, \"$W\")", body = [[
	n = 0;
	for (char *w = strtok(s$N, "$L"); w; w = strtok(0, "$L"))
		n++;
	if (n > $C)
		r += 8;]] }
-- arrays
part { parameter = "const int *a$N, int n$N", pass = "numbers(90, $K), $S", size = "below(3 * $B + 1)", body = [[
	n = 0;
	for (int i = 0; i < n$N; i++)
		n += a$N[i] == $K;
	if (n > $C)
		r += 16;
	if (n$N > $B)
		r += 32;]] }
part { parameter = "const int *a$N, unsigned n$N", pass = "numbers(90, $K), $S", size = "below(3 * $B + 1)", body = [[
	for (unsigned i = 0; i + 1 < n$N; i++) {
		if (a$N[i] == $K && a$N[i + 1] == $K)
			return i > $C ? 1 : 2;
	}
	if (n$N > 0 && a$N[n$N - 1] == $K)
		r += 64;]] }
part { parameter = "const void *b$N, size_t n$N", pass = "numbers(90, $K), $S", size = "(size_t)below(16)", declare = [[
struct head$N { int kind; short length; unsigned char rest[10]; };]], body = [[
	if (n$N >= sizeof(struct head$N)) {
		struct head$N h;

		memcpy(&h, b$N, sizeof h);
		if (h.kind == $K)
			r += 3;
	}]], }
-- lists and trees
part { parameter = "struct node *l$N", pass = "list(3 * $D, $K)", needs = "node", body = [[
	n = 0;
	for (struct node *p = l$N; p; p = p->next)
		n++;
	if (n > $D)
		r += 5;
	if (n == 0)
		r += 6;]] }
part { parameter = "struct node *l$N, int **o$N", pass = "list(3 * $D, $K), maybe_out()", needs = "node", body = [[
	for (struct node *p = l$N; p; p = p->next) {
		if (p->v == $K) {
			if (o$N)
				*o$N = &p->v;
			r += 7;
			break;
		}
	}]] }
part { parameter = "struct node *l$N", pass = "ring(2 * $D)", needs = "node", body = [[
	struct node *slow$N = l$N, *fast$N = l$N;

	while (fast$N && fast$N->next) {
		slow$N = slow$N->next;
		fast$N = fast$N->next->next;
		if (slow$N == fast$N)
			return 9;
	}]] }
part { parameter = "struct tree *t$N", pass = "tree(2 * $D)", needs = "tree", body = [[
	if (depth(t$N) > $D)
		r += 10;
	if (t$N && t$N->left && t$N->left == t$N->right)
		r += 11;]] }
-- aliasing
part { parameter = "int *p$N, int *q$N", pass = "cell(0), cell(1)", body = [[
	*p$N = $K;
	*q$N = $K + 1;
	if (*p$N != $K)
		r += 12;]] }
part { parameter = "int *p$N, struct pair *q$N", pass = "cell(0), (struct pair *)cell(0)", declare = "", needs = "pair", body = [[
	q$N->b = 0;
	*p$N = $K;
	if (q$N->b == $K)
		r += 13;]] }
-- state
part { parameter = "int x$N", pass = "below(20)", declare = "static int calls$N;", body = [[
	calls$N++;
	if (calls$N > $C)
		r += 14;
	if (x$N == $K)
		r += 15;]] }
part { parameter = "int x$N", pass = "below(8)", declare = "static int mode$N = 1;", body = [[
	if (mode$N == 3)
		r += 17;
	if (x$N == mode$N)
		mode$N++;]] }
part { parameter = "int x$N", pass = "below(12)", declare = "static int last$N, stack$N[8], top$N;", body = [[
	if (x$N > 5 && top$N < 8)
		stack$N[top$N++] = x$N;
	else if (top$N > 0 && x$N == stack$N[top$N - 1])
		top$N--;
	if (top$N == 4)
		r += 18;
	last$N = x$N;]] }
-- hidden state, environment
part { parameter = "unsigned x$N", pass = "(unsigned)below(9)", body = [[
	srand(x$N);
	if (rand() % $D == 1)
		r += 19;]] }
part { parameter = "int x$N", pass = "below(9)", body = [[
	if (rand() % 3 == x$N)
		r += 20;]] }
part { parameter = "int x$N", pass = "below(9)", body = [[
	const char *e$N = getenv("GEN_$N");

	if (e$N && atoi(e$N) > $B)
		r += 21;
	if (e$N && !*e$N)
		r += 22;]], before = [[
	if (below(2))
		setenv("GEN_$N", below(3) ? number(3 * $B) : "", 1);]] }
part { parameter = "long x$N", pass = "below(3)", body = [[
	if (time(0) > x$N)
		r += 23;]] }
-- callbacks
part { parameter = "int (*f$N)(int)", pass = "callback()", body = [[
	if (!f$N)
		return -2;
	if (f$N($K) > $B)
		r += 24;
	if (f$N(1) != f$N(1))
		r += 25;]] }
-- faults, arithmetic, uninitialised values
part { parameter = "int x$N, int y$N", pass = "below(9), below(9)", body = [[
	n = $K / (x$N - $C % 9);
	if (n == $K)
		r += 26;
	if (y$N % 5 == 3)
		r += 27;]] }
part { parameter = "int x$N", pass = "below(6)", body = [[
	int u$N[4];

	if (x$N < 4)
		u$N[x$N] = $K;
	if (u$N[$D % 4] == $K)
		r += 28;]] }
part { parameter = "unsigned x$N", pass = "(unsigned)(below(4000) * 4093)", body = [[
	for (n = 0; x$N; x$N >>= 1)
		n += x$N & 1;
	if (n > $D)
		r += 29;]] }

local kinds = {
	node = "struct node { int v; struct node *next; };\n",
	pair = "struct pair { int a, b; };\n",
	tree = [[
struct tree { struct tree *left, *right; };

static int
depth(const struct tree *t)
{
	if (!t)
		return 0;
	int l = depth(t->left), r = depth(t->right);

	return (l > r ? l : r) + 1;
}
]],
}

-- What drivers build inputs from; types of this program alone.
local driver = [[
#include "native.h"
static unsigned long long seed = $SEED;
static int
below(int n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return n > 0 ? (int)((seed >> 33) % (unsigned)n) : 0;
}
__attribute__((unused)) static char *
text(int most, const char *word)
{
	int n = below(most + 1);
	char *s = calloc(1, (size_t)n + 1);

	if (below(4) == 0)
		return strdup(word);
	for (int i = 0; i < n; i++)
		s[i] = "abL,x"[below(5)];
	for (int i = 0; i < n; i++)
		if (s[i] == 'L')
			s[i] = '$L';
	return s;
}
__attribute__((unused)) static char *maybe(char *s) { return below(5) ? s : NULL; }
__attribute__((unused)) static char *number(int most) { char *s = malloc(12); sprintf(s, "%d", below(most)); return s; }
__attribute__((unused)) static int *
numbers(int n, int special)
{
	int *a = calloc((size_t)n, sizeof *a), density = 1 + below(9);

	for (int i = 0; i < n; i++)
		a[i] = below(density) ? below(100) - 50 : special;
	return a;
}
__attribute__((unused)) static int cells[4];
__attribute__((unused)) static int *cell(int i) { return &cells[below(2) ? i : below(2)]; }
__attribute__((unused)) static int *out;
__attribute__((unused)) static int **maybe_out(void) { return below(2) ? &out : NULL; }
static int calls;
static int zero(int x) { return 0 * x; }
static int same(int x) { return x; }
static int large(int x) { return 1000 + x; }
static int count(int x) { return x + calls++; }
__attribute__((unused)) static int (*callback(void))(int)
{
	int (*all[])(int) = { NULL, zero, same, large, count };
	return all[below(5)];
}
]]
local builders = {
	node = [[
__attribute__((unused)) static struct node *
list(int most, int special)
{
	struct node *l = NULL;

	for (int n = below(most + 1); n > 0; n--) {
		struct node *p = malloc(sizeof *p);

		*p = (struct node){ below(3) ? below(50) : special, l };
		l = p;
	}
	return l;
}
__attribute__((unused)) static struct node *
ring(int most)
{
	struct node *l = list(most, 0), *p = l;

	while (p && p->next)
		p = p->next;
	if (p && below(2))
		p->next = below(2) ? l : p;
	return l;
}
]], pair = "", tree = [[
static struct tree *
tree(int most)
{
	struct tree *t;

	if (most == 0 || below(7) == 0)
		return NULL;
	t = malloc(sizeof *t);
	t->left = tree(most - 1);
	t->right = below(5) ? below(2) ? tree(most > 2 ? 2 : 0) : NULL : t->left;
	return t;
}
]],
}

local includes = "#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\n"

local function numbers()
	return { B = pick { 2, 5, 9, 17, 20, 29 }, C = draw(1, 7), D = draw(2, 6), K = pick { 7, 42, 77, -5, 100000 },
		L = pick { "L", ",", "x", "z" }, W = pick(words) }
end

local function a_function(number)
	local needs, declared, parameters, bodies, passed, before = {}, {}, {}, {}, {}, {}
	local letter = pick { "z", "," }
	for n = 1, draw(1, 3) do
		local p, drawn = pick(parts), numbers()
		drawn.L, drawn.S = letter, ""
		drawn.S = p.size and fill(p.size, n, drawn) or ""
		parameters[n] = fill(p.parameter, n, drawn)
		passed[n] = fill(p.pass, n, drawn)
		bodies[n] = fill(p.body, n, drawn)
		declared[n] = p.declare and p.declare ~= "" and fill(p.declare, n, drawn) .. "\n" or ""
		before[n] = p.before and fill(p.before, n, drawn) .. "\n" or ""
		if p.needs then
			needs[p.needs] = true
		end
	end
	local types, makers = "", ""
	for _, name in ipairs { "node", "pair", "tree" } do
		types = types .. (needs[name] and kinds[name] or "")
		makers = makers .. (needs[name] and builders[name] or "")
	end
	return ("/* entry: f\n * class: generated\n * faults: yes\n */\n%s%s%s\nint\nf(%s)\n{\n\tint r = 0, n = 0;\n\n%s\n\treturn r + n;\n}\n")
		:format(includes, types, table.concat(declared), table.concat(parameters, ", "), table.concat(bodies, "\n"))
		.. "\n#ifdef NATIVE\n" .. driver:gsub("%$SEED", tostring(number)):gsub("%$L", letter) .. makers
		.. ("int\nmain(void)\n{\n\tfor (int i = 0; i < 60; i++) {\n\t\tseed += 7;\n%s\t\tTRY({ dirty(below(3) * 85); for (int j = below(12); j >= 0; j--) f(%s); });\n\t}\n\treturn 0;\n}\n#endif\n")
		:format(table.concat(before), table.concat(passed, ", "))
end

-- Questions of a main: text, and what a run may have for it: a function that adds to { env =, args =, stdin =, files = }.
local questions = {
	function(n)
		local b = draw(1, 6)
		return ("\tif (argc > %d)\n\t\tr += 1;\n"):format(b), function(run) for _ = 1, draw(0, b + 2) do run.args[#run.args + 1] = pick(words) end end
	end,
	function(n)
		local i, b = draw(1, 3), pick { 3, 9, 17, 30 }
		return ("\tif (argc > %d && strlen(argv[%d]) > %d)\n\t\tr += 2;\n"):format(i, i, b),
			function(run) for _ = 1, i do run.args[#run.args + 1] = ("x"):rep(draw(1, 3 * b)) end end
	end,
	function(n)
		local i, w = draw(1, 3), pick(words)
		return ("\tif (argc > %d && strcmp(argv[%d], \"%s\") == 0)\n\t\tr += 3;\n"):format(i, i, w),
			function(run) for _ = 1, i do run.args[#run.args + 1] = draw(1, 2) == 1 and w or pick(words) end end
	end,
	function(n)
		local b = pick { 3, 17, 99 }
		return ("\tconst char *e%d = getenv(\"GEN_%d\");\n\n\tif (e%d && atoi(e%d) > %d)\n\t\tr += 4;\n\tif (e%d && strlen(e%d) > %d)\n\t\tr += 5;\n")
			:format(n, n, n, n, b, n, n, b), function(run)
				if draw(1, 3) > 1 then run.env[#run.env + 1] = ("GEN_%d=%s"):format(n, draw(1, 2) == 1 and draw(0, 3 * b) or ("y"):rep(draw(0, 2 * b))) end
			end
	end,
	function(n)
		local b = pick { 2, 9, 20, 40 }
		return ("\tint c%d, n%d = 0;\n\n\twhile ((c%d = getchar()) != EOF) {\n\t\tif (c%d == '\\n')\n\t\t\tbreak;\n\t\tn%d++;\n\t}\n\tif (n%d > %d)\n\t\tr += 6;\n")
			:format(n, n, n, n, n, n, b), function(run) run.stdin = run.stdin .. ("q"):rep(draw(0, 2 * b)) .. (draw(1, 3) > 1 and "\\n" or "") end
	end,
	function(n)
		local w = pick(words)
		return ("\tchar l%d[64];\n\n\tif (fgets(l%d, sizeof l%d, stdin) && strcmp(l%d, \"%s\\n\") == 0)\n\t\tr += 7;\n"):format(n, n, n, n, w),
			function(run) run.stdin = run.stdin .. (draw(1, 2) == 1 and w or pick(words)):gsub("^%-", "\\055") .. "\\n" end
	end,
	function(n)
		local b = pick { 0, 4, 20 }
		return ("\tFILE *f%d = fopen(\"file%d\", \"r\");\n\tint k%d = 0;\n\n\tif (f%d) {\n\t\twhile (getc(f%d) != EOF)\n\t\t\tk%d++;\n\t\tif (k%d > %d)\n\t\t\tr += 8;\n\t}\n")
			:format(n, n, n, n, n, n, n, b), function(run) if draw(1, 3) > 1 then run.files[n] = ("z"):rep(draw(0, 2 * b + 2)) end end
	end,
	function(n)
		return "\tif (getpid() & 1)\n\t\tr += 9;\n", function() end
	end,
	function(n)
		return "\tif (time(0) < 1000)\n\t\tr += 10;\n", function() end
	end,
	function(n)
		return "\tif (isatty(0))\n\t\tr += 11;\n", function() end
	end,
}

local function a_main()
	local bodies, adds, runs = {}, {}, {}
	for n = 1, draw(2, 4) do
		bodies[n], adds[n] = pick(questions)(n)
	end
	for i = 1, 12 do
		local run = { env = {}, args = {}, stdin = "", files = {} }
		for _, add in ipairs(adds) do
			add(run)
		end
		local line = ""
		for n = 1, #bodies do
			line = line .. (run.files[n] and ("printf '%s' >file%d; "):format(run.files[n], n) or "")
		end
		runs[i] = (" * run: %sprintf '%s' | env %s $P %s\n"):format(line, run.stdin, table.concat(run.env, " "), table.concat(run.args, " "))
	end
	return ("/* entry: main\n * class: generated\n%s */\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\n\nint\nmain(int argc, char **argv)\n{\n\tint r = 0;\n\n%s\treturn r;\n}\n")
		:format(table.concat(runs), table.concat(bodies))
end

for number = first, last do
	state = number * 7919 + 12345
	for _ = 1, 5 do
		draw(0, 1)
	end
	local file = assert(io.open(("%s/gen_%d.c"):format(folder, number), "w"))
	file:write(number % 3 == 0 and a_main() or a_function(number))
	file:close()
end
