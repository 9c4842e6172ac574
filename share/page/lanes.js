// Pictures between gutter and text: the numbered steps of a way, or the arcs of a variable's pairs.
function drawLanes() {
	if (!shown) return;
	const svg = shown.lanes, x = byId.get(State.p), way = x && x.file === shown.file ? wayOf(x) : null;
	svg.replaceChildren();
	if (way) drawWay(svg, x, way);
	else if (State.v) drawArcs(svg);
	svg.setAttribute("height", shown.rows.scrollHeight);
}
const middle = line => topOf(line) + ROW / 2;
function arrowHeads(...letters) {
	return s("defs", {}, letters.map(v => s("marker", { id: "head-" + v, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
		markerHeight: 7,
		markerUnits: "userSpaceOnUse", orient: "auto" }, s("path",
			{ d: "M0 0l8 4l-8 4z", fill: v === "way" ? "var(--accent)" : INK[v] }))));
}
function drawWay(svg, x, way) {
	const most = 99, steps = way.steps.slice(0, most), turns = new Map(), dots = [], lines = [];
	const cut = way.cut ? way.cut.k : Infinity, right = 70;
	const at = steps.map((t, k) => {
		const turn = turns.get(t.l) || 0;
		turns.set(t.l, turn + 1);
		return { k, x: right - 22 * Math.min(turn, 2), y: middle(t.l), hidden: turn > 2 };
	});
	for (let k = 1; k < at.length; k++) {
		const a = at[k - 1], b = at[k], dead = k > cut;
		const back = b.y <= a.y, bend = back ? Math.min(36, 14 + (a.y - b.y) / 12) : b.y - a.y > ROW + 1 ? Math.min(20,
			4 + (b.y - a.y) / 20) : 0;
		const d = back || bend || a.x !== b.x ? `M${a.x - (bend ? 8 : 0)} ${a.y}C${a.x - 8 - bend} ${a.y} ${b.x - 8 - bend} ${b.y} ${b.x - 10} ${b.y}`
			: `M${a.x} ${a.y + 8}V${b.y - 9}`;
		lines.push(s("path", { d, fill: "none", stroke: dead ? "var(--inf)" : "var(--accent)", "stroke-width": dead ? 1.2 : 1.8,
			"stroke-dasharray": dead ? "2 3" : null, "marker-end": dead ? null : "url(#head-way)" }));
	}
	at.forEach((p, k) => {
		if (p.hidden) return;
		const g = s("g", { class: k === cut ? "cross" : "step", "data-step": k + 1 });
		if (k === cut) g.append(s("circle", { cx: p.x, cy: p.y, r: 9, fill: "var(--fail)" }),
			s("path", { d: `M${p.x - 4} ${p.y - 4}l8 8m0 -8l-8 8`, stroke: "var(--bg)", "stroke-width": 2 }));
		else g.append(s("circle", { cx: p.x, cy: p.y, r: 8.5, fill: k > cut ? "var(--bg)" : "var(--accent)", stroke: k > cut
			? "var(--inf)" : "none",
			"stroke-dasharray": k > cut ? "2 2" : null }),
			s("text", { x: p.x, y: p.y + 3.6, "text-anchor": "middle", style: `fill:${k > cut ? "var(--inf)" : "var(--bg)"}` }, k + 1));
		dots.push(g);
	});
	svg.append(arrowHeads("way"), ...lines, ...dots);
}
function drawArcs(svg) {
	const fn = shown.marks?.fn, list = arcsOf(State.v, fn);
	const width = 62, right = 72, seen = new Map();
	svg.append(arrowHeads("c", "i", "u"));
	const span = Math.max(1, ...list.map(a => Math.abs(middle(a.l) - middle(a.dl))));
	for (const a of list.slice(0, 400)) {
		const y1 = middle(a.dl), y2 = middle(a.l), turn = seen.get(a.l) || 0;
		seen.set(a.l, turn + 1);
		const out = 10 + (width - 14) * Math.sqrt(Math.abs(y2 - y1) / span);
		const to = y2 + Math.max(-6, Math.min(6, 3 * turn - 6));
		svg.append(s("path", { class: "arc", d: y1 === y2 ? `M${right} ${y1 - 5}c-18 -8 -18 18 0 10`
			: `M${right} ${y1}C${right - out} ${y1} ${right - out} ${to} ${right} ${to}`,
			fill: "none", stroke: INK[a.v], "stroke-width": a.v === "u" ? 1.9 : 1.4, "stroke-dasharray": DASH[a.v],
			"marker-end": `url(#head-${a.v})` }, s("title", {}, `${a.dl} → ${a.l}: ${WORD[a.v]}`)));
	}
	for (const l of new Set(list.map(a => a.dl))) svg.append(s("circle", { cx: right, cy: middle(l), r: 3, fill: "var(--bg)",
		stroke: "var(--fg2)" }));
}
// An arc for each definition, use and verdict: outcomes of one condition may differ.
function arcsOf(variable, fn) {
	const arcs = new Map();
	for (const x of fn?.items || []) {
		if (x.kind !== "pair" || rootOf(x.variable) !== variable || x.dfile !== shown.file || x.file !== shown.file) continue;
		arcs.set(x.dl + " " + x.l + x.v, { dl: x.dl, l: x.l, v: x.v });
	}
	return [...arcs.values()];
}
