// Everything at once: totals, a map of the functions, the worst of them, findings, limits, coverage by tests.
// Tiles whose areas are sizes, as square as they get (Bruls, Huizing, van Wijk: Squarified Treemaps).
function tiles(list, x, y, w, height) {
	const out = [], total = a => a.reduce((n, i) => n + i.size, 0);
	let rest = [...list].sort((a, b) => b.size - a.size);
	while (rest.length) {
		const scale = w * height / total(rest), side = Math.min(w, height);
		let n = 0, ratio = Infinity;
		for (let k = 1, sum = 0; k <= rest.length; k++) {
			sum += rest[k - 1].size;
			const thick = sum * scale / side, r = Math.max(thick / (rest[k - 1].size * scale / thick),
				rest[0].size * scale / thick / thick);
			if (r > ratio) break;
			ratio = r;
			n = k;
		}
		const row = rest.slice(0, n), thick = total(row) * scale / side;
		let at = 0;
		for (const i of row) {
			const long = i.size * scale / thick;
			out.push(w < height ? { i, x: x + at, y, w: long, h: thick } : { i, x, y: y + at, w: thick, h: long });
			at += long;
		}
		if (w < height) { y += thick; height -= thick; } else { x += thick; w -= thick; }
		rest = rest.slice(n);
	}
	return out;
}
function treemap() {
	const box = h("div", { class: "map" });
	const paint = () => box.clientWidth && box.replaceChildren(treePicture(box.clientWidth, box.clientHeight));
	new ResizeObserver(paint).observe(box);
	setTimeout(paint);                            // when it stands in the page
	return box;
}
// The lines of a file that no test ran, as counts.
const linesOf = f => { const cold = coldOf(f).reduce((n, c) => n + c.n, 0); return { all: f.hits.size, c: f.hits.size - cold, i: 0, u: cold }; };
// The files of a project, a row each, in the order of the column that was chosen; the most open first.
const FILE_ORDERS = [["File", (a, b) => a.name < b.name ? -1 : 1], ["Lines", (a, b) => b.lines.u - a.lines.u],
	["Branches", (a, b) => b.branches.u - a.branches.u], ["Pairs", (a, b) => b.pairs.u - a.pairs.u]];
function fileTable() {
	const rows = files.filter(f => f.items.length || f.hits.size).map(f => ({ f, name: f.short, all: f.n, lines: linesOf(f),
		branches: count(f.items.filter(x => x.kind === "branch")), pairs: count(f.items.filter(x => x.kind === "pair")) }));
	const cells = n => [h("td", { class: "part" }, n.all > n.i && bar(n, "s"), h("span", {}, percent(n))),
		h("td", { class: "num " + (n.u ? "open" : "mut") }, n.u ? number(n.u) : "")];
	const body = h("tbody"), head = h("tr");
	const order = k => {
		head.replaceChildren(...FILE_ORDERS.map(([name], i) => h("th", { colspan: i ? 2 : 1, "aria-sort": i === k ? "descending" : null },
			h("button", { onclick: () => order(i) }, name, i === k && (i ? " ↓" : " ↑")))));
		body.replaceChildren(...[...rows].sort((a, b) => FILE_ORDERS[k][1](a, b) || worst({ n: a.all }, { n: b.all })).slice(0, 500)
			.map(r => h("tr", {}, h("td", {}, h("a", { href: address({ view: "source", f: r.name }) }, code(r.name))), cells(r.lines),
				cells(r.branches), cells(r.pairs))));
	};
	order(2);
	return rows.length > 1 && h("section", { class: "wide" }, h("h2", {}, "Files", h("small", {}, "covered, and what is open or never run")),
		h("div", { class: "over" }, h("table", { id: "files" }, h("thead", {}, head), body)));
}
// How much of a function is open, in the longest words that fit.
function note(n, letters, at) {
	const text = (n.u ? [`${n.u} of ${n.all} open`, `${n.u} open`, String(n.u)] : [`all ${n.all}`]).find(t => t.length <= letters);
	return text && s("text", { ...at, class: "mut" }, text);
}
function treePicture(W, H) {
	const list = functions.filter(f => f.n.all).sort((a, b) => b.n.all - a.n.all).slice(0, 400).map(f => ({ f, size: f.n.all + 2 }));
	return s("svg", { width: W, height: H, role: "img", "aria-label": "functions by size and share that is open" },
		s("defs", {}, s("pattern", { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
			s("path", { d: "M0 0v7", stroke: "var(--bg)", "stroke-width": 2, opacity: 0.35 }))),
		tiles(list, 0, 0, W, H).map(({ i: { f }, x, y, w, h: height }) => {
			const share = f.n.u / f.n.all, area = { x: x + 1, y: y + 1, width: Math.max(0, w - 2), height: Math.max(0, height - 2), rx: 4 };
			const letters = Math.floor((w - 14) / 7.3);
			return s("a", { href: address({ view: "source", f: f.file.short, l: f.line }) }, s("title", {},
				`${f.name}: ${f.n.u} of ${f.n.all} open`),
				s("rect", { ...area, fill: f.n.u ? "var(--tile)" : "var(--cov-bg)", opacity: f.n.u ? 0.3 + 0.7 * share : 1 }),
					f.n.u > 0 && s("rect", { ...area, fill: "url(#hatch)" }),
				letters > 3 && height > 20 && s("text", { x: x + 8, y: y + 17 }, f.name.length > letters ? f.name.slice(0,
					letters - 1) + "…" : f.name),
				height > 38 && note(f.n, Math.floor((w - 14) / 6.2), { x: x + 8, y: y + 33 }));
		}));
}
// The coverage of each session after each of its runs: [{ name, points: [run, covered] }]. A suite's tests count as
// runs.
function series() {
	const by = new Map();
	if (tests.reduce((n, t) => n + t.n + t.pairs, 0) > 4e6) return [];
	for (const t of tests) {
		const of = /, session (\d+): test \d+$/.exec(t.name)?.[1] || "";
		if (!by.has(of)) by.set(of, []);
		by.get(of).push(t);
	}
	return [...by].map(([of, list]) => {
		const seen = new Set(), points = [], in_order = list.every((t, k) => t.run > 0 && (!k || t.run > list[k - 1].run));
		const add = (ranges, kind) => { for (let i = 0; i < ranges.length; i += 2) for (let k = 0; k < ranges[i + 1]; k++) seen.add(2 * (ranges[i] + k) + kind); };
		list.forEach((t, k) => {
			const before = seen.size;
			add(t.takes, 0);
			add(t.covers, 1);
			if (seen.size > before) points.push([in_order ? t.run : k + 1, seen.size]);
		});
		const name = of ? D.session.others.find(x => x.startsWith(`session ${of},`))
			|| `session ${of}, ${D.session.strategy} of ${D.session.entry}` : D.session.search || D.session.strategy;
		return { name, points, last: of ? 0 : in_order ? D.session.runs : list.length };
	}).filter(d => d.points.length);
}
function chart() {
	const list = series().slice(0, 6), W = 480, H = 230, L = 48, R = 12, B = 28, T = 10;
	if (!list.some(d => d.points.length > 1)) return null;
	const last = Math.max(...list.map(d => Math.max(d.last, d.points[d.points.length - 1][0]))),
		most = Math.max(...list.map(d => d.points[d.points.length - 1][1]));
	const total = list.length === 1 ? all.filter(x => x.v !== "i").length : most, ink = ["var(--cov)", "var(--accent)",
		"var(--open)", "var(--fail)", "var(--inf)", "var(--pp)"], dash = [null, "6 3", "2 3", "8 2 2 2", "1 4", "10 4"];
	const X = n => L + (W - L - R) * Math.log(Math.max(1, n)) / Math.log(Math.max(2, last)),
		Y = n => T + (H - T - B) * (1 - n / Math.max(1, total));
	const ticks = [...new Set([1, 10, 100, 1000, 1e4, 1e5, 1e6].filter(n => n < last * 0.6).concat(last))];
	const line = d => d.points.map(([x, n], k) => k ? `H${X(x)}V${Y(n)}`
		: `M${X(x)} ${Y(0)}V${Y(n)}`).join("") + `H${X(Math.max(d.last, d.points[d.points.length - 1][0]))}`;
	return [s("svg", { class: "chart", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": "covered by runs" },
		[0, 0.25, 0.5, 0.75, 1].map(p => [s("path", { d: `M${L} ${Y(p * total)}H${W - R}`, stroke: "var(--line)" }),
			s("text", { x: L - 7, y: Y(p * total) + 4, "text-anchor": "end" }, brief(Math.round(p * total)))]),
		ticks.map(n => s("text", { x: X(n), y: H - 8, "text-anchor": n === last ? "end" : "middle" }, (n === 1 ? "run " : "") + brief(n))),
		list.length === 1 && s("path", { d: `${line(list[0])}V${Y(0)}Z`, fill: "var(--cov-bg)" }),
		list.map((d, k) => s("path", { class: "grown", d: line(d), fill: "none", stroke: ink[k], "stroke-width": 2,
			"stroke-dasharray": dash[k] }))),
	h("p", { class: "legend" }, list.map((d, k) => h("span", {}, s("svg", { width: 24, height: 8 },
		s("path", { d: "M0 4H24", stroke: ink[k], "stroke-width": 2, "stroke-dasharray": dash[k] })), d.name)))];
}
function answer() {
	const b = totals.branches, p = totals.pairs, open = functions.filter(f => f.n.u).length;
	return h("h1", { class: "answer" }, b.all > 0 && `${number(b.c)} of ${number(b.all - b.i)} branches`, b.all > 0 && p.all > 0 && " and ",
		p.all > 0 && `${number(p.c)} of ${number(p.all - p.i)} def-use pairs`, " that are not infeasible are covered; ",
		open ? [h("a", { href: address({ view: "list", q: "is:open" }) }, times(open, "function")), open === 1 ? " has open ones."
			: " have open ones."] : "nothing is open.");
}
// The strategy and its entry, as a sentence begins.
function ran() {
	const n = D.session, more = n.others.length, name = n.strategy === "cover" ? "suite in " + n.entry : `${n.strategy} of ${n.entry}`;
	if (more) return `${name}, and ${times(more, "other session")} · ${times(tests.length, "test")}`;
	return `${name} · ${times(tests.length, "test")}` + (n.ended ? ` · ended: ${n.ended}` : " · still running, or killed");
}
function overviewView() {
	const bad = functions.filter(f => f.n.u).sort(worst), kinds = new Map(), blocks = Array.isArray(D.extra.blocks)
		? D.extra.blocks.filter(Array.isArray) : [];
	const { tree: calls = [], executed: refused = [] } = D.extra.calls || {};
	for (const x of places) {
		if (!kinds.has(x.kind)) kinds.set(x.kind, {});
		kinds.get(x.kind)[x.verdict] = (kinds.get(x.kind)[x.verdict] || 0) + 1;
	}
	const part = (name, list, row) => list.length > 0 && h("section", {}, h("h2", {}, name),
		h("ul", { class: "why" }, list.map(x => h("li", {}, row ? row(x) : linked(x)))));
	const total = (name, n) => n.all > 0 && h("div", {}, h("p", {}, h("b", {}, name),
		h("span", { class: "mut" }, `${percent(n)} of ${number(n.all - n.i)}`)), bar(n), h("p", {}, legend(n)));
	const drawn = chart();
	list = { rows: bad, at: 0, open: f => address({ view: "source", f: f.file.short, l: f.line }) };
	return h("div", { class: "page scroll", tabindex: 0 }, answer(), h("p", { class: "mut" },
		[ran(), ...(D.session.others.length ? [] : [D.session.runs > 0 && times(D.session.runs, "run"), D.session.search
		&& `search ${D.session.search}`,
		D.session.seconds > 0 && `${D.session.seconds.toFixed(1)} s`])].filter(x => x).join(" · ")),
	h("div", { class: "totals" }, total("Branches", totals.branches), total("Def-use pairs", totals.pairs)),
	h("div", { class: "columns" },
		functions.filter(f => f.n.all).length > 2 && h("section", { class: "wide" }, h("h2", {}, "Functions",
			h("small", {}, "area: outcomes and pairs; the deeper, the more of it is open")), treemap()),
		fileTable(),
		failures.length > 0 && h("section", {}, h("h2", {}, "Findings"), failures.map(findingItem)),
		h("section", {}, h("h2", {}, "Where to look first"), bad.length ? h("table", { id: "worst" },
			h("tbody", {}, bad.slice(0, 12).map(f => h("tr", {},
			h("td", {}, h("a", { href: address({ view: "source", f: f.file.short, l: f.line }) }, code(f.name))), h("td",
				{ class: "mut wider" }, `${f.file.short}:${f.line}`),
			h("td", { class: "num" }, h("span", { class: "pill" }, f.n.u)), h("td", { style: "width:36%" }, bar(f.n, "s"))))))
				: h("p", { class: "mut" }, "Nothing is open.")),
		drawn && h("section", {}, h("h2", {}, "Covered over time", h("small", {}, "outcomes and pairs, by runs, logarithmic")), drawn),
		kinds.size > 0 && h("section", {}, h("h2", {}, "Places where a fault was looked for"), h("table", {},
			h("tbody", {}, [...kinds].map(([k, n]) => h("tr", {}, h("td", {}, k),
			["found", "safe", "unknown"].map(v => h("td", { class: "num" + (v === "found" && n[v] ? " x" : " mut") },
				`${n[v] || 0} ${v}`))))))),
		blocks.length > 0 && h("section", {}, h("h2", {}, "Input blocks", h("small", {}, "inputs that are searched together")),
			blockMatrix(blocks)),
		calls.length > 0 && h("section", { id: "calls" }, h("h2", {}, "Calls", h("small", {}, "that runs executed, or left abstract: any result")),
			callTree(calls, 0), refused.length > 0 && h("ul", { class: "why" }, refused.map(f => h("li", {}, code(f.name),
				` is always executed: ${f.why}`)))),
		part("What functions need from their callers", needs, n => [n.fn && [code(n.fn), ": "], code(n.text), n.file
			&& [", ", lineLink(n.file, n.l)]]),
		part("Limits: nothing beyond them was explored", D.limits), part("What was assumed of the inputs", D.assumptions),
		part("What was not followed", D.lost, x => [x[0], x[1] && ` at ${x[1]}:${x[2]}`, ` (${times(x[3], "time")})`]),
			part("All that the store has", D.session.others)));
}
// LATEST's tree of calls: those of deeper ones are folded.
function callTree(list, depth) {
	const row = n => [h("a", { class: "mono", href: address({ view: "list", q: "fn:" + n.name }) }, n.name), h("span", { class: "mut" },
		n.executed ? ` executed ${times(n.executed, "time")}` : "", n.executed && n.abstract ? ", " : " ",
		n.abstract ? `abstract ${times(n.abstract, "time")}` : "")];
	return h("ul", { class: "calls" }, list.map(n => h("li", {}, n.calls.length ? h("details", { open: depth < 1 ? "" : null },
		h("summary", {}, row(n)), callTree(n.calls, depth + 1)) : row(n))));
}
// FlowTest's partition: a row a block, a column an input.
function blockMatrix(blocks) {
	const inputs = blocks.flat();
	if (inputs.length > 40) return h("ul", { class: "why" }, blocks.slice(0,
		60).map(b => h("li", {}, b.slice(0, 30).map(i => [code(i), " "]), b.length > 30 && `and ${b.length - 30} more`)));
	return h("div", { class: "over" }, h("table", { class: "matrix" }, h("thead", {}, h("tr", {}, inputs.map(i => h("th", {}, code(i))))),
		h("tbody", {}, blocks.map(b => h("tr", {}, inputs.map(i => h("td", {}, b.includes(i) && h("i",
			{ class: "dot", "aria-label": "in the block" }))))))));
}
