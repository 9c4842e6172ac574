// Words of the search: fn:NAME v:NAME f:FILE l:LINE k:KIND is:VERDICT t:TEST, anything else is looked up in names and texts.
const IS = { open: "u", unknown: "u", covered: "c", infeasible: "i" };
function matcher(word) {
	const m = /^(fn|v|f|l|k|is|t):(.+)$/.exec(word), w = (m ? m[2] : word).toLowerCase();
	switch (m?.[1]) {
	case "fn": return x => x.fn.name.toLowerCase() === w;
	case "v": return x => x.kind === "pair" ? x.variable.toLowerCase() === w || rootOf(x.variable).toLowerCase() === w
		: x.text.toLowerCase().split(/\W+/).includes(w);
	case "f": return x => x.file.name.toLowerCase().includes(w);
	case "l": return x => x.l === +w || x.dl === +w;
	case "k": return x => x.kind.startsWith(w);
	case "is": return w === "limited" ? x => x.v === "u" && x.why.includes("limits: ") : x => x.v === IS[w];
	case "t": return x => testByNumber.has(+w) && coveredBy(testByNumber.get(+w), x);
	default: return x => (x.search ??= `${x.fn.name} ${x.variable ?? x.text} ${x.file.short}:${x.l} ${x.label ?? ""} ${WORD[x.v]}`
		.toLowerCase()).includes(w);
	}
}
// The variable that a path begins with: s of s->f[3], x of x@12.
const rootOf = path => /[A-Za-z_]\w*/.exec(path)?.[0] ?? path;
const words = query => (query || "").trim().split(/\s+/).filter(x => x);
function find(query) {
	const all_of = words(query).map(matcher);
	return all_of.length ? all.filter(x => all_of.every(f => f(x))) : all;
}
const ORDERS = {
	place: (a, b) => a.file.i - b.file.i || a.l - b.l || a.col - b.col,
	function: (a, b) => a.fn.name < b.fn.name ? -1 : a.fn.name > b.fn.name ? 1 : 0,
	verdict: (a, b) => "uic".indexOf(a.v) - "uic".indexOf(b.v),
	objective: (a, b) => (a.variable ?? a.text) < (b.variable ?? b.text) ? -1 : (a.variable ?? a.text) > (b.variable ?? b.text) ? 1 : 0,
	branches: (a, b) => a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : ORDERS.place(a, b),      // these first
	runs: (a, b) => a.hits - b.hits,
};
// "runs" ascending, "-runs" descending; without an order as the report has them.
function sorted(list, order, orders) {
	const by = order && orders[order.replace("-", "")];
	return by ? [...list].sort(order.startsWith("-") ? (a, b) => by(b, a) : by) : list;
}
