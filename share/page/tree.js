// The execution tree of the tests: which test each one was derived from, by negating one condition of its path. Folded.
const ordersOfTests = () => h("span", { class: "chips", id: "orders" }, [["list", null], ["tree", "tree"]].map(([text, o]) =>
	h("button", { class: "btn", "aria-pressed": String((State.o === "tree") === (o === "tree")), "data-order": text,
		onclick: () => go({ ...State, o }) }, text === "tree" ? "execution tree" : "list")));
// The first outcome that a test takes and the one that it was derived from does not.
function turnOf(t) {
	const from = testByNumber.get(t.parent);
	if (!from || t.turn !== undefined) return t.turn;
	for (let i = 0; i < t.takes.length; i += 2)
		for (let k = t.takes[i]; k < t.takes[i] + t.takes[i + 1]; k++)
			if (!within(from.takes, k)) return t.turn = branches[k];
	return t.turn = null;
}
const ORIGIN = { first: "first inputs", replay: "kept by a session before", prove: "proposed by a proof", random: "random",
	flows: "one block of inputs for all", mutated: "mutated" };
const treeOpen = new Set();                   // numbers of the tests whose children are shown
function treeRows() {
	const children = new Map(), rows = [];
	for (const t of tests) {
		const up = testByNumber.has(t.parent) ? t.parent : 0;
		if (!children.has(up)) children.set(up, []);
		children.get(up).push(t);
	}
	const size = new Map();
	for (let k = tests.length - 1; k >= 0; k--) {
		const t = tests[k];
		size.set(t.number, (children.get(t.number) || []).reduce((n, c) => n + size.get(c.number), 1));
	}
	const roots = children.get(0) || [], stack = [...roots].reverse().map(t => [t, 0]);
	while (stack.length) {
		const [t, depth] = stack.pop(), below = children.get(t.number) || [];
		rows.push({ t, depth, below: below.length, size: size.get(t.number) - 1 });
		if (treeOpen.has(t.number)) for (let k = below.length; k-- > 0;) stack.push([below[k], depth + 1]);
	}
	return rows;
}
function treeView() {
	const box = h("div", { class: "scroll tests tree", id: "tests", tabindex: 0 });
	if (!treeOpen.size) for (const t of tests.filter(x => !x.parent).slice(0, 1)) treeOpen.add(t.number);
	for (let t = testByNumber.get(testByNumber.get(State.t)?.parent); t && !treeOpen.has(t.number); t = testByNumber.get(t.parent))
		treeOpen.add(t.number);
	let rows = treeRows();
	const toggle = t => {
		if (!treeOpen.delete(t.number)) treeOpen.add(t.number);
		rows = treeRows();
		list.rows = rows.map(r => r.t);
		list.widget.paint();
	};
	list = { rows: rows.map(r => r.t), at: Math.max(0, rows.findIndex(r => r.t.number === State.t)),
		open: t => address({ view: "tests", t: t.number, o: "tree" }) };
	list.widget = virtual(box, () => rows.length, 34, i => {
		const { t, depth, below, size } = rows[i], x = turnOf(t);
		return h("a", { class: "row" + (i === list.at ? " sel" : ""), href: list.open(t), "data-i": i },
			h("span", { class: "twig", style: `padding-left:${Math.min(depth, 24) * 18}px` },
				below ? h("button", { class: "turn", "aria-expanded": String(treeOpen.has(t.number)),
					"aria-label": `${below} derived from test ${t.number}`,
					onclick: e => { e.preventDefault(); e.stopPropagation(); toggle(t); } }, treeOpen.has(t.number) ? "▾" : "▸")
					: h("span", { class: "turn" }, "·"),
				h("b", {}, t.number), " ", x ? [title(x), h("small", {}, ` line ${x.l}`)] : h("span", { class: "mut" }, t.parent ? "other values"
					: ORIGIN[t.origin] || (t.origin === "suite" ? t.name : t.origin))),
			h("span", { class: "num mut" }, size && !treeOpen.has(t.number) ? `+${number(size)}` : ""),
			h("span", { class: t.end === "exit" ? "mut" : "x" }, t.end),
			h("span", { class: "num" }, t.first ? `${t.first} new` : ""),
			h("span", { class: "mut mono" }, t.inputs.replace(/\n/g, ", ")));
	});
	return h("div", { class: "split" }, h("div", { class: "listing" }, h("div", { class: "bars" },
		h("h1", { id: "found" }, times(tests.length, "test")), ordersOfTests()),
		h("p", { class: "hint" }, "A test stands below the one whose path it follows up to the condition that is named here."), box),
	h("aside", { class: "panel" }));
}
