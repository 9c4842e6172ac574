// Ways through the control flow: of a covered pair or branch along outcomes that its test takes, of others as far as tests
// get. The store has no traces: a way is a shortest one, and a test that loops may have taken a longer one as well.
function flowOf(fn) {
	if (!fn.graph || fn.flow) return fn.flow;
	const [, blocks, edges, accesses, selects] = fn.graph, out = blocks.map(() => []), list = [], chosen = new Map();
	for (let i = 0; i < selects.length; i += 2) chosen.set(branches[selects[i + 1]], selects[i]);
	for (let i = 0; i < edges.length; i += 3) out[edges[i]].push({ to: edges[i + 1], of: branches[edges[i + 2]] });
	for (let i = 0; i < accesses.length; i += 5) list.push({ i: i / 5, block: accesses[i], kind: accesses[i + 1], l: accesses[i + 2],
		col: accesses[i + 3], path: S[accesses[i + 4]] });
	return fn.flow = { blocks, out, accesses: list, chosen };
}
const OVERWRITES = 1;                         // kind of an access that certainly writes all that its path names
// s = ... writes s.f, too; p = ... does not write *p.
const overwrites = (a, variable) => a.kind === OVERWRITES && (a.path === variable || variable.startsWith(a.path + ".")
	|| variable.startsWith(a.path + "["));

// The cheapest way from block to block: a list of blocks, or null. cost(edge): Infinity where it may not lead; enters(block):
// whether it may pass through.
function shortest(flow, from, targets, cost, enters) {
	const best = new Array(flow.blocks.length).fill(Infinity), before = [], heap = [];
	const push = (block, price, by) => {
		if (price >= best[block]) return;
		best[block] = price;
		before[block] = by;
		heap.push([price, block]);
	};
	for (const e of flow.out[from]) push(e.to, cost(e), { block: -1, e });
	while (heap.length) {
		let k = 0;
		for (let i = 1; i < heap.length; i++) if (heap[i][0] < heap[k][0]) k = i;
		const [price, block] = heap.splice(k, 1)[0];
		if (price > best[block]) continue;
		if (targets.has(block)) {
			const list = [];
			for (let b = block; b >= 0; b = before[b].block) list.unshift({ block: b, by: before[b].e });
			list.unshift({ block: from, by: null });
			return list;
		}
		if (enters(block)) for (const e of flow.out[block]) push(e.to, price + cost(e), { block, e });
	}
	return null;
}

// The cost of a step along an edge: with a test only its own steps, else preferably those of some test.
function costs(test) {
	const price = { c: 1, u: 40, i: 2000 };
	return test ? e => !e.of || within(test.takes, e.of.i) ? 1 : Infinity : e => e.of ? price[e.of.v] : 1;
}

function pairBlocks(x, flow, test) {
	const name = x.variable.replace(/@\d+$/, "");
	const at = (a, l, col) => a.l === l && a.col === col;
	let sets = flow.accesses.filter(a => a.kind && at(a, x.dl, x.dcol)), reads = flow.accesses.filter(a => !a.kind && at(a, x.l, x.col));
	const named = list => list.some(a => a.path === name) ? list.filter(a => a.path === name) : list;
	sets = named(sets);
	reads = named(reads);
	if (!sets.length) {                           // at the entry, or by a call
		const block = x.dl === x.fn.line ? 0 : flow.blocks.findIndex(b => b.includes(x.dl));
		sets = [{ i: Math.max(-1, ...flow.accesses.filter(a => a.block === block && a.l === x.dl).map(a => a.i)), block }];
	}
	if (!reads.length) reads = flow.blocks.flatMap((b, k) => b.includes(x.l) ? [{ i: Infinity, block: k }] : []);
	const kills = flow.accesses.filter(a => overwrites(a, name)), killed = new Set(kills.map(a => a.block));
	const set = sets[sets.length - 1];
	if (!reads.length || set.block < 0) return null;
	const free = (from, to) => !kills.some(k => k !== set && k.i > from && k.i < to);
	const near = reads.find(r => r.block === set.block && r.i > set.i && free(set.i, r.i));
	if (near) return [{ block: set.block, by: null }];
	if (kills.some(k => k.block === set.block && k.i > set.i)) return null;
	const targets = new Set(reads.filter(r => !kills.some(k => k.block === r.block && k.i < r.i)).map(r => r.block));
	return shortest(flow, set.block, targets, costs(test), b => !killed.has(b));
}

function branchBlocks(x, flow, test) {
	const from = flow.out.findIndex(list => list.some(e => e.of === x));
	if (from < 0) {                               // it chooses a value: the way leads to where it stands
		const at = flow.chosen.get(x);
		return at === undefined ? null : at ? shortest(flow, 0, new Set([at]), costs(test), () => true) : [{ block: 0, by: null }];
	}
	const edge = flow.out[from].find(e => e.of === x);
	const list = from ? shortest(flow, 0, new Set([from]), costs(test), () => true) : [{ block: 0, by: null }];
	return list && [...list, { block: edge.to, by: edge, last: true }];
}

// Lines of a list of blocks; each step knows the edge that leads to its block.
function stepsOf(x, flow, blocks) {
	const steps = [];
	blocks.forEach(({ block, by, last }, k) => {
		let lines = flow.blocks[block];
		if (x.kind === "pair" && k === 0 && lines.includes(x.dl)) lines = lines.slice(lines.indexOf(x.dl));
		if (x.kind === "pair" && k === blocks.length - 1 && lines.lastIndexOf(x.l) >= 0) lines = lines.slice(0, lines.lastIndexOf(x.l) + 1);
		if (last) lines = lines.slice(0, 1);
		let edge = by;
		for (const l of lines.length ? lines : []) {
			if (!steps.length || steps[steps.length - 1].l !== l || edge?.of) steps.push({ l, by: edge });
			edge = null;
		}
		if (!lines.length && edge?.of && steps.length) steps[steps.length - 1].then = edge;
	});
	if (x.kind === "pair") {
		if (!steps.length || steps[0].l !== x.dl) steps.unshift({ l: x.dl });
		if (steps[steps.length - 1].l !== x.l || steps.length === 1 && x.l !== x.dl) steps.push({ l: x.l });
		if (steps.length === 1) steps.push({ l: x.l });
	}
	if (x.kind === "branch" && flow.chosen.has(x) && steps.some(t => t.l === x.l)) steps.length = steps.findIndex(t => t.l === x.l) + 1;
	return steps.filter((t, k) => !k || t.l !== steps[k - 1].l || k === steps.length - 1);
}

// A place that evidence names: { file, l }.
function placeIn(x, word) {
	const m = new RegExp(word + " (\\S+?):(\\d+):(\\d+)([^;]*)").exec(x.why);
	return m && { file: fileByName.get(m[1]), l: +m[2], col: +m[3], answer: m[4] };
}

// Where the closest test stops: { t, file, l }.
function closestOf(x) {
	const m = /closest test (\d+) stopped at (\S+):(\d+)/.exec(x.why);
	return m && { t: +m[1], file: fileByName.get(m[2]), l: +m[3] };
}
// Where the way ends: the number of the step, and why(), which makes the words.
function cutOf(x, steps) {
	const blocked = placeIn(x, "blocked at"), next = placeIn(x, "next");
	const stepAt = p => p && p.file === x.file ? steps.findIndex(t => t.l === p.l) : -1;
	let k = stepAt(blocked);
	if (x.v === "u" && k >= 0) {
		const [, side, answer] = /^\s*([^:]*:[^:]*):?\s*(.*)$/.exec(blocked.answer) || ["", "", blocked.answer, ""];
		return { k, why: () => ["on the closest path no input takes ", code(side), " here", answer && ` (${answer})`] };
	}
	const close = closestOf(x), where = close ? stepAt(close) : -1;
	k = steps.findIndex(t => t.by?.of && t.by.of.v !== "c");
	if (k >= 0) {
		const of = steps[k].by.of;
		return { k: Math.max(0, k - 1), why: () => [...of.v === "i" ? ["never ", title(of)] : ["no test where ", title(of)],
			k - 1 === where && testByNumber.has(close.t) && ["; test ", testLink(testByNumber.get(close.t)), " comes closest"]] };
	}
	if (x.v === "u" && where >= 0 && testByNumber.has(close.t))
		return { k: where, why: () => ["the closest test, ", testLink(testByNumber.get(close.t)), ", turns away here"] };
	k = stepAt(next);
	if (x.v === "u" && k >= 0) return { k, why: () => ["the closest run stops before this line"] };
	const who = x.v === "i" ? "no input" : "no test";
	return { k: steps.length - 1, why: () => x.side === "c" || x.kind === "branch" ? [who, " comes here", x.kind === "pair"
		&& " with this value"]
		: [who, " takes this side here with this value"] };
}

function wayOf(x) {
	if (x.way !== undefined) return x.way;
	const test = x.v === "c" ? testByNumber.get(x.test) : null, flow = flowOf(x.fn);
	const inside = x.file === x.fn.file && (x.kind === "branch" || x.dfile === x.file && functionAt(x.file, x.l) === x.fn);
	let blocks = null, steps = null, by = null, sure = false;
	if (flow && inside && (x.v !== "c" || test)) {
		blocks = x.kind === "pair" ? pairBlocks(x, flow, test) : branchBlocks(x, flow, test);
		if (blocks) {
			steps = stepsOf(x, flow, blocks);
			by = test ? "test" : "tests";
			const may = costs(test);
			sure = test && blocks.slice(0, -1).every(b => flow.out[b.block].filter(e => may(e) < Infinity).length === 1);
		}
	}
	if (!steps && x.path) {
		steps = lineList(x.path).map(l => ({ l }));
		by = "program";
	}
	if (!steps || !steps.length) return x.way = null;
	return x.way = { steps, by, sure, test, cut: x.v === "c" ? null : cutOf(x, steps) };
}
