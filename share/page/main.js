// The address holds all that is shown: view, file, line, objective, function, variable, query, order, test.
const KEYS = ["view", "f", "l", "p", "fn", "v", "t", "q", "o"];
const escaped = text => encodeURIComponent(text).replace(/%(3A|2C|2F|2A|5B|5D|40|3E)/g, decodeURIComponent).replace(/%20/g, "+");
function address(o) {
	const view = o.p && (!o.view || o.view === "source") ? null : o.view;
	return "#" + KEYS.map(k => [k, k === "view" ? view : k === "f" && o.p && !o.l && o.view !== "graph" ? null : o[k]])
		.filter(([, v]) => v != null && v !== "").map(([k, v]) => k + "=" + escaped(v)).join("&");
}
const go = o => { location.hash = address(o); };
const to = x => address({ p: x.id, q: State.q, o: State.o });
const startFile = () => [...files].filter(f => f.lines).sort(worst)[0] || files[0];
function read() {
	const st = {};
	for (const part of location.hash.slice(1).split("&")) {
		const k = part.split("=")[0];
		if (!KEYS.includes(k)) continue;
		try { st[k] = decodeURIComponent(part.slice(k.length + 1).replace(/\+/g, " ")); } catch (e) { /* a broken address */ }
	}
	if (!byId.has(st.p)) delete st.p;
	if (st.l) st.l = Number(st.l) || undefined;
	if (st.t) st.t = Number(st.t);
	if (!VIEWS[st.view]) st.view = "source";
	if (!files.length) st.view = "overview";
	return st;
}
let State = {};
const fileOf = st => (st.p && !st.f ? byId.get(st.p).file : files.find(f => f.short === st.f || f.name === st.f)) || (st.p
	? byId.get(st.p).file : startFile());

function rail(f) {
	const box = h("nav", { class: "rail", "aria-label": "functions" }), several = files.filter(x => x.items.length || x.hits.size).length > 1;
	const rows = functions.filter(x => x.n.all || x.file.hits.size).sort((a, b) => worst(a, b) || a.file.i - b.file.i || a.line - b.line);
	const inside = h("div", { class: "scroll" });
	const widget = virtual(inside, () => rows.length, 27, i => {
		const fn = rows[i];
		return h("a", { class: "fn", href: address({ view: "source", f: fn.file.short, l: fn.line, q: State.q }),
			"aria-current": fn === rail.now ? "true" : null, title: `${fn.name}, ${fn.file.short}:${fn.line}` },
			h("span", {}, code(fn.name), several && fn.file !== f && h("small", {}, fn.file.short)), fn.n.u ? h("span", { class: "pill" },
				brief(fn.n.u)) : fn.n.all ? icon(fn.n.c ? "c" : "i") : "");
	});
	box.append(h("h2", {}, "Functions, most open first"), inside);
	box.now = fn => { rail.now = fn; widget.paint(); const k = rows.indexOf(fn); if (k >= 0) widget.show(k); };
	return box;
}
// Lines that no test runs, of all files; the longest stretch of them is a click away.
function linesPart() {
	const known = files.filter(f => f.hits.size), all = known.reduce((n, f) => n + f.hits.size, 0), list = known.map(coldOf);
	const open = list.flat().reduce((n, c) => n + c.n, 0), at = list.reduce((k, c, i) => (c[0]?.n ?? 0) > (list[k]?.[0]?.n ?? 0) ? i : k, 0);
	return all > 0 && h("a", { class: "sum", href: open ? address({ view: "source", f: known[at].short, l: list[at][0].from }) : "#view=source" },
		h("b", {}, "Lines"), h("span", { class: "big" }, percent({ all, c: all - open, i: 0 })),
		h("span", { class: open ? "open" : "mut" }, open ? `${number(open)} never run` : "all run"));
}
// The summary that a person wants to see first, in a line.
function strip() {
	const part = (name, n, k) => n.all > 0 && h("a", { class: "sum", href: address({ view: "list", q: `k:${k} is:open` }) }, h("b",
		{}, name === "Branches" ? name : [h("span", { class: "long" }, "Def-use "), "pairs"]), h("span", { class: "big" },
		percent(n)), bar(n),
		h("span", { class: n.u ? "open" : "mut" }, n.u ? `${number(n.u)} open` : "all decided"), h("span", { class: "mut wider" },
			`${number(n.c)} covered, ${number(n.i)} infeasible`));
	return h("div", { class: "strip" }, linesPart(), part("Branches", totals.branches, "branch"), part("Def-use pairs", totals.pairs, "pair"),
		failures.length > 0 && h("a", { class: "sum", href: address({ view: "overview" }) }, icon("x"), h("span", { class: "x" },
			times(failures.length, "finding"))));
}
function sourceView() {
	const f = fileOf(State), side = rail(f), fns = f.fns;
	const view = h("div", { class: "work" }, strip(), h("div", { class: "three" }, side, h("section", { class: "middle" },
		h("div", { class: "sub" }, h("select", { id: "file", "aria-label": "file",
			onchange: e => go({ view: "source", f: files[+e.target.value].short, q: State.q }) },
			files.map(x => h("option", { value: x.i, selected: x === f ? "" : null }, x.short + (x.n.u ? ` · ${x.n.u} open` : "")))),
		h("select", { id: "function", "aria-label": "function", onchange: e => e.target.value
			&& go({ view: "source", f: f.short, l: +e.target.value, q: State.q }) },
			h("option", { value: "" }, "function …"),
				fns.map(x => h("option", { value: x.line }, x.name + (x.n.u ? ` · ${x.n.u} open` : "")))),
		h("span", { class: "where mut" }), h("span", { class: "sp" }), legend(f.n)), sourceOf(f)), h("aside", { class: "panel" })));
	view.side = side;
	return view;
}
const VIEWS = { source: sourceView, list: listView, tests: testsView, graph: graphView, overview: overviewView };
const TABS = [["source", "Source"], ["list", "Objectives"], ["tests", "Tests"], ["graph", "Graph"], ["overview", "Overview"]];

function header() {
	const search = h("input", { id: "search", type: "search", placeholder: "Search: parse v:exp is:open", "aria-label": "search",
		autocomplete: "off", spellcheck: "false", oninput: e => {
		clearTimeout(header.timer);
		header.timer = setTimeout(() => {
			const view = State.view === "tests" ? "tests" : "list";
			history.replaceState(null, "", address({ ...State, view, q: e.target.value, p: null, l: null, v: null, fn: null,
				f: null, t: State.view === "tests" ? State.t : null }));
			draw();
		}, 60);
	} });
	$("#top").append(h("a", { class: "logo", href: "#", "aria-label": "duct: start" }, s("svg", { viewBox: "0 0 20 20", width: 20 },
		s("path", { d: "M3 4h5a4 4 0 0 1 4 4v4a4 4 0 0 0 4 4h2", fill: "none", stroke: "var(--accent)", "stroke-width": 3,
			"stroke-linecap": "round" }), s("circle", { cx: 3.5, cy: 15.5, r: 2.5, fill: "var(--cov)" })), h("span", {}, "duct")),
	h("nav", { class: "tabs" }, TABS.map(([v, text]) => h("a", { href: address({ view: v }), "data-view": v }, text)),
		h("a", { href: "traceability.html" }, "Traceability")),
	h("div", { class: "search" }, search, h("kbd", {}, "/")),
	h("button", { class: "icon", id: "keys", "aria-label": "keys and search words", onclick: help }, "?"),
	h("button", { class: "icon", id: "theme", "aria-label": "light or dark", onclick: turn }, s("svg",
		{ viewBox: "0 0 16 16", width: 16 }, s("circle", { cx: 8, cy: 8, r: 6, fill: "none", stroke: "currentColor",
		"stroke-width": 1.5 }),
		s("path", { d: "M8 2a6 6 0 0 1 0 12z", fill: "currentColor" }))));
}
function turn() {
	const dark = document.documentElement.dataset.theme === "dark";
	document.documentElement.dataset.theme = dark ? "light" : "dark";
	try { localStorage.setItem("duct-theme", dark ? "light" : "dark"); } catch (e) { /* a page from a file may keep nothing */ }
}
function theme() {
	let kept = null;
	try { kept = localStorage.getItem("duct-theme"); } catch (e) { /* as above */ }
	document.documentElement.dataset.theme = kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
function help() {
	const keys = [["/", "search"], ["j k", "next, previous: row of a list; open outcome of the source"], ["enter",
		"open the row; unfold the line"], ["g", "graph of the function"], ["y", "copy a link to what is shown"],
		["t", "light or dark"], ["esc", "close"], ["?", "this"]];
	$("#help").replaceChildren(h("h2", {}, "Keys"), h("dl", {},
		keys.map(([k, text]) => [h("dt", {}, k.split(" ").map(c => h("kbd", {}, c))), h("dd", {}, text)])),
		h("h2", {}, "Search"), h("p", {}, ["fn:NAME", "v:VARIABLE", "f:FILE", "l:LINE", "k:branch", "k:pair", "is:open",
			"is:covered", "is:infeasible", "is:limited", "t:TEST"].map(w => [code(w), " "]),
			"; other words are looked up in names, conditions and places."),
		h("h2", {}, "Verdicts"), h("p", {}, icon("c"), " covered: a test does it. ", icon("i"),
			" infeasible: no input can, with what proves it. ", icon("u"),
			" unknown: neither; the limits say what was not explored."));
	$("#help").showModal();
}

let drawn = null;
function draw() {
	const before = State;
	State = read();
	const key = State.view === "source" ? "source " + (files.length ? fileOf(State).i : "") : null;
	$$(".tabs a").forEach(a => a.toggleAttribute("aria-current", a.dataset.view === State.view));
	$('.tabs a[data-view="list"]').href = address({ view: "list", q: State.q });
	if (document.activeElement !== $("#search")) $("#search").value = State.q || "";
	if (!key || key !== drawn) {
		if (State.view !== "source") shown = null;
		$("#view").replaceChildren(VIEWS[State.view]());
	}
	const fresh = key !== drawn;
	drawn = key;
	if (State.view === "source") drawSource(fresh, before);
	if (State.view === "tests") drawPanel();
	if (State.view === "list" || State.view === "tests") list.widget.show(list.at);
	document.title = `${State.p || (State.view === "source" ? fileOf(State).short : State.view)} · duct`;
}
function drawSource(fresh) {
	const x = byId.get(State.p), f = shown.file;
	mark();
	drawPanel();
	const line = State.l || (x ? x.kind === "pair" && x.dfile === f ? x.dl : x.l : null), cold = coldOf(f)[0],
		start = cold?.fn ?? [...f.fns].filter(n => n.n.u).sort(worst)[0];
	const fn = line ? functionAt(f, line) : start;
	$(".work").side.now(fn);
	$(".where").replaceChildren(...(x ? title(x) : fn ? [code(fn.name)] : []).flat(9).filter(e => e));
	if (line) reveal(line, x && !State.l && x.file === f ? x.l : null);
	else if (fresh && start && start.line < shown.last) {
		const first = cold ? Math.max(start.line - 1, cold.from - 8) : start.line - 2;
		makePiece(pieceOf(start.line));
		makePiece(pieceOf(Math.max(1, first)));
		shown.box.scrollTop = Math.max(0, topOf(Math.max(1, first)));
	}
	makeSeen();
	drawLanes();
}
// The next or previous: of a list, or of what the query finds in the file, without a query what is open there.
function step(by) {
	if (State.view !== "source") {
		if (!list?.rows.length || !list.widget) return;
		list.at = Math.max(0, Math.min(list.rows.length - 1, list.at + by));
		list.widget.show(list.at);
		return;
	}
	const f = shown.file, found = sorted((State.q ? find(State.q) : f.items.some(x => x.v === "u")
		? f.items.filter(x => x.v === "u") : f.items).filter(x => x.file === f), "place", ORDERS);
	if (!found.length) return;
	const now = byId.get(State.p), at = found.indexOf(now), line = now?.l || State.l || 0;
	const next = at >= 0 ? at + by : by > 0 ? found.findIndex(x => x.l >= line) : found.findLastIndex(x => x.l < line);
	location.hash = to(found[Math.max(0, Math.min(found.length - 1, next < 0 ? 0 : next))]);
}
function enter() {
	if (State.view === "source") {
		const line = State.l || byId.get(State.p)?.l, button = line && rowAt(line)?.querySelector(".pill");
		if (button) unfold(shown.file, line);
	} else if (list?.rows[list.at]) {
		location.hash = list.open(list.rows[list.at]);
	}
}
function link() {
	copy(location.href.split("#")[0] + (State.p ? address({ p: State.p }) : address(State)));
}
addEventListener("keydown", e => {
	if (e.ctrlKey || e.metaKey || e.altKey || $("#help").open) return;
	const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
	if (e.key === "Escape") {
		if (typing) e.target.blur();
		else if (State.p || State.l || State.v || State.t) closePanel();
		return;
	}
	if (typing && !(e.key === "Enter" && e.target.id === "search")) return;
	if (e.key === "Enter" && !typing && e.target.closest("a,button,summary")) return;
	const fn = byId.get(State.p)?.fn || (shown && State.l && functionAt(shown.file, State.l));
	const act = { "/": () => $("#search").focus(), j: () => step(1), k: () => step(-1),
		Enter: () => { $("#search").blur(); enter(); }, y: link, t: turn, "?": help,
		g: () => go({ view: "graph", fn: fn?.name, f: fn?.file.short, p: State.p }) }[e.key];
	if (!act) return;
	e.preventDefault();
	act();
});
addEventListener("hashchange", draw);
addEventListener("resize", () => { if (shown) drawLanes(); });
theme();
header();
draw();
