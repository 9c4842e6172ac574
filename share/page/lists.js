// Objectives and tests: lists that are filtered and sorted; the address holds both.
let list = null;                              // { rows, at, widget, open }
const HEADS = [["verdict", ""], ["function", "function"], ["objective", "objective"], ["place", "place"], ["runs", "runs"], [null,
	"evidence"]];

function heads(columns, cls) {
	return h("div", { class: "heads " + cls }, columns.map(([key, text]) => key ? h("button", { id: "sort-" + key,
		"aria-label": "sort by " + key, onclick: () => go({ ...State, o: State.o === key ? "-" + key : State.o === "-" + key ? null
			: key }) },
	text || "✓", State.o === key ? " ↑" : State.o === "-" + key ? " ↓" : "") : h("span", {}, text)));
}
function chips() {
	const have = words(State.q);
	const chip = (w, text, ic) => {
		const on = have.includes(w), kind = w.split(":")[0] + ":";
		return h("button", { class: "btn", "aria-pressed": String(on), "data-word": w, onclick: () => go({ ...State,
			q: [...have.filter(y => !y.startsWith(kind)), ...(on ? [] : [w])].join(" ") }) }, ic, text);
	};
	return h("div", { class: "chips" }, chip("is:open", "open", icon("u")), chip("is:infeasible", "infeasible", icon("i")),
		chip("is:covered", "covered", icon("c")),
		all.some(x => x.v === "u" && x.why.includes("limits: ")) && chip("is:limited", "by limits"), chip("k:branch", "branches"),
		pairs.length > 0 && chip("k:pair", "pairs"), files.length > 1 && files.length < 9
			&& files.filter(f => f.items.length).map(f => chip("f:" + f.short, f.short)));
}
function listView() {
	const found = sorted(find(State.q), State.o, ORDERS), n = count(found), box = h("div",
		{ class: "scroll list", id: "list", tabindex: 0 });
	list = { rows: found, at: Math.max(0, found.findIndex(x => x.id === State.p)), open: x => to(x) };
	list.widget = virtual(box, () => found.length, 34, i => {
		const x = found[i];
		return h("a", { class: "row" + (i === list.at ? " sel" : ""), href: to(x), "data-i": i }, icon(x.v), h("span",
			{ class: "mut mono" }, x.fn.name), h("span", {}, title(x)),
			h("span", { class: "mut mono" }, `${x.file.short}:${x.l}`), h("span", { class: "num mut" }, x.hits ? brief(x.hits) : ""),
			h("span", { class: "mut" }, x.v === "c" && x.test ? `test ${x.test}` : gist(x)));
	});
	return h("div", { class: "listing" }, h("div", { class: "bars" }, h("h1", { id: "found" }, times(found.length, "objective")),
		legend(n), D.unlisted > 0 &&
		h("span", { class: "mut" }, `${number(D.unlisted)} more pairs, all unknown, are not listed`)), chips(), heads(HEADS, "list"), box,
		!found.length && h("p", { class: "empty none" }, nothing()));
}
// The text of a list without rows, with a link to where there are more.
function nothing() {
	const only = /is:infeasible/.test(State.q) && !all.some(x => x.v === "i");
	return [only ? "Nothing was shown to be infeasible. " : "No objective is like that. ",
		h("a", { href: address({ view: "list" }) }, `All ${number(all.length)}`)];
}

const TESTS = {
	number: (a, b) => a.number - b.number,
	name: (a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
	ending: (a, b) => a.end < b.end ? -1 : a.end > b.end ? 1 : 0,
	new: (a, b) => a.first - b.first,
	branches: (a, b) => a.n - b.n,
	pairs: (a, b) => a.pairs - b.pairs,
};
function testsView() {
	const need = words(State.q).map(w => w.toLowerCase());
	if (State.o === "tree") return treeView();
	const found = sorted(tests.filter(t => need.every(w => `${t.number} ${t.name} ${t.end} ${t.inputs}`.toLowerCase().includes(w))),
		State.o, TESTS);
	const box = h("div", { class: "scroll tests", id: "tests", tabindex: 0 });
	list = { rows: found, at: Math.max(0, found.findIndex(t => t.number === State.t)),
		open: t => address({ view: "tests", t: t.number, q: State.q, o: State.o }) };
	list.widget = virtual(box, () => found.length, 34, i => {
		const t = found[i];
		return h("a", { class: "row" + (i === list.at ? " sel" : ""), href: list.open(t), "data-i": i }, h("span", { class: "num" },
			t.number), h("span", { class: "mono" }, t.name),
			h("span", { class: t.end === "exit" ? "mut" : "x" }, t.end), h("span", { class: "num" }, t.first || ""), h("span",
				{ class: "num mut" }, t.n), h("span", { class: "num mut" }, t.pairs),
			h("span", { class: "mut mono" }, t.inputs.replace(/\n/g, ", ")));
	});
	return h("div", { class: "split" }, h("div", { class: "listing" }, h("div", { class: "bars" },
		h("h1", { id: "found" }, times(found.length, "test")), ordersOfTests()),
		heads([["number", "#"], ["name", "test"], ["ending", "ends"], ["new", "new"], ["branches", "branches"], ["pairs", "pairs"],
			[null, "inputs"]], "tests"), box),
	h("aside", { class: "panel" }));
}
function testStory(t) {
	const first = all.filter(x => x.test === t.number);
	return [h("h1", { id: "story" }, "Test ", t.number), testParts(t).slice(1),
		h("p", {}, h("a", { href: address({ view: "list", q: `t:${t.number}` }) },
			`all ${number(t.n + t.pairs)} outcomes and pairs that it covers`)),
		first.length > 0 && section(`First to cover ${number(first.length)}`, items(first, { view: "list", q: `t:${t.number}` }))];
}
