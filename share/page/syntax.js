// Lines as tokens: [class, text, first character from 0]. Macros that the sources define are a class of their own.
const TOKEN = /(\/\*.*?(?:\*\/|$)|\/\/.*)|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(\b\d[\w.]*)|([A-Za-z_]\w*)|(\s+)|([^\sA-Za-z_0-9"'/]+|.)/g;
const KEYWORDS = new Set(("if else while for do switch case default return break continue goto sizeof static const extern struct enum union "
	+ "typedef inline volatile register restrict auto _Bool _Static_assert").split(" "));
const TYPES = new Set("int char double float void unsigned signed long short size_t bool ssize_t FILE uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t".split(" "));
const macros = new Map();
function readMacros(f) {
	for (let i = 0; f.lines && i < f.lines.length; i++) {
		const m = /^\s*#\s*define\s+([A-Za-z_]\w*)(\([^)]*\))?\s*(.*)$/.exec(f.lines[i]);
		if (!m) continue;
		let body = m[3], k = i;
		while (body.endsWith("\\") && k + 1 < f.lines.length) body = body.slice(0, -1).trimEnd() + " " + f.lines[++k].trim();
		body = body.replace(/\/\*.*?\*\/|\/\/.*$/g, "").trim();
		if (body) macros.set(m[1], { file: f, l: i + 1, parameters: m[2] || "", body });
	}
}
files.forEach(readMacros);
// Whether a comment is open where each line begins.
function openComments(f) {
	if (f.comments) return f.comments;
	let open = false;
	return f.comments = f.lines.map(text => {
		const was = open;
		for (let i = 0; i < text.length; ) {
			const end = open ? text.indexOf("*/", i) : -1;
			if (open) {
				if (end < 0) break;
				open = false;
				i = end + 2;
				continue;
			}
			const m = /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\/\/.*|\/\*/g;
			m.lastIndex = i;
			const found = m.exec(text);
			if (!found) break;
			open = found[0] === "/*";
			i = m.lastIndex;
		}
		return was;
	});
}
function tokens(f, line) {
	const text = f.lines[line - 1] ?? "", out = [];
	let at = 0;
	if (openComments(f)[line - 1]) {
		const end = text.indexOf("*/");
		at = end < 0 ? text.length : end + 2;
		out.push(["cm", text.slice(0, at), 0]);
	} else if (/^\s*#/.test(text)) {
		return [["pp", text, 0]];
	}
	for (const m of text.slice(at).matchAll(TOKEN))
		out.push([m[1] ? "cm" : m[2] ? "st" : m[3] ? "nu" : m[4] ? KEYWORDS.has(m[4]) ? "kw" : TYPES.has(m[4]) ? "ty"
			: macros.has(m[4]) ? "mac" : "id" : "", m[0], at + m.index]);
	return out;
}
// Comments of more than a few lines, which are folded: [first, last] each.
function longComments(f) {
	const open = openComments(f), list = [];
	for (let l = 1; l <= f.lines.length; l++) {
		let end = l;
		while (end < f.lines.length && open[end]) end++;
		if (end - l >= 7 && /^\s*\/\*/.test(f.lines[l - 1]) && /\*\/\s*$/.test(f.lines[end - 1])) list.push([l, end]);
		l = end;
	}
	return list;
}
