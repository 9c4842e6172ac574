// The panel: the story of a pair or branch, a line, a variable, a test; else what is open in the file.
const lineLink = (f, l) => h("a", { href: address({ view: "source", f: f.short, l }) },
	`${f === shown?.file ? "line " : f.short + ":"}${l}`);
const options = text => text.split(/(--[a-z][\w-]*(?: [^\s;,]+(?:,[A-Z]\b)?)?)/).map((t, k) => k % 2 ? code(t, "opt") : t);
// Places and tests in a text become links, and options of commands code.
function linked(text) {
	const out = [];
	let at = 0;
	for (const m of text.matchAll(/([^\s;,()]+):(\d+)(?::\d+)?|\bclosest test (\d+)/g)) {
		const f = fileByName.get(m[1]), t = testByNumber.get(+m[3]);
		if (!f && !t) continue;
		out.push(options(text.slice(at, m.index)), t ? ["closest test ", testLink(t)]
			: h("a", { href: address({ view: "source", f: f.short, l: +m[2] }) }, `${f.short}:${m[2]}`));
		at = m.index + m[0].length;
	}
	return [...out, options(text.slice(at))];
}
const section = (name, ...inside) => [h("h2", {}, name), ...inside];
const items = (list, more) => [h("div", { class: "items" }, list.slice(0, 60).map(x => h("a", { href: to(x), class: "item" }, icon(x.v),
	h("span", {}, title(x), h("small", {}, x.v === "c" ? x.test ? `test ${x.test}` : gist(x) : gist(x)))))),
	list.length > 60 && h("p", {}, h("a", { href: address(more) }, `all ${number(list.length)}`))];

// One sentence.
function sentence(x) {
	const L = (f, l) => lineLink(f, l), test = testByNumber.get(x.test);
	if (x.kind === "branch") {
		const cond = [code(x.text), ...sideWords(x)];
		if (x.v === "c") return [test ? ["Test ", testLink(test), " comes"] : [/suite: /.test(x.why) ? "A test of the suite" : "A run", " comes"], " to ", L(x.file, x.l),
			", where ", cond, x.hits > 1 ? `; so do ${times(x.hits, "run")} in all.` : "."];
		if (x.v === "i") return ["No input comes to ", L(x.file, x.l), " so that ", cond, "."];
		const m = /^reached by (\d+) run/.exec(x.why);
		return m ? [times(+m[1], "run"), m[1] === "1" ? " reaches " : " reach ", L(x.file, x.l), "; in none ", cond, "."]
			: ["No run reaches ", L(x.file, x.l), ", so nothing decided whether ", cond, "."];
	}
	const entry = x.dl === x.fn.line && x.dfile === x.fn.file;
	const set = entry ? [code(x.variable), " has its value when ", code(x.fn.name), " is entered"] : [code(x.variable),
		" is set at ", L(x.dfile, x.dl)];
	const use = ["read at ", L(x.file, x.l), x.side === "T" ? ", where the condition is true" : x.side === "F"
		? ", where the condition is false"
		: x.side !== "c" && [", which ", sideWords(x)]];
	if (x.v === "c") return [test ? ["In test ", testLink(test), ", "] : [/suite: /.test(x.why) ? "In a test of the suite, " : "In a run, "], set, " and ", use,
		"; nothing overwrites it in between."];
	if (x.v === "i") return ["No input does this: ", set, ", then ", use, ", with nothing that overwrites it in between."];
	return ["No test does this yet: ", set, ", then ", use, ", with nothing that overwrites it in between."];
}
const testLink = t => h("a", { href: address({ view: "tests", t: t.number }) }, String(t.number));
const WAY = {
	test: t => ["The way in test ", t.number],
	tests: () => ["The way, and where it is cut"],
	program: () => ["A way on which nothing overwrites it"],
};
function wayList(x, way) {
	const cut = way.cut ? way.cut.k : Infinity;
	return [h("h2", {}, h("span", {}, WAY[way.by](way.test))), way.by === "test" && h("p", { class: "hint" },
		way.sure ? "Each condition on it went one way only in this test." : "The shortest along outcomes that the test takes; in a loop it may have gone a longer one."), h("div",
		{ class: "path", id: "way" }, way.steps.slice(0, 99).map((t, k) =>
		h("button", { class: k === cut ? "cut" : k > cut ? "dead" : "",
			onclick: () => { if (x.file === shown.file) { reveal(t.l); drawLanes(); } } },
			h("em", {}, k === cut ? "✕" : k + 1), h("i", {}, t.l),
			h("span", {}, (x.file.lines?.[t.l - 1] ?? "").trim(), k === cut && h("small", {}, way.cut.why())))))];
}
function story(x) {
	const way = wayOf(x), test = testByNumber.get(x.test), beyond = x.v === "u" && /limits: /.test(x.why);
	const why = x.why.split("; ").filter(t => t);
	const asked = needs.filter(n => n.fn === x.fn.name);
	return [
		h("h1", { id: "story" }, title(x)), h("p", { class: "say" }, sentence(x)),
		way?.cut && x.v === "u" && h("p", { class: "stop" }, h("em", {}, "✕"), h("span", {}, "It is cut at ",
			h("button", { class: "link", onclick: () => { if (x.file === shown.file) reveal(way.steps[way.cut.k].l); } },
				`line ${way.steps[way.cut.k].l}`), ": ", way.cut.why(), ".")),
		x.v !== "c" && why.length && section(x.v === "i" ? "Why it is infeasible" : "What is known", h("ul",
			{ class: "why", id: "evidence" },
			why.map(t => h("li", {}, linked(t.replace(/^limits: /, ""))))),
			beyond && h("p", { class: "mut" }, "It was not reached within these limits; the options move them."),
			beyond && copyButton("Copy the options", () => (x.why.match(/--[a-z][\w-]*(?: [^\s;,]+)?/g) || []).join(" "))),
		way && wayList(x, way),
		x.v === "u" && !beyond && D.limits.length > 0 && section("Limits of these runs",
			h("ul", { class: "why" }, D.limits.map(t => h("li", {}, linked(t))))),
		x.v === "u" && asked.length > 0 && section(["What ", code(x.fn.name), " needs from its callers"], h("ul", { class: "why" },
			asked.map(n => h("li", {},
			code(n.text), n.file && [", ", lineLink(n.file, n.l)])))),
		x.v === "i" && D.assumptions.length > 0 && section("It rests on these assumptions", h("ul", { class: "why" },
			D.assumptions.map(t => h("li", {}, linked(t))))),
		test ? testParts(test) : x.v === "c" && x.why && h("p", { class: "mut" }, x.why),
		x.v === "c" && others(x, test),
	];
}
function others(x, test) {
	const list = testsOf(x).filter(t => t !== test);
	return list.length > 0 && section(`Also in ${times(list.length, "test")}`, h("p", { class: "tests" },
		list.slice(0, 30).map(t => [testLink(t), " "]),
		list.length > 30 && "..."));
}
// Inputs as a table where they are few, and the test's C.
function testParts(t) {
	const lines = (t.text || "").split("\n").length;
	return [h("h2", {}, h("span", {}, "Test ", testLink(t))), h("p", { class: "hint" }, code(t.name), t.what
		? [": ", h("span", { class: "x" }, t.what)] : t.end !== "exit" && `: ${t.end}`),
		t.inputs && h("pre", { class: "snip", id: "inputs" }, t.inputs),
		t.wrote && [h("h2", {}, "It leaves"), h("pre", { class: "snip" }, inputLines(t.wrote).join("\n"))],
		t.text && h("details", { open: lines < 40 }, h("summary", {}, "As a C test", copyButton("Copy", () => t.text)),
			h("pre", { class: "snip", id: "ctest" }, coloured(t.text.trimEnd())))];
}
function coloured(text) {
	const f = { lines: text.split("\n") };
	return f.lines.map((_, k) => [tokens(f, k + 1).map(([cls, t]) => cls && cls !== "id" && cls !== "mac" ? h("span",
		{ class: cls }, t) : t), "\n"]);
}

function lineStory(f, l) {
	const here = f.at.get(l) || [], made = f.sets.get(l) || [], hits = f.hits.get(l);
	const cond = here.filter(x => x.kind === "branch"), reads = here.filter(x => x.kind === "pair");
	const found = failures.filter(x => x.file === f && x.l === l);
	const more = q => ({ view: "list", q: `f:${f.short} l:${l} ${q}` });
	return [h("h1", {}, `${f.short}:${l}`), h("p", { class: "say" }, hits === undefined ? "No code stands here." : hits
		? [times(hits, "run"), hits === 1 ? " passes this line." : " pass this line."]
		: "No run passes this line."),
	found.map(findingItem),
	cond.length > 0 && section("Conditions", items(sorted(cond, "verdict", ORDERS), more("k:branch"))),
	reads.length > 0 && section("Values read here", items(sorted(reads, "verdict", ORDERS), more("k:pair"))),
	made.length > 0 && section("Values set here", items(sorted(made, "verdict", ORDERS), more("k:pair")))];
}
function variableStory(name, fn) {
	const list = fn.items.filter(x => x.kind === "pair" && rootOf(x.variable) === name), n = count(list);
	return [h("h1", {}, code(name), " in ", code(fn.name)), h("p", { class: "say" },
		`${times(n.all, "def-use pair")}: ${n.c} covered, ${n.i} infeasible, ${n.u} unknown. The arcs in the source lead from definitions to uses.`),
		items(sorted(list, "verdict", ORDERS), { view: "list", q: `fn:${fn.name} v:${name} k:pair` })];
}
// The first inputs of a test, in a line of about so many characters.
function inputsOf(test, most) {
	const list = test?.inputs.split("\n") ?? [];
	let n = 0, length = 0;
	while (n < list.length && (!n || length + list[n].length <= most)) length += list[n++].length + 2;
	return list.slice(0, n).join(", ").slice(0, 2 * most) + (n < list.length ? ", …" : "");
}
function findingItem(x) {
	return h("a", { class: "item finding", href: x.file ? address({ view: "source", f: x.file.short, l: x.l }) : testByNumber.has(x.test)
		? address({ view: "tests", t: x.test }) : "#" }, icon("x"), h("span", {}, x.words, x.fn && [" in ", code(x.fn)],
		x.message && x.message !== x.words && `: ${x.message}`, h("small", {}, x.file && `${x.file.short}:${x.l} · `, times(x.runs, "run"),
			x.test > 0 && [` · test ${x.test}: `, inputsOf(testByNumber.get(x.test), 200)])));
}
function coldItem(f, c) {
	return h("a", { class: "item unrun", href: address({ view: "source", f: f.short, l: c.from }) }, icon("u"), h("span", {},
		c.from === c.to ? `line ${c.from}` : `lines ${c.from} to ${c.to}`, c.fn && [" in ", code(c.fn.name)], h("small", {},
			times(c.n, "line"), " with code")));
}
function fileStory(f) {
	const open = f.fns.filter(x => x.n.u).sort(worst), found = failures.filter(x => x.file === f),
		cold = coldOf(f);
	return [h("h1", {}, f.n.u ? [`${number(f.n.u)} open in `, f.short] : f.n.all ? ["Nothing is open in ", f.short] : f.short),
		h("p", { class: "say" }, bar(f.n, "s")), h("p", { class: "mut" }, legend(f.n)),
		cold.length > 0 && section("Never run", cold.slice(0, 5).map(c => coldItem(f, c)),
			cold.length > 5 && h("p", { class: "mut" }, `and ${times(cold.length - 5, "shorter one")}`)),
		found.length > 0 && section("Findings", found.map(findingItem)),
		open.slice(0, 12).map(fn => [h("h2", {}, h("a", { href: address({ view: "source", f: f.short, l: fn.line }) }, code(fn.name)),
			h("span", { class: "pill" }, fn.n.u), h("a", { class: "btn",
				href: address({ view: "graph", fn: fn.name, f: f.short }) }, "Graph")),
			items(fn.items.filter(x => x.v === "u").sort(ORDERS.branches).slice(0, 5), {}),
			fn.n.u > 5 && h("a", { href: address({ view: "list", q: `fn:${fn.name} is:open` }) }, `all ${fn.n.u}`)])];
}

function drawPanel() {
	const panel = $(".panel"), x = byId.get(State.p), fn = State.v && (byName.get(State.fn) || []).find(f => f.file === shown?.file);
	const test = State.view === "tests" && testByNumber.get(State.t);
	if (!panel) return;
	const close = h("button", { class: "icon close", "aria-label": "Close", onclick: closePanel }, "✕");
	panel.classList.toggle("up", !!(x || State.l || fn || test));
	panel.replaceChildren(...[
		x ? h("div", { class: "head" }, h("span", { class: "chip " + x.v, id: "verdict" }, icon(x.v), WORD[x.v]), h("span",
			{ class: "sp" }),
			copyButton("Copy link", () => location.href.split("#")[0] + address({ p: x.id }), "copy-link"),
			h("a", { class: "btn", href: address({ view: "graph", fn: x.fn.name, f: x.fn.file.short, p: x.id }) }, "Graph"), close)
			: h("div", { class: "head" }, h("span", { class: "sp" }), close),
		x ? story(x) : test ? testStory(test) : fn ? variableStory(State.v, fn) : State.l ? lineStory(shown.file, State.l)
			: State.view === "source" ? fileStory(shown.file)
			: h("p", { class: "mut" }, "Choose a test."),
	].flat(Infinity).filter(e => e));
	panel.scrollTop = 0;
}
function closePanel() {
	if (State.view === "tests") go({ view: "tests", q: State.q, o: State.o });
	else go({ view: "source", f: shown?.file.short, q: State.q });
}
