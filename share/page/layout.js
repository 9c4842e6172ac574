// Layers of a directed graph (Sugiyama, Tagawa, Toda): cycles are broken, long edges get points in each layer, the order
// in a layer follows the mean of the neighbours, and places are as near to them as widths allow.
// nodes: [{ w }]; edges: [{ a, b }], node 0 is the entry. Sets x, layer of nodes and points of edges; returns layers.
function arrange(nodes, edges, gap) {
	const out = nodes.map(() => []), state = [], order = [];
	edges.forEach(e => out[e.a].push(e));
	const roots = [0, ...nodes.keys()];
	for (const root of roots) {                  // depth first without recursion: functions may have many blocks
		const stack = state[root] ? [] : [[root, 0]];
		if (stack.length) state[root] = 1;
		while (stack.length) {
			const top = stack[stack.length - 1], e = out[top[0]][top[1]++];
			if (!e) {
				state[top[0]] = 2;
				order.unshift(top[0]);
				stack.pop();
			} else if (state[e.b] === 1) {
				e.back = true;
			} else if (!state[e.b]) {
				state[e.b] = 1;
				stack.push([e.b, 0]);
			}
		}
	}
	for (const n of nodes) n.layer = 0;
	for (const k of order) for (const e of out[k]) if (!e.back) nodes[e.b].layer = Math.max(nodes[e.b].layer, nodes[k].layer + 1);
	const all_of = [...nodes], links = [];
	for (const e of edges) {
		if (e.a === e.b) continue;
		const [from, to] = e.back ? [e.b, e.a] : [e.a, e.b];
		e.chain = [from];
		for (let l = nodes[from].layer + 1; l < nodes[to].layer; l++) {
			all_of.push({ w: 10, layer: l, point: true });
			e.chain.push(all_of.length - 1);
		}
		e.chain.push(to);
		for (let k = 1; k < e.chain.length; k++) links.push([e.chain[k - 1], e.chain[k]]);
	}
	const layers = [];
	all_of.forEach((n, k) => { (layers[n.layer] ??= []).push(k); });
	const up = all_of.map(() => []), down = all_of.map(() => []);
	for (const [a, b] of links) {
		down[a].push(b);
		up[b].push(a);
	}
	orderLayers(layers, up, down, links, all_of);
	placeLayers(layers, up, down, all_of, gap);
	for (const e of edges) if (e.chain) e.points = e.chain.map(k => ({ x: all_of[k].x, layer: all_of[k].layer }));
	return layers;
}
function orderLayers(layers, up, down, links, nodes) {
	const at = [], number_all = () => layers.forEach(l => l.forEach((k, i) => { at[k] = i; }));
	const crossings = () => {
		let n = 0;
		const by = new Map();
		for (const [a, b] of links) {
			const l = nodes[a].layer;
			if (!by.has(l)) by.set(l, []);
			by.get(l).push([at[a], at[b]]);
		}
		for (const e of by.values()) {
			if (e.length > 300) return Infinity;
			for (let i = 0; i < e.length; i++) for (let k = i + 1; k < e.length; k++) if ((e[i][0] - e[k][0]) * (e[i][1] - e[k][1]) < 0) n++;
		}
		return n;
	};
	number_all();
	let best = layers.map(l => [...l]), least = crossings();
	for (let round = 0; round < 16 && least > 0; round++) {
		const neighbours = round % 2 ? down : up, turn = round % 2 ? [...layers.keys()].reverse() : [...layers.keys()];
		for (const l of turn) {
			const mean = new Map(layers[l].map(k => [k, neighbours[k].length ? neighbours[k].reduce((t, n) => t + at[n],
				0) / neighbours[k].length : at[k]]));
			layers[l].sort((a, b) => mean.get(a) - mean.get(b) || at[a] - at[b]);
			layers[l].forEach((k, i) => { at[k] = i; });
		}
		const n = crossings();
		if (n < least) {
			least = n;
			best = layers.map(l => [...l]);
		}
	}
	best.forEach((l, i) => { layers[i] = l; });
}
// Places that are the least away from where they should be, in squares, with all gaps kept: neighbours that would overlap
// become one block at their common mean (pool adjacent violators).
function placeLayers(layers, up, down, nodes, gap) {
	const set = (layer, want) => {
		const blocks = [];
		let shift = 0;
		layer.forEach((k, i) => {
			if (i) shift += (nodes[layer[i - 1]].w + nodes[k].w) / 2 + (nodes[k].point && nodes[layer[i - 1]].point ? 8 : gap);
			blocks.push({ sum: (want[i] - shift) * (nodes[k].point ? 2 : 1), weight: nodes[k].point ? 2 : 1, n: 1 });
			while (blocks.length > 1 && blocks[blocks.length - 2].sum / blocks[blocks.length - 2].weight > blocks[blocks.length - 1].sum / blocks[blocks.length - 1].weight) {
				const b = blocks.pop(), a = blocks[blocks.length - 1];
				a.sum += b.sum;
				a.weight += b.weight;
				a.n += b.n;
			}
		});
		let i = 0;
		shift = 0;
		for (const b of blocks) for (let k = 0; k < b.n; k++, i++) {
			if (i) shift += (nodes[layer[i - 1]].w + nodes[layer[i]].w) / 2 + (nodes[layer[i]].point && nodes[layer[i - 1]].point
				? 8 : gap);
			nodes[layer[i]].x = b.sum / b.weight + shift;
		}
	};
	for (const n of nodes) n.x = 0;
	for (const l of layers) set(l, l.map(() => 0));
	for (let round = 0; round < 20; round++) {
		const turn = round % 2 ? [...layers.keys()].reverse() : [...layers.keys()];
		for (const l of turn) set(layers[l], layers[l].map(k => {
			const near = round > 15 ? [...up[k], ...down[k]] : round % 2 ? down[k] : up[k];
			return near.length ? near.reduce((t, n) => t + nodes[n].x, 0) / near.length : nodes[k].x;
		}));
	}
	const left = Math.min(...nodes.map(n => n.x - n.w / 2));
	for (const n of nodes) n.x -= left;
}
