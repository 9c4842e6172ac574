// The source: rows with a gutter, in pieces that are made when they come in sight.
const ROW = 20, PIECE = 60;
let shown = null;                             // { file, box, rows, pieces, marks }

function stateOf(f, line) {
	const here = f.at.get(line), hits = f.hits.get(line);
	if (hits === undefined && !here) return "";
	const n = here ? count(here) : { u: 0, c: 0, i: 0, all: 0 };
	if (hits === 0 && !n.c) return n.all && n.i === n.all ? "i" : "u";
	return !n.u ? "c" : here.some(x => x.v === "u" && x.kind === "branch") ? "p" : "q";
}
// Stretches of lines that were never run and can be reached, the longest first: { from, to, n, fn }, n: lines with code.
const coldOf = f => f.cold ??= stretches(f).sort((a, b) => b.n - a.n || a.from - b.from);
function stretches(f) {
	const list = [];
	let open = null;
	for (const l of [...f.hits.keys()].sort((a, b) => a - b)) {
		const fn = functionAt(f, l), cold = f.hits.get(l) === 0 && stateOf(f, l) === "u";
		if (cold && open && open.fn === fn) Object.assign(open, { to: l, n: open.n + 1 });
		else if (cold) list.push(open = { from: l, to: l, n: 1, fn });
		else open = null;
	}
	return list;
}
// The whole file beside its source, a colour for what is worst in each part: a finding, lines that were never run, open
// outcomes, open pairs. It leads there.
const RANK = { "": 0, i: 1, c: 2, q: 3, p: 4, u: 5, x: 6 };
function ruler(f, last, box) {
	const parts = Math.min(last, 400), worst = Array.from({ length: parts }, () => ""), found = new Set(failures.filter(x => x.file === f)
		.map(x => x.l));
	for (const l of new Set([...f.hits.keys(), ...f.at.keys(), ...found])) {
		const at = Math.floor((l - 1) * parts / last), state = found.has(l) ? "x" : stateOf(f, l);
		if (RANK[state] > RANK[worst[at]]) worst[at] = state;
	}
	const marks = [];
	for (let k = 0, from = 0; k <= parts; k++) {
		if (k < parts && worst[k] === worst[from]) continue;
		if (worst[from]) marks.push(h("i", { class: worst[from], style: `top:${100 * from / parts}%;height:${100 * (k - from) / parts}%` }));
		from = k;
	}
	const seen = h("b", {}), bar = h("div", { class: "ruler", title: "the whole file: click to go there", onclick: e => {
		const r = bar.getBoundingClientRect();
		box.scrollTop = topOf(Math.max(1, Math.ceil((e.clientY - r.top) / r.height * last))) - box.clientHeight / 2;
	} }, marks, seen);
	const follow = () => {
		const all = Math.max(1, shown.rows.scrollHeight - 0.4 * innerHeight);
		seen.style.top = 100 * Math.min(1, box.scrollTop / all) + "%";
		seen.style.height = 100 * Math.min(1, box.clientHeight / all) + "%";
	};
	box.addEventListener("scroll", follow);
	setTimeout(follow);
	return bar;
}
function badgeOf(f, line) {
	const here = f.at.get(line), found = failures.find(x => x.file === f && x.l === line);
	if (found && !here?.some(x => x.v === "u")) return icon("x", `finding: ${found.words}`);
	if (!here) return null;
	const n = count(here);
	if (n.u) return h("button", { class: "pill", "aria-label": `line ${line}: ${n.u} open`, title: `${n.u} of ${n.all} open: unfold`,
		"aria-expanded": "false", onclick: e => { e.stopPropagation(); unfold(f, line); } }, brief(n.u));
	return icon(n.c ? "c" : "i", n.c ? `all covered${n.i ? ", or infeasible" : ""}` : "infeasible");
}
const variablesOf = fn => fn.variables ??= new Set(fn.items.filter(x => x.kind === "pair").map(x => rootOf(x.variable)));

function textOf(f, line) {
	const fn = functionAt(f, line), known = fn && variablesOf(fn);
	return tokens(f, line).map(([cls, text, at]) => {
		if (cls === "mac") return h("span", { class: "mac", "data-at": at, "data-name": text, role: "button", tabindex: -1,
			title: `#define ${text}${macros.get(text).parameters} ${macros.get(text).body.slice(0, 400)}` }, text);
		if (cls === "id" && known?.has(text)) return h("span", { class: "v", "data-at": at, "data-v": text }, text);
		return cls ? h("span", { class: cls, "data-at": at }, text) : text;
	});
}
function rowOf(f, line) {
	const state = stateOf(f, line), hits = f.hits.get(line);
	return h("div", { class: "ln " + state, "data-l": line, id: "L" + line },
		h("span", { class: "g" }, h("i", { class: "hit" }), h("b", { class: "no" }, line),
			h("span", { class: "runs", title: hits === undefined ? null : times(hits, tests.length && !D.session.runs ? "test" : "run") },
				hits === undefined ? "" : brief(hits)),
			h("span", { class: "bd" }, badgeOf(f, line)), h("span", { class: "lane" })),
		h("pre", {}, f.lines ? textOf(f, line) : "", "\n"));
}
// Unfolds the open objectives of a line under it.
function unfold(f, line) {
	const row = rowAt(line), button = row.querySelector(".pill");
	if (row.nextSibling?.classList?.contains("un")) {
		row.nextSibling.remove();
		button?.setAttribute("aria-expanded", "false");
	} else {
		const open = f.at.get(line).filter(x => x.v === "u"), most = 40;
		row.after(h("div", { class: "un" }, open.slice(0, most).map(x => h("a", { href: to(x) }, icon("u"), h("span", {}, title(x),
			h("small", {}, gist(x))))), open.length > most && h("a", { href: address({ view: "list",
				q: `f:${f.short} l:${line} is:open` }) }, `all ${open.length}`)));
		button?.setAttribute("aria-expanded", "true");
	}
	drawLanes();
}
// The first words of evidence.
const gist = x => x.why.split("; ")[0].replace(/^\S+, session \d+: /, "").slice(0, 160);

function makePiece(piece) {
	if (piece.made) return;
	piece.made = true;
	const f = shown.file, out = [];
	for (let l = piece.from; l <= piece.to; l++) {
		const fold = shown.folds.get(l), first = l;
		if (fold) out.push(h("button", { class: "fold",
			onclick: () => { shown.folds.delete(first); piece.made = false; makePiece(piece); drawLanes(); } },
			`lines ${l}–${fold}: comment`));
		if (fold) l = Math.min(fold, piece.to);
		else out.push(rowOf(f, l));
	}
	piece.box.style.height = "";
	piece.box.replaceChildren(...out);
	markIn(piece);
}
// How many rows a piece has while nothing is unfolded.
function rowsOf(piece) {
	let n = 0;
	for (let l = piece.from; l <= piece.to; l++, n++) l = Math.min(shown.folds.get(l) ?? l, piece.to);
	return n;
}
const pieceOf = line => shown?.pieces[Math.floor((line - 1) / PIECE)];
function rowAt(line) {
	const piece = pieceOf(line);
	if (!piece) return null;
	makePiece(piece);
	return piece.box.querySelector(`[data-l="${line}"]`);
}
// Where a line is, in pixels from the first one's top; folded lines are where their fold is.
function topOf(line) {
	const piece = pieceOf(line);
	if (!piece) return 0;
	if (!piece.made) return piece.box.offsetTop + (line - piece.from) * ROW;
	for (let l = line; l >= piece.from; l--) {
		const row = piece.box.querySelector(`[data-l="${l}"]`);
		if (row) return row.offsetTop;
	}
	return piece.box.offsetTop;
}

// The width of tabs: 8 where spaces behind them make up for half of one, as in "\t    x", else 4.
function tabsOf(lines) {
	const indented = lines.filter(l => l.startsWith("\t")), halves = indented.filter(l => /^\t+ {4,7}\S/.test(l));
	return 20 * halves.length > indented.length ? 8 : 4;
}
function sourceOf(f) {
	const last = Math.max(f.lines ? f.lines.length : 0, ...[...f.at.keys(), 0]);
	const box = h("div", { class: "code", tabindex: 0, "aria-label": f.name, style: f.lines && `tab-size:${tabsOf(f.lines)}` }), rows = h("div", { class: "rows" });
	const lanes = s("svg", { class: "lanes", "aria-hidden": "true" });
	shown = { file: f, box, rows, lanes, pieces: [], folds: new Map(f.lines ? longComments(f) : []), last };
	// A fold that crosses the end of a piece goes on in the next one.
	for (let from = 1; from <= last; from += PIECE) {
		const piece = { from, to: Math.min(last, from + PIECE - 1), made: false, box: h("div", { class: "piece" }) };
		piece.box.piece = piece;
		shown.pieces.push(piece);
	}
	for (const [l, end] of [...shown.folds])
		for (const p of shown.pieces) if (p.from > l && p.from <= end) shown.folds.set(p.from, end);
	for (const p of shown.pieces) p.box.style.height = rowsOf(p) * ROW + "px";
	const see = new IntersectionObserver(list => list.forEach(e => { if (e.isIntersecting) { makePiece(e.target.piece); see.unobserve(e.target); } }),
		{ root: box, rootMargin: "600px" });
	for (const p of shown.pieces) see.observe(p.box);
	rows.append(lanes, ...shown.pieces.map(p => p.box));
	if (!f.lines) box.append(h("p", { class: "empty" }, `${f.name} could not be read; what is known of its lines is shown.`));
	box.append(rows);
	rows.addEventListener("click", clickSource);
	return h("div", { class: "both" }, box, last > 0 && ruler(f, last, box));
}
function clickSource(e) {
	const macro = e.target.closest(".mac"), variable = e.target.closest(".v"), row = e.target.closest(".ln");
	if (!row || String(getSelection()).length) return;
	if (macro) {
		const open = macro.toggleAttribute("data-open");
		if (open) macro.dataset.body = " = " + macros.get(macro.dataset.name).body.slice(0, 400);
		return;
	}
	const l = +row.dataset.l, fn = functionAt(shown.file, l);
	go({ view: "source", f: shown.file.short, l, v: variable ? variable.dataset.v : null, fn: variable ? fn.name : null, q: State.q });
}

// Definition and use are marked at their tokens: the one with the variable's name that is next to the column.
function markToken(line, bytes, name, cls) {
	const row = rowAt(line), f = shown.file;
	if (!row || !f.lines) return;
	const col = columnOf(f.lines[line - 1] ?? "", bytes), spans = [...row.querySelectorAll("[data-at]")];
	const last = (name.match(/[A-Za-z_]\w*/g) || [name]).pop();
	let best = null;
	for (const e of spans) {
		const t = e.textContent, far = Math.abs(+e.dataset.at - col) + (t === rootOf(name) || t === last ? 0 : 1000);
		if ((far < 1000 || +e.dataset.at <= col && +e.dataset.at + t.length > col) && (!best || far < best.far)) best = { e, far };
	}
	best?.e.classList.add("tok", cls);
}
function markIn(piece) {
	const marks = shown.marks;
	if (!marks) return;
	for (const e of piece.box.querySelectorAll(".ln")) {
		const l = +e.dataset.l;
		e.classList.toggle("on", marks.lines.has(l));
		e.classList.toggle("way", marks.way.has(l));
	}
	if (marks.variable) for (const e of piece.box.querySelectorAll(`.v[data-v="${CSS.escape(marks.variable)}"]`)) {
		const l = +e.closest(".ln").dataset.l;
		e.classList.toggle("on", !marks.fn || l >= marks.fn.line && l <= marks.fn.end);
	}
	for (const [l, col, name, cls] of marks.tokens) if (l >= piece.from && l <= piece.to) markToken(l, col, name, cls);
}
function makeSeen() {
	const top = shown.box.scrollTop, bottom = top + (shown.box.clientHeight || 900);
	for (const p of shown.pieces) if (p.box.offsetTop < bottom && p.box.offsetTop + p.box.offsetHeight > top) makePiece(p);
}
// Marks the lines that the address names.
function mark() {
	const x = byId.get(State.p), way = x && wayOf(x), lines = new Set(), tokenList = [];
	if (State.l) lines.add(State.l);
	if (x) {
		if (x.file === shown.file) {
			lines.add(x.l);
			tokenList.push(x.kind === "pair" ? [x.l, x.col, x.variable, "use"] : [x.l, x.col, x.text, "use"]);
		}
		if (x.kind === "pair" && x.dfile === shown.file) {
			lines.add(x.dl);
			tokenList.push([x.dl, x.dcol, x.variable, "def"]);
		}
	}
	shown.marks = { lines, way: new Set(way && x.file === shown.file ? way.steps.map(t => t.l) : []), tokens: tokenList,
		variable: State.v, fn: State.v ? (byName.get(State.fn) || []).find(f => f.file === shown.file) : null };
	for (const e of shown.rows.querySelectorAll(".tok")) e.classList.remove("tok", "def", "use");
	for (const e of shown.rows.querySelectorAll(".v.on")) e.classList.remove("on");
	for (const p of shown.pieces) if (p.made) markIn(p);
	shown.box.classList.toggle("laned", !!(way && x.file === shown.file || State.v));
}
// Brings a line to sight, and another one with it when both fit.
function reveal(line, other) {
	makePiece(pieceOf(line) || shown.pieces[0] || { made: true });
	if (other) rowAt(other);
	const box = shown.box, height = box.clientHeight - (innerWidth < 900 && $(".panel.up") ? innerHeight * 0.5 : 0);
	let top = topOf(line), bottom = top + ROW;
	if (other && Math.abs(topOf(other) - top) < height - 4 * ROW) {
		top = Math.min(top, topOf(other));
		bottom = Math.max(bottom, topOf(other) + ROW);
	}
	if (top < box.scrollTop + ROW || bottom > box.scrollTop + height - ROW)
		box.scrollTop = Math.max(0, top - Math.max(2 * ROW, Math.min(height / 4, (height - (bottom - top)) / 2)));
}
