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
			const thick = sum * scale / side, r = Math.max(thick / (rest[k - 1].size * scale / thick), rest[0].size * scale / thick / thick);
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
function treePicture(W, H) {
	const list = functions.filter(f => f.n.all).sort((a, b) => b.n.all - a.n.all).slice(0, 400).map(f => ({ f, size: f.n.all + 2 }));
	return s("svg", { width: W, height: H, role: "img", "aria-label": "functions by size and share that is open" },
		s("defs", {}, s("pattern", { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
			s("path", { d: "M0 0v7", stroke: "var(--bg)", "stroke-width": 2, opacity: 0.35 }))),
		tiles(list, 0, 0, W, H).map(({ i: { f }, x, y, w, h: height }) => {
			const share = f.n.u / f.n.all, area = { x: x + 1, y: y + 1, width: Math.max(0, w - 2), height: Math.max(0, height - 2), rx: 4 };
			const letters = Math.floor((w - 14) / 7.3);
			return s("a", { href: address({ view: "source", f: f.file.short, l: f.line }) }, s("title", {}, `${f.name}: ${f.n.u} of ${f.n.all} open`),
				s("rect", { ...area, fill: f.n.u ? "var(--tile)" : "var(--cov-bg)", opacity: f.n.u ? 0.3 + 0.7 * share : 1 }), f.n.u > 0 && s("rect", { ...area, fill: "url(#hatch)" }),
				letters > 3 && height > 20 && s("text", { x: x + 8, y: y + 17 }, f.name.length > letters ? f.name.slice(0, letters - 1) + "…" : f.name),
				letters > 8 && height > 38 && s("text", { x: x + 8, y: y + 33, class: "mut" }, f.n.u ? `${f.n.u} of ${f.n.all} open` : `all ${f.n.all}`));
		}));
}
// Objectives covered after each test in the order of running; a step where a test was the first to cover something.
function chart() {
	const steps = tests.filter(t => t.first).sort((a, b) => a.number - b.number), W = 480, H = 220, L = 48, R = 12, B = 28, T = 10;
	if (steps.length < 2) return null;
	const by_run = steps.every((t, k) => t.run > 0 && (!k || t.run > steps[k - 1].run)), at = t => by_run ? t.run : t.number;
	const last = Math.max(by_run ? D.session.runs : 0, at(steps[steps.length - 1])), total = all.filter(x => x.v !== "i").length;
	const X = n => L + (W - L - R) * Math.log(Math.max(1, n)) / Math.log(Math.max(2, last)), Y = n => T + (H - T - B) * (1 - n / Math.max(1, total));
	let sum = 0, d = "";
	for (const t of steps) {
		sum += t.first;
		d += d ? `H${X(at(t))}V${Y(sum)}` : `M${X(at(t))} ${Y(0)}V${Y(sum)}`;
	}
	const ticks = [...new Set([1, 10, 100, 1000, 1e4, 1e5, 1e6].filter(n => n < last * 0.6).concat(last))], name = by_run ? "run" : "test";
	return s("svg", { class: "chart", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `covered by ${name}s` },
		[0, 0.25, 0.5, 0.75, 1].map(p => [s("path", { d: `M${L} ${Y(p * total)}H${W - R}`, stroke: "var(--line)" }),
			s("text", { x: L - 7, y: Y(p * total) + 4, "text-anchor": "end" }, brief(Math.round(p * total)))]),
		ticks.map(n => s("text", { x: X(n), y: H - 8, "text-anchor": n === last ? "end" : "middle" }, (n === 1 ? name + " " : "") + brief(n))),
		s("path", { d: d + `H${X(last)}V${Y(0)}Z`, fill: "var(--cov-bg)" }), s("path", { d: d + `H${X(last)}`, fill: "none", stroke: "var(--cov)", "stroke-width": 2 }));
}
function answer() {
	const b = totals.branches, p = totals.pairs, open = functions.filter(f => f.n.u).length;
	return h("h1", { class: "answer" }, b.all > 0 && `${number(b.c)} of ${number(b.all - b.i)} branches`, b.all > 0 && p.all > 0 && " and ",
		p.all > 0 && `${number(p.c)} of ${number(p.all - p.i)} def-use pairs`, " that are not infeasible are covered; ",
		open ? [h("a", { href: address({ view: "list", q: "is:open" }) }, times(open, "function")), open === 1 ? " has open ones." : " have open ones."] : "nothing is open.");
}
// What ran, as sentences begin.
function ran() {
	const n = D.session, name = n.strategy === "cover" ? "suite in " + n.entry : `${n.strategy} of ${n.entry}`;
	return `${name} · ${times(tests.length, "test")}` + (n.ended ? ` · ended: ${n.ended}` : " · still running, or killed");
}
function overviewView() {
	const bad = functions.filter(f => f.n.u).sort(worst), kinds = new Map(), blocks = D.extra.blocks;
	for (const x of places) {
		if (!kinds.has(x.kind)) kinds.set(x.kind, {});
		kinds.get(x.kind)[x.verdict] = (kinds.get(x.kind)[x.verdict] || 0) + 1;
	}
	const part = (name, list, row) => list.length > 0 && h("section", {}, h("h2", {}, name), h("ul", { class: "why" }, list.map(x => h("li", {}, row ? row(x) : linked(x)))));
	const total = (name, n) => n.all > 0 && h("div", {}, h("p", {}, h("b", {}, name), h("span", { class: "mut" }, `${percent(n)} of ${number(n.all - n.i)}`)), bar(n), h("p", {}, legend(n)));
	const drawn = chart();
	list = { rows: bad, at: 0, open: f => address({ view: "source", f: f.file.short, l: f.line }) };
	return h("div", { class: "page scroll", tabindex: 0 }, answer(), h("p", { class: "mut" }, [ran(), D.session.runs > 0 && times(D.session.runs, "run"), D.session.search && `search ${D.session.search}`,
		D.session.seconds > 0 && `${D.session.seconds.toFixed(1)} s`].filter(x => x).join(" · ")),
	h("div", { class: "totals" }, total("Branches", totals.branches), total("Def-use pairs", totals.pairs)),
	h("div", { class: "columns" },
		h("section", { class: "wide" }, h("h2", {}, "Functions", h("small", {}, "area: outcomes and pairs; the deeper, the more of it is open")), treemap()),
		failures.length > 0 && h("section", {}, h("h2", {}, "Findings"), failures.map(findingItem)),
		h("section", {}, h("h2", {}, "Where to look first"), bad.length ? h("table", { id: "worst" }, h("tbody", {}, bad.slice(0, 12).map(f => h("tr", {},
			h("td", {}, h("a", { href: address({ view: "source", f: f.file.short, l: f.line }) }, code(f.name))), h("td", { class: "mut wider" }, `${f.file.short}:${f.line}`),
			h("td", { class: "num" }, h("span", { class: "pill" }, f.n.u)), h("td", { style: "width:36%" }, bar(f.n, "s")))))) : h("p", { class: "mut" }, "Nothing is open.")),
		drawn && h("section", {}, h("h2", {}, "Covered over time", h("small", {}, "outcomes and pairs, by runs in their order; logarithmic")), drawn),
		kinds.size > 0 && h("section", {}, h("h2", {}, "Places where a fault was looked for"), h("table", {}, h("tbody", {}, [...kinds].map(([k, n]) => h("tr", {}, h("td", {}, k),
			["found", "safe", "unknown"].map(v => h("td", { class: "num" + (v === "found" && n[v] ? " x" : " mut") }, `${n[v] || 0} ${v}`))))))),
		blocks?.length > 0 && h("section", {}, h("h2", {}, "Input blocks", h("small", {}, "inputs that are searched together")), blockMatrix(blocks)),
		part("What functions need from their callers", needs, n => [code(n.fn), ": ", code(n.text), n.file && [", ", lineLink(n.file, n.l)]]),
		part("Limits: what lies beyond them was not looked at", D.limits), part("What was assumed of the inputs", D.assumptions),
		part("What was not followed", D.lost, x => [x[0], x[1] && ` at ${x[1]}:${x[2]}`, ` (${times(x[3], "time")})`]), part("All that the store has", D.session.others)));
}
// FlowTest's partition: a row a block, a column an input.
function blockMatrix(blocks) {
	const inputs = blocks.flat();
	if (inputs.length > 40) return h("ul", { class: "why" }, blocks.slice(0, 60).map(b => h("li", {}, b.slice(0, 30).map(i => [code(i), " "]), b.length > 30 && `and ${b.length - 30} more`)));
	return h("div", { class: "over" }, h("table", { class: "matrix" }, h("thead", {}, h("tr", {}, inputs.map(i => h("th", {}, code(i))))),
		h("tbody", {}, blocks.map(b => h("tr", {}, inputs.map(i => h("td", {}, b.includes(i) && h("i", { class: "dot", "aria-label": "in the block" }))))))));
}
