// Clicks of a person, in a browser: each step reports what is wrong. Runs after the page's own scripts.
const settle = () => new Promise(done => setTimeout(done, 150));
function check(what, good) { if (!good) throw new Error(what); }
const until = async (what, good) => {          // what a browser does in its own time
	for (let k = 0; k < 60 && !good(); k++) await settle();
	check(what, good());
};
const click = async e => { check("something to click", e); e.dispatchEvent(new MouseEvent("click",
	{ bubbles: true, cancelable: true })); await settle(); };
const key = async k => { document.body.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true })); await settle(); };
const visit = async address => { location.hash = address; await settle(); };
const text = selector => $(selector)?.textContent ?? "";
const one = (list, how) => { const x = list.find(how); check("data: " + how, x); return x; };

const TRIALS = {
	async start() {                           // code at the top, what is open beside it
		check("the source is first", State.view === "source" && $(".ln pre") && $(".code").getBoundingClientRect().top < 160);
		const cold = coldOf(shown.file), row = cold[0] && rowAt(cold[0].from)?.getBoundingClientRect();
		check("what was never run is in sight", !cold[0] || row && row.top > 80 && row.bottom < innerHeight);
		check("... and counted: " + text(".strip"), /Lines[\d. %]+(\d+ never run|all run)/.test(text(".strip"))
			&& $$(".unrun").length === Math.min(5, cold.length)
			&& cold.every(c => shown.file.hits.get(c.from) === 0 && shown.file.hits.get(c.to) === 0));
		check("totals", /open/.test(text(".strip")) && $(".strip .bar .u"));
		check("functions", $(".rail .fn .pill") || innerWidth <= 1180);
		check("findings stand beside their lines", failures.every(x => !x.file || x.file !== shown.file || !rowAt(x.l)
			|| rowAt(x.l).querySelector(".bd .ico.x, .bd .pill")));
		check("gutter", $(".ln .no") && $(".ln.c .runs").textContent !== "" && $(".ln.u"));
		check("colours of the syntax", $(".ln .kw") && $(".ln .nu") && $(".ln .pp"));
		check("panel", /open in/.test(text(".panel h1")));
		check("tabs are as wide as the source has them", tabsOf(["\tif (a)", "\t    b();"]) === 8 && tabsOf(["\tif (a)", "\t\tb();"]) === 4
			&& $(".code").style.tabSize === String(tabsOf(shown.file.lines)));
	},
	async gutter() {
		await visit("#view=source");
		const pill = $(".ln .pill"), line = pill.closest(".ln").dataset.l;
		await click(pill);
		check("unfolds", $$(".un a").length === Math.min(40, shown.file.at.get(+line).filter(x => x.v === "u").length));
		await click($(".un a"));
		check("leads to the objective", byId.get(State.p)?.v === "u" && text("#verdict") === "unknown");
		await click($(".ln .pill[aria-expanded=true]"));
		check("folds", !$(".un"));
		const fold = $(".fold");
		check("a long comment is folded", fold && !rowAt(3));
		await click(fold);
		check("and unfolds", rowAt(3));
	},
	async unrun() {                           // a stretch in the panel leads to its lines
		await visit("#view=source");
		const cold = coldOf(shown.file);
		check("there is one", cold.length > 0 && cold.every((c, k) => !k || c.n <= cold[k - 1].n));
		await click($(".unrun"));
		await visit($(".unrun")?.getAttribute("href") ?? location.hash);
		check("it leads there", State.l === cold[0].from && rowAt(cold[0].from).classList.contains("u"));
	},
	async covered() {                         // definition, use, numbered steps, test
		const x = one(pairs, p => p.v === "c" && p.variable === "sum" && p.dl !== p.l && wayOf(p)?.by === "test");
		await visit(to(x));
		check("verdict", text("#verdict") === "covered" && text(".say").includes("nothing overwrites it"));
		check("definition and use are marked", $(`#L${x.dl} .tok.def`)?.textContent === "sum"
			&& $(`#L${x.l} .tok.use`)?.textContent === "sum");
		const way = wayOf(x);
		check("steps", way.steps[0].l === x.dl && way.steps[way.steps.length - 1].l === x.l && $$(".lanes .step").length >= 2
			&& !$(".lanes .cross"));
		check("numbers", $(".lanes .step text").textContent === "1" && $(".lanes path[marker-end]"));
		check("the panel has them", $$("#way button").length === way.steps.length);
		check("lines of the way were run", way.steps.every(t => shown.file.hits.get(t.l) !== 0));
		check("inputs", /n = -?\d+/.test(text("#inputs")));
		check("the test in C", text("#ctest").includes("static void duct_test_") && text("#ctest").includes("weigh(n, kind)"));
		await click($("#copy-link"));
		await until("link is copied", () => /copied/i.test(text("#toast")));
		const before = text("#story");
		await visit("#view=overview");
		await visit("#p=" + x.id);
		check("a link is stable", text("#story") === before && State.p === x.id);
	},
	async ways() {                            // of all that is covered: lines that were run, outcomes that the test takes
		const list = all.filter(x => x.v === "c").map(x => [x, wayOf(x)]).filter(([, w]) => w?.by === "test");
		check("most have one", list.length > 0.8 * all.filter(x => x.v === "c").length);
		check("of some it is certain", list.some(([, w]) => w.sure) && list.some(([, w]) => !w.sure));
		for (const [x, w] of list) {
			check("run: " + x.id, w.steps.every(t => x.file.hits.get(t.l) !== 0));
			check("taken: " + x.id, w.steps.every(t => !t.by?.of || coveredBy(w.test, t.by.of)) && !w.cut && coveredBy(w.test, x));
		}
		for (const x of all.filter(x => x.v !== "c" && wayOf(x))) check("cut: " + x.id, wayOf(x).steps[wayOf(x).cut.k]);
	},
	async ruler() {                           // the whole file in a column: what was never run, findings; a way there
		await visit("#view=source");
		check("its colours", $(".ruler .u") && $(".ruler .c, .ruler .q, .ruler .p") && $(".ruler b").style.height !== "");
		const open = (list, kind) => list.some(x => x.v === "u" && x.kind !== kind);
		check("pairs alone make no line an untested one", [...shown.file.at].every(([l, list]) => shown.file.hits.get(l) === 0
			|| stateOf(shown.file, l) === (open(list, "pair") ? "p" : open(list, "branch") ? "q" : stateOf(shown.file, l))));
		const r = $(".ruler").getBoundingClientRect(), code = $(".code");
		const to = async part => { $(".ruler").dispatchEvent(new MouseEvent("click", { bubbles: true, clientY: r.top + part * r.height })); await settle(); };
		await to(0.99);
		const low = code.scrollTop;
		await to(0);
		check("it leads there", low > 0 && code.scrollTop === 0);
	},
	async calls() {                           // LATEST's tree of calls
		await visit("#view=overview");
		const names = $$("#calls > .calls > li > details > summary a").map(e => e.textContent);
		check("the entry's calls", names.includes("lex") && names.includes("sum"));
		const inner = $("#calls details details");
		check("deeper ones are folded", inner && !inner.open && /abstract [\d,]+.time/.test(text("#calls")));
		await click(inner.querySelector("summary"));
		await click($("#calls a"));
		check("a name leads to what it has", State.view === "list" && list.rows.length > 0 && list.rows.every(x => x.fn.name === "lex"));
	},
	async infeasible() {
		const x = one(pairs, p => p.v === "i" && wayOf(p));
		await visit(to(x));
		check("verdict and evidence", text("#verdict") === "infeasible" && text("#evidence").length > 10);
		check("a cross where it is cut", $$(".lanes .cross").length === 1 && $("#way .cut small").textContent.length > 5);
	},
	async unknown() {
		const x = one(branches, b => b.v === "u" && b.text.includes("12345"));
		await visit(to(x));
		check("verdict and why", text("#verdict") === "unknown" && /reached by \d+ runs?/.test(text("#evidence")));
		check("limits with their options", /--calls N/.test(text(".why .opt")));
		check("where it is cut", /It is cut at line 42: .*\+\+calls > 12345.* is true; test \d+ comes closest\./.test(text(".stop"))
			&& /12345 is true/.test(text("#way .cut small")));
		check("sentence", /in none/.test(text(".say")));
		check("cross", $$(".lanes .cross").length === 1);
		const m = /closest test (\d+) stopped at page.c:42/.exec(text("#evidence"));
		check("the closest test, as the text report has it", m && $(`#evidence a[href*="t=${m[1]}"]`));
	},
	async texts() {
		const x = one(branches, b => b.side === "case47");
		check("a case by its text", plain(x) === "kind is '/'");
		check("and one that is a number", plain(one(branches, b => b.side === "case7")) === "kind is 7");
		await visit("#f=page.c&l=" + x.l);
		const macro = [...rowAt(x.l).querySelectorAll(".mac")].find(e => e.textContent === "CLAMP");
		check("a macro is folded", macro && !macro.hasAttribute("data-open"));
		await click(macro);
		check("and shows its text", macro.dataset.body.includes("LIMIT : (x)"));
	},
	async arcs() {
		await visit("#view=source");
		await click($(`#L${one(pairs, p => p.variable === "sum").dl} .v[data-v="sum"]`));
		check("a variable has arcs", State.v === "sum" && $$(".lanes .arc").length > 4 && $(".lanes .arc[stroke-dasharray]"));
		check("of all verdicts", new Set(arcsOf("sum", byName.get("weigh")[0]).map(a => a.v)).size > 1);
		check("its pairs", /sum in weigh/.test(text(".panel h1")) && $$(".panel .item").length > 4);
		await key("Escape");
		check("esc closes", !State.v && !$(".lanes .arc"));
	},
	async lists() {
		await visit("#view=list");
		check("all", $$("#list .row").length > 10);
		await click($('[data-word="is:open"]'));
		check("a filter is in the address", location.hash.includes("q=is:open")
			&& list.rows.length === all.filter(x => x.v === "u").length);
		await click($('[data-word="k:pair"]'));
		check("two filters", list.rows.every(x => x.v === "u" && x.kind === "pair")
			&& $('[data-word="k:pair"]').getAttribute("aria-pressed") === "true");
		await visit("#view=list");
		await click($("#sort-runs"));
		await click($("#sort-runs"));
		check("sorted", State.o === "-runs" && list.rows.every((x, k) => !k || x.hits <= list.rows[k - 1].hits));
		await key("j");
		await key("j");
		await key("k");
		check("j and k", list.at === 1 && $(".row.sel").dataset.i === "1");
		const want = list.rows[1];
		await key("Enter");
		check("enter", State.p === want.id && State.view === "source");
		await visit("#view=source");
		await key("j");
		check("j in the source: what is open", byId.get(State.p)?.v === "u");
		const first = State.p;
		await key("j");
		await key("k");
		check("and back", State.p === first);
	},
	async search() {
		await key("/");
		check("/", document.activeElement === $("#search"));
		$("#search").value = "v:sum is:covered";
		$("#search").dispatchEvent(new Event("input"));
		await settle();
		check("found as typed", State.view === "list" && list.rows.length > 0 && list.rows.every(x => x.v === "c")
			&& location.hash.includes("v:sum"));
		document.activeElement.blur();
		await visit("#view=list&q=nothing+has+this");
		check("nothing", text("#found").startsWith("0"));
		await visit("#view=list&q=l:26");
		check("a line", list.rows.length > 0 && list.rows.every(x => x.l === 26 || x.dl === 26));
	},
	async tests() {
		await visit("#view=tests");
		check("tests", $$("#tests .row").length === tests.length);
		await click($("#tests .row"));
		check("one", State.t === tests[0].number && text("#ctest").includes("weigh") && /First to cover/.test(text(".panel")));
		await click($("#sort-new"));
		check("sorted", list.rows.every((t, k) => !k || t.first >= list.rows[k - 1].first));
		await visit(`#view=list&q=t:${tests[0].number}`);
		check("what it covers", list.rows.length === tests[0].n + tests[0].pairs);
	},
	async tree() {                            // which test each one was derived from, folded
		await visit("#view=tests");
		await click($('[data-order="tree"]'));
		check("it is in the address", location.hash.includes("o=tree") && $$("#tests .row").length > 1);
		const child = one(tests, t => testByNumber.has(t.parent)), up = testByNumber.get(child.parent);
		check("parents come before", tests.every(t => !t.parent || t.parent < t.number));
		await visit(`#view=tests&o=tree&t=${child.number}`);
		check("what is asked for is unfolded", list.rows.includes(child) && list.rows.indexOf(up) < list.rows.indexOf(child));
		check("the condition where it turns", list.rows.some(t => turnOf(t)?.kind === "branch")
			&& tests.every(t => !turnOf(t) || coveredBy(t, turnOf(t)) && !coveredBy(testByNumber.get(t.parent), turnOf(t))));
		const before = list.rows.length;
		await click($(`#tests .row[data-i="${list.rows.indexOf(up)}"] .turn`));
		check("it folds", list.rows.length < before && !list.rows.includes(child));
		await click($(`#tests .row[data-i="${list.rows.indexOf(up)}"] .turn`));
		check("and unfolds", list.rows.length === before);
		await click($('[data-order="list"]'));
		check("back to the list", !location.hash.includes("o=tree"));
	},
	async graph() {
		await visit("#view=graph&fn=weigh");
		check("blocks and edges", $$(".cfg .block").length > 8 && $$(".cfg .edge").length > 10);
		check("edges that are taken and open", $(".cfg .edge.c") && $(".cfg .edge.u") && $(".cfg .block.cold"));
		check("no two blocks on one place", new Set($$(".cfg .block rect").map(r => r.getAttribute("x") + " " + r.getAttribute("y"))).size === $$(".cfg .block").length);
		await visit("#view=graph&fn=sign");
		check("a choice of values", $$(".cfg .chosen").map(e => e.textContent).join("") === "TF");
		await visit("#view=graph&fn=weigh");
		check("case labels", $$(".cfg .side").some(e => e.textContent.includes("'/'")));
		await click($(".cfg .block rect"));
		await visit($(".cfg .block") ? $(".cfg .block").getAttribute("href") : location.hash);
		check("leads to the source", State.view === "source" && State.l > 0);
		await key("g");
		check("g", State.view === "graph");
	},
	async blocks() {                          // FlowTest's blocks: each input is in one of them
		await visit("#view=overview");
		const rows = $$(".matrix tbody tr"), heads = $$(".matrix th").map(e => e.textContent);
		check("inputs: " + heads, heads.includes("A[0]") && heads.includes("count[3]"));
		check("blocks of two", rows.filter(r => r.querySelectorAll(".dot").length === 2).length === 4);
		check("each input once", heads.every((x, k) => rows.filter(r => r.children[k].querySelector(".dot")).length === 1));
	},
	async overview() {
		await visit("#view=overview");
		check("answer", /\d+ of \d+ branches/.test(text(".answer")));
		check("map", $$(".map a").length === functions.filter(f => f.n.all).length);
		check("chart and the worst", $(".chart .grown").getAttribute("d").includes("H") && $("#worst .pill"));
		check("what was assumed or limits", /LIMITS|limits|assumed/i.test(text(".page")));
	},
	async files() {                           // of a project: a table, sorted by what is clicked
		await visit("#view=overview");
		const names = () => $$("#files tbody code").map(e => e.textContent);
		check("a row each: " + names(), names().length === files.filter(f => f.items.length || f.hits.size).length);
		await click($("#files th button"));
		check("by name", names().join() === [...names()].sort().join() && /↑/.test(text("#files th")));
		check("lines and branches", /\d %/.test($("#files td.part").textContent) && $("#files .bar i.c"));
		await click($("#files td a"));
		check("leads to the source", State.view === "source" && fileOf(State).short === State.f);
	},
	async keys() {
		await key("?");
		check("?", $("#help").open && text("#help").includes("is:limited"));
		$("#help").close();
		const before = document.documentElement.dataset.theme, ground = getComputedStyle(document.body).backgroundColor;
		await key("t");
		check("dark or light", document.documentElement.dataset.theme !== before
			&& getComputedStyle(document.body).backgroundColor !== ground);
		await key("t");
	},
	async broken() {
		for (const a of ["#p=nothing", "#view=nowhere", "#f=none.c&l=x", "#view=tests&t=99999", "#%E0%A4%A", "#l=999999",
			"#view=graph&fn=none", "#v=sum&fn=none"]) {
			await visit(a);
			check(a, $("#view").textContent.length > 20);
		}
	},
	async narrow() {
		const x = one(pairs, p => p.v === "c" && wayOf(p));
		await visit("#view=source");
		check("nothing is wider than the window", document.documentElement.scrollWidth <= innerWidth);
		check("the panel is away", getComputedStyle($(".panel")).display === "none" && getComputedStyle($(".rail")).display === "none");
		await visit(to(x));
		const sheet = $(".panel").getBoundingClientRect();
		check("a sheet at the bottom", sheet.top > innerHeight * 0.3 && Math.abs(sheet.bottom - innerHeight) < 2 && sheet.left === 0);
		const row = rowAt(x.dl).getBoundingClientRect();
		check("the definition is above it", row.top > 0 && row.bottom <= sheet.top + 1);
		await click($(".close"));
		check("it closes", getComputedStyle($(".panel")).display === "none");
		for (const v of ["list", "tests", "graph", "overview"]) {
			await visit("#view=" + v);
			check(v + " fits", document.documentElement.scrollWidth <= innerWidth);
		}
	},
	async many() {                            // 20,000 pairs, 20,000 tests
		await visit("#view=list&q=v:v7+is:open");
		check("filter", list.rows.length > 100 && list.rows.every(x => x.variable === "v7" && x.v === "u"));
		check("few rows exist", $$("#list .row").length < 100);
		$("#list").scrollTop = 1e6;                // without frames a browser does not tell of it by itself
		$("#list").dispatchEvent(new Event("scroll"));
		await until("the last row", () => $(`#list .row[data-i="${list.rows.length - 1}"]`));
		await visit("#view=tests&o=-pairs");
		check("tests", tests.length === 20000 && $$("#tests .row").length < 100);
		await visit("#view=source&l=700");
		check("a line in the middle", rowAt(700).getBoundingClientRect().top < innerHeight && text("#L700 pre").includes("line(700)"));
		const x = one(pairs, p => p.v === "u" && p.path);
		await visit(to(x));
		check("the way that the store has", $$("#way button").length === 3 && text("#way").includes("line("));
	},
	async missing() {                         // a source that is not there any more; no source at all
		for (const v of ["source", "list", "tests", "graph", "overview"]) {
			await visit("#view=" + v);
			check(v, $("#view").textContent.length > 10);
		}
		if (!files.length) return;
		await visit("#view=source");
		check("it is said", /could not be read/.test(text(".middle")) && $(".ln .pill"));
		await visit(to(pairs[0]));
		check("its story", text(".say").length > 10);
		await visit("#view=source&l=1");
		check("its lines", text(".panel h1").endsWith(":1"));
	},
	async strange() {                         // names of other people
		for (const v of ["source", "list", "tests", "graph", "overview"]) {
			await visit("#view=" + v);
			check("no element of theirs", !document.querySelector("b.evil, img") && !window.evil);
		}
		await visit("#view=source");
		check("as text", text(".code").includes("<" + "/script>") && text(".code").includes('<b class="evil">'));
		await visit("#view=tests");
		check("a test's name", text("#tests").includes("test <1>"));
	},
};
(async () => {
	const wanted = WANTED.split(" ");
	try {
		for (const name of wanted) {
			document.title = "TRIAL " + name;
			await TRIALS[name]();
		}
		document.title = "FINE";
		document.documentElement.dataset.trials = "FINE " + wanted.length;
	} catch (e) {
		document.documentElement.dataset.trials = "WRONG " + document.title + ": " + e.message + " at " + location.hash + " " + (e.stack || "").split("\n")[1];
	}
})();
