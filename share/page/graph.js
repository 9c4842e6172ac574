// The control flow of a function as a picture: what tests take, what is open, what can never be.
const HEIGHT = 28, LAYER = 66, MOST = 500;

// Blocks without code of their own vanish, and those that always follow each other become one.
function simple(fn) {
	const flow = flowOf(fn), into = flow.blocks.map(() => 0), end = [];
	// Behind blocks without code of their own: none, or that of the line where the next one goes on.
	const empty = (k, next) => flow.blocks[k].length === 0 || next > k && flow.blocks[k].every(l => l === flow.blocks[next][0]);
	const reach = k => {
		for (let n = 0; n < 50 && k && flow.out[k].length === 1 && !flow.out[k][0].of && empty(k,
			flow.out[k][0].to); n++) k = flow.out[k][0].to;
		return k;
	};
	const out = flow.out.map(list => list.map(e => ({ to: reach(e.to), of: e.of })));
	const used = new Set([0]), stack = [0];
	while (stack.length) for (const e of out[stack.pop()]) if (!used.has(e.to)) {
		used.add(e.to);
		stack.push(e.to);
	}
	for (const k of used) for (const e of out[k]) into[e.to]++;
	const nodes = [], number_of = new Map();
	for (const k of used) {
		const only = [...used].some(j => j !== k && out[j].length === 1 && !out[j][0].of && out[j][0].to === k);
		if (k && into[k] === 1 && only) continue;
		let last = k;
		const lines = [...flow.blocks[k]];
		while (out[last].length === 1 && !out[last][0].of && into[out[last][0].to] === 1 && out[last][0].to !== k && out[last][0].to) {
			last = out[last][0].to;
			lines.push(...flow.blocks[last]);
		}
		number_of.set(k, nodes.length);
		end.push(last);
		nodes.push({ lines, chosen: [...flow.chosen].filter(([, block]) => reach(block) === k || block === last).map(([x]) => x) });
	}
	const edges = [];
	nodes.forEach((n, i) => {
		n.decides = out[end[i]].find(e => e.of)?.of;
		const same = new Map();                   // cases of one verdict that lead to one place are one edge
		for (const e of out[end[i]]) {
			const b = number_of.get(e.to), key = b + (e.of?.v ?? "");
			if (same.has(key)) same.get(key).of.push(...(e.of ? [e.of] : []));
			else same.set(key, { a: i, b, of: e.of ? [e.of] : [] });
		}
		edges.push(...same.values());
	});
	return { nodes, edges };
}
// Which blocks runs come to: those behind edges that are taken.
function mark_hit(nodes, edges, fn) {
	const hit = new Set(fn.n.c || fn.hits || fn.file.hits.get(nodes[0].lines[0]) ? [0] : []), stack = [...hit];
	while (stack.length) {
		const k = stack.pop(), last = nodes[k].lines[nodes[k].lines.length - 1];
		nodes[k].hit = true;
		if (!nodes[k].decides && fn.file.hits.get(last) === 0) continue;
		for (const e of edges) if (e.a === k && (!e.of.length || e.of.some(o => o.v === "c")) && !hit.has(e.b)) {
			hit.add(e.b);
			stack.push(e.b);
		}
	}
}
const verdictOf = (e, nodes) => !e.of.length ? nodes[e.a].hit ? "c" : "u" : e.of.some(o => o.v === "u") ? "u"
	: e.of.some(o => o.v === "c") ? "c" : "i";
function sideLabel(e) {
	const labels = e.of.map(o => o.side === "T" || o.side === "F" ? o.side : o.side === "default" ? "default" : o.label);
	return labels.length > 3 ? labels.slice(0, 2).join(" ") + " …" : labels.join(" ");
}
function blockText(n, fn) {
	if (n.decides) return n.decides.text + " ?";
	const text = l => (fn.file.lines?.[l - 1] ?? "").trim();
	return n.lines.map(text).find(t => t && !/^[{}]+$/.test(t)) || text(n.lines[0]) || "";
}
// The first or last part of a `for`, where that is all that a block does.
function clause(nodes, edges, k, fn) {
	const out = edges.filter(e => e.a === k), to = nodes[out[0]?.b], l = to?.decides && to.lines[0];
	if (out.length !== 1 || !l || nodes[k].decides || nodes[k].lines[nodes[k].lines.length - 1] !== l) return null;
	const m = /^\s*for\s*\(([^;]*);.*;([^;]*)\)/.exec(fn.file.lines?.[l - 1] ?? "");
	return m && nodes[k].lines.every(n => n === l || /^[\s{}]*$/.test(fn.file.lines[n - 1])) ? m[out[0].b < k ? 2 : 1].trim() : null;
}
function picture(fn) {
	const { nodes, edges } = simple(fn), x = byId.get(State.p);
	if (nodes.length > MOST) return h("p", { class: "mut" }, `${number(nodes.length)} blocks: too many for a picture.`);
	mark_hit(nodes, edges, fn);
	nodes.forEach((n, k) => {
		const asked = new Set(edges.filter(e => e.b === k).map(e => nodes[e.a].decides?.l)), own = n.lines.filter(l => !asked.has(l));
		if (!n.decides && own.length) n.lines = own;      // not the condition that leads here, but what is done
		const text = clause(nodes, edges, k, fn) || blockText(n, fn);
		n.text = text.length > 36 ? text.slice(0, 35) + "…" : text;
		n.l = n.decides && n.lines.includes(n.decides.l) ? n.decides.l : n.lines[0];
		n.w = Math.max(90, 52 + 7.3 * n.text.length + 14 * n.chosen.length);
	});
	const layers = arrange(nodes, edges, 26), y = layer => 10 + layer * LAYER, width = Math.max(...nodes.map(n => n.x + n.w / 2)) + 40;
	const lines = s("g"), boxes = s("g");
	const first = e => e.points?.[1]?.x ?? 0;
	const ports = nodes.map((_, k) => edges.filter(e => e.a === k && !e.back).sort((e, g) => first(e) - first(g)));
	for (const e of edges) {
		const v = verdictOf(e, nodes), a = nodes[e.a], b = nodes[e.b];
		let d, lx, ly;
		if (!e.points) {
			d = `M${a.x + a.w / 2} ${y(a.layer) + 8}c26 -14 26 30 0 14`;
			[lx, ly] = [a.x + a.w / 2 + 22, y(a.layer) + 18];
		} else {
			const list = e.points.map((p, k) => ({ x: p.x, y: y(p.layer) + (k ? 0 : HEIGHT), mid: k > 0 && k < e.points.length - 1 }));
			const port = ports[e.a].indexOf(e), n = ports[e.a].length;
			if (!e.back && n > 1) list[0].x += Math.max(-a.w / 2 + 14, Math.min(a.w / 2 - 14,
				(port - (n - 1) / 2) * Math.min(46, (a.w - 20) / (n - 1))));
			if (e.back) {
				list[0].x += b.w / 2 - 12;
				list[list.length - 1].x += a.w / 2 - 12;
			}
			d = `M${list[0].x} ${list[0].y}`;
			for (let k = 1; k < list.length; k++) {
				const p = list[k - 1], q = list[k], from = p.mid ? p.y + HEIGHT : p.y, m = (from + q.y) / 2;
				d += (p.mid ? `V${from}` : "") + `C${p.x} ${m} ${q.x} ${m} ${q.x} ${q.y}`;
			}
			[lx, ly] = e.back ? [list[list.length - 1].x + 5, list[list.length - 1].y - 5]
				: [list[0].x + (port < (n - 1) / 2 ? -5 : 5), list[0].y + 13];
		}
		const head = `url(#g-${v})`;
		lines.append(s("path", { class: "edge " + v, d, fill: "none", stroke: INK[v], "stroke-width": v === "c" ? 1.6 : 2,
			"stroke-dasharray": DASH[v],
			"marker-end": e.back ? null : head, "marker-start": e.back ? head : null }, s("title", {},
				e.of.map(o => plain(o) + ": " + WORD[o.v]).join("\n"))));
		if (e.of.length) boxes.append(s("text", { class: "side", x: lx, y: ly, "text-anchor": !e.back
			&& ports[e.a].indexOf(e) < (ports[e.a].length - 1) / 2 ? "end" : "start",
			style: `fill:${INK[v]}` }, sideLabel(e)));
	}
	for (const n of nodes) {
		const of = x && (n.lines.includes(x.l) || x.kind === "pair" && n.lines.includes(x.dl));
		boxes.append(s("a", { href: address({ view: "source", f: fn.file.short, l: n.l, p: x?.id }), class: "block" + (n.hit ? ""
			: " cold") + (of ? " of" : "") }, s("title", {},
			n.lines.map(l => `${l}  ${(fn.file.lines?.[l - 1] ?? "").trim()}`).join("\n")),
			s("rect", { x: n.x - n.w / 2, y: y(n.layer), width: n.w, height: HEIGHT, rx: 6 }),
			s("text", { class: "mut", x: n.x - n.w / 2 + 8, y: y(n.layer) + 18 }, n.l ?? ""), s("text",
				{ x: n.x - n.w / 2 + 44, y: y(n.layer) + 18 }, n.text),
			n.chosen.map((o, i) => s("text", { class: "side chosen", x: n.x + n.w / 2 - 12 * (n.chosen.length - i) - 2,
				y: y(n.layer) + 18, style: `fill:${INK[o.v]}` }, o.side))));
	}
	setTimeout(() => {                            // the entry is in sight
		const box = $(".drawing");
		if (box) box.scrollLeft = nodes[0].x + 20 - box.clientWidth / 2;
	});
	const H = y(layers.length) - LAYER + HEIGHT + 12;
	return s("svg", { class: "cfg", width: width + 20, height: H, viewBox: `-20 0 ${width + 20} ${H}`, role: "img",
		"aria-label": "Control flow of " + fn.name },
		s("defs", {}, ["c", "u", "i"].map(v => s("marker", { id: "g-" + v, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8,
			markerHeight: 8, markerUnits: "userSpaceOnUse",
			orient: "auto-start-reverse" }, s("path", { d: "M0 0l8 4l-8 4z", fill: INK[v] })))), lines, boxes);
}
function graphView() {
	const choice = [...functions].filter(f => f.n.all || f.graph).sort(worst);
	const fn = choice.find(f => f.name === State.fn && (!State.f || f.file.short === State.f))
		|| choice.find(f => f.name === State.fn) || choice.find(f => f.graph) || choice[0];
	if (!fn) return h("div", { class: "page" }, h("p", {}, "There are no functions."));
	return h("div", { class: "listing" }, h("div", { class: "bars" }, h("h1", {}, code(fn.name)), h("select",
		{ id: "graph-of", "aria-label": "function", onchange: e => {
		const f = choice[+e.target.value];
		go({ view: "graph", fn: f.name, f: f.file.short });
	} }, choice.map((f, k) => h("option", { value: k, selected: f === fn ? "" : null }, f.name + (f.n.u ? ` · ${f.n.u} open` : "")))),
	h("a", { class: "btn", href: address({ view: "source", f: fn.file.short, l: fn.line, p: State.p }) }, "Source"), h("span",
		{ class: "sp" }), legend(fn.n)),
	h("div", { class: "scroll drawing", tabindex: 0 }, fn.graph ? picture(fn) : h("p", { class: "mut" },
		"Its control flow is not known here: the source could not be compiled again, or has changed since the session.")));
}
