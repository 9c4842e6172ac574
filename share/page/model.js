// The data: files, functions, tests and what was to be covered, all of which the report writes as arrays.
const D = JSON.parse($("#data").textContent), S = D.strings;
const LETTER = ["u", "c", "i"];
const SIDE = { "p:true": "T", "p:false": "F", "p:default": "default", c: "c" };
const sideOf = kind => SIDE[kind] || kind.replace(/^p:case /, "case");

// "12 14-16 15" as numbers.
function lineList(text) {
	return text.split(" ").filter(x => x).flatMap(x => {
		const [from, to] = x.split("-").map(Number);
		return Array.from({ length: (to || from) - from + 1 }, (_, k) => from + k);
	});
}
function count(list) {
	const n = { c: 0, i: 0, u: 0, all: list.length };
	for (const x of list) n[x.v]++;
	return n;
}

const files = D.files.map((f, i) => {
	const hits = new Map();
	for (let k = 0; k < f[2].length; k += 2) hits.set(f[2][k], f[2][k + 1]);
	return { i, name: f[0], lines: f[1], hits, at: new Map(), sets: new Map(), fns: [], items: [] };
});
// The folders that all file names begin with are not shown.
const common = (() => {
	const folders = files.map(f => f.name.split("/").slice(0, -1));
	let n = 0;
	while (folders.length && folders.every(w => w.length > n && w[n] === folders[0][n])) n++;
	return folders.length ? folders[0].slice(0, n).join("/").length + (n ? 1 : 0) : 0;
})();
for (const f of files) f.short = f.name.slice(common);
const fileByName = new Map(files.map(f => [f.name, f]));

const functions = D.functions.map((f, i) => ({ i, name: S[f[0]], file: files[f[1]], line: f[2], end: f[3], hits: f[4], items: [] }));
for (const g of D.graphs) functions[g[0]].graph = g;
const byName = new Map();
for (const f of functions) {
	if (byName.has(f.name)) byName.get(f.name).push(f); else byName.set(f.name, [f]);
	f.file.fns.push(f);
}
// The function of that name, in the file when it can be; made when the report has none.
function functionOf(name, file, line) {
	const same = byName.get(name) || [];
	let f = same.find(x => x.file === file && line >= x.line && line <= x.end) || same.find(x => x.file === file) || same[0];
	if (!f) {
		f = { i: functions.length, name, file, line, end: line, hits: 0, items: [], guessed: true };
		functions.push(f);
		byName.set(name, [f]);
		file.fns.push(f);
	}
	if (f.guessed && f.file === file) {
		f.line = Math.min(f.line, line);
		f.end = Math.max(f.end, line);
	}
	return f;
}
function functionAt(file, line) {
	let found = null;
	for (const f of file.fns) if (f.line <= line && line <= f.end && (!found || f.line > found.line)) found = f;
	return found;
}

// A column counts bytes; a text has characters.
function columnOf(text, bytes) {
	if (/^[\0-\x7f]*$/.test(text)) return bytes - 1;
	let n = 1, at = 0;
	for (const c of text) {
		if (n >= bytes) break;
		const p = c.codePointAt(0);
		n += p < 0x80 ? 1 : p < 0x800 ? 2 : p < 0x10000 ? 3 : 4;
		at += c.length;
	}
	return at;
}
// The text of a case label, as the source has it: '/', not 47.
function caseText(file, line, col, side) {
	const text = file.lines?.[line - 1] ?? "";
	const m = /^case\s+((?:'(?:\\.|[^'\\])+'|[^':])+?)\s*:/.exec(text.slice(columnOf(text, col)));
	return m ? m[1] : side.slice(4);
}

const branches = D.branches.map((b, i) => ({ kind: "branch", i, file: files[b[0]], l: b[1], col: b[2], name: S[b[3]], text: S[b[4]],
	side: sideOf(S[b[5]]), v: LETTER[b[6]], why: S[b[7]], hits: b[8], test: b[9] }));
const pairs = [];                              // from runs of one state: differences of definition and use (lib/report/page.c)
for (const run of D.pairs.list) {
	const [verdict, why, hits, path, test] = D.pairs.states[run[0]];
	for (let k = 1, i = pairs.length; k < run.length; k += 2, i++) {
		const before = pairs[i - 1], def = run[k] + (before ? before.def : 0), use = run[k + 1] + (before ? before.use : 0);
		const d = D.pairs.defs[def], u = D.pairs.uses[use];
		pairs.push({ kind: "pair", i, def, use, name: S[d[0]], variable: S[d[1]], dfile: files[d[2]], dl: d[3], dcol: d[4],
			file: files[u[0]], l: u[1], col: u[2], side: sideOf(S[u[3]]), v: LETTER[verdict], why: S[why], hits, path: S[path], test });
	}
}
const all = [...branches, ...pairs];
const byId = new Map();
for (const x of all) {
	x.fn = functionOf(x.name, x.kind === "pair" ? x.dfile : x.file, x.kind === "pair" ? x.dl : x.l);
	x.fn.items.push(x);
	x.file.items.push(x);
	if (x.file.at.has(x.l)) x.file.at.get(x.l).push(x); else x.file.at.set(x.l, [x]);
	if (x.kind === "pair") {
		if (x.dfile.sets.has(x.dl)) x.dfile.sets.get(x.dl).push(x); else x.dfile.sets.set(x.dl, [x]);
	} else if (x.side.startsWith("case")) {
		x.label = caseText(x.file, x.l, x.col, x.side);
		(x.fn.labels ??= new Map()).set(x.side, x.fn.labels.has(x.side) && x.fn.labels.get(x.side) !== x.label ? null : x.label);
	}
	const id = x.kind === "pair" ? `${x.name}.${x.variable}.${x.dl}:${x.dcol}-${x.l}:${x.col}.${x.side}`
		: `${x.name}.${x.l}:${x.col}.${x.side}`;
	x.id = id;
	for (let k = 2; byId.has(x.id); k++) x.id = id + "~" + k;
	byId.set(x.id, x);
}
for (const x of pairs) if (x.side.startsWith("case")) x.label = x.fn.labels?.get(x.side) ?? x.side.slice(4);
for (const f of functions) f.n = count(f.items);
for (const f of files) {
	f.n = count(f.items);
	f.fns.sort((a, b) => a.line - b.line);
}
// The most open first; of as many open those of which less is covered.
const worst = (a, b) => b.n.u - a.n.u || a.n.c / (a.n.all || 1) - b.n.c / (b.n.all || 1);
const totals = { branches: count(branches), pairs: count(pairs) };
totals.pairs.all += D.unlisted;
totals.pairs.u += D.unlisted;

// Inputs as people read them, a line each: what a pointer is, not how it was chosen; how long objects are is in the C.
function inputLines(text) {
	return (text || "").split(/, (?=[A-Za-z_*(][^,"']* = )/).flatMap(part => {
		const m = /^(.*)\? = \(choice (\d+)\)$/.exec(part);
		if (m) return m[2] === "0" ? [m[1] + " = NULL"] : m[2] === "1" ? [] : [`${m[1]} = an object of before (${m[2]})`];
		return /\.bytes = \d+$/.test(part) ? [] : [part];
	});
}
const tests = D.tests.map((t, i) => ({ i, number: t[0], name: t[1], end: t[2], n: t[3], pairs: t[4], takes: t[5], covers: t[6],
	inputs: inputLines(t[7]).join("\n"), wrote: t[8], run: t[9], what: t[10], text: t[11], parent: t[12], origin: S[t[13]] }));
const testByNumber = new Map(tests.map(t => [t.number, t]));
function within(ranges, x) {
	for (let i = 0; i < ranges.length; i += 2) if (x >= ranges[i] && x < ranges[i] + ranges[i + 1]) return true;
	return false;
}
const coveredBy = (t, x) => within(x.kind === "pair" ? t.covers : t.takes, x.i);
const testsOf = x => tests.filter(t => coveredBy(t, x));
// How many objectives each test is the first to cover.
for (const t of tests) t.first = 0;
for (const x of all) if (x.test && testByNumber.has(x.test)) testByNumber.get(x.test).first++;

const failures = D.failures.map(x => ({ words: x[0], file: files[x[1]], l: x[2], fn: x[3], message: x[4], test: x[5], runs: x[6] }));
const needs = D.needs.map(x => ({ fn: x[0], text: x[1], file: files[x[2]], l: x[3], runs: x[4] }));
const places = D.places.map(x => ({ kind: S[x[0]], fn: S[x[1]], file: files[x[2]], l: x[3], col: x[4], verdict: S[x[5]] }));

// The wish of an objective and its side, in words.
function sideWords(x) {
	switch (x.side) {
	case "T": return [" is true"];
	case "F": return [" is false"];
	case "c": return [];
	case "default": return [" takes no case", x.kind === "branch" ? "" : " of its switch"];
	default: return [x.kind === "branch" ? " is " : " takes case ", code(x.label)];
	}
}
function title(x) {
	if (x.kind === "branch") return [code(x.text), ...sideWords(x)];
	const from = x.dfile === x.file ? String(x.dl) : `${x.dfile.short}:${x.dl}`;
	return [code(x.variable), ` ${from} → ${x.l}`, x.side !== "c" && [",", x.side === "T" ? " true side" : x.side === "F" ? " false side"
		: sideWords(x)]];
}
const plain = x => h("span", {}, title(x)).textContent;
