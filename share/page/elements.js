// Elements, icons, numbers, lists of which only what is in sight exists.
const SVG = "http://www.w3.org/2000/svg";
function fill(node, attributes, inside) {
	for (const [k, v] of Object.entries(attributes || {}))
		if (k.startsWith("on")) node.addEventListener(k.slice(2), v);
		else if (v != null && v !== false) node.setAttribute(k, v);
	node.append(...inside.flat(Infinity).filter(x => x != null && x !== false));
	return node;
}
const h = (tag, attributes, ...inside) => fill(document.createElement(tag), attributes, inside);
const s = (tag, attributes, ...inside) => fill(document.createElementNS(SVG, tag), attributes, inside);
const $ = selector => document.querySelector(selector), $$ = selector => [...document.querySelectorAll(selector)];
const code = (text, cls) => h("code", { class: cls }, text);

const WORD = { c: "covered", i: "infeasible", u: "unknown", x: "finding" };
const INK = { c: "var(--cov)", i: "var(--inf)", u: "var(--open)", x: "var(--fail)" };
const DASH = { c: null, i: "1.5 4", u: "5 4" };
// A verdict is a shape before it is a colour: a check, a slashed ring, a dashed ring; a finding is a triangle.
function icon(v, label) {
	const shapes = {
		c: () => [s("circle", { cx: 7, cy: 7, r: 6.4, fill: "currentColor" }),
			s("path", { d: "M4 7.2l2.1 2.1L10 5", fill: "none", stroke: "var(--bg)", "stroke-width": 1.8 })],
		i: () => [s("circle", { cx: 7, cy: 7, r: 5.6, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
			s("path", { d: "M3.2 10.8l7.6-7.6", stroke: "currentColor", "stroke-width": 1.5 })],
		u: () => s("circle", { cx: 7, cy: 7, r: 5.6, fill: "none", stroke: "currentColor", "stroke-width": 1.9,
			"stroke-dasharray": "2.6 1.8" }),
		x: () => [s("path", { d: "M7 1l6 11.5H1z", fill: "currentColor" }),
			s("path", { d: "M7 5v3.6M7 10v1.4", stroke: "var(--bg)", "stroke-width": 1.5 })],
	};
	return s("svg", { class: "ico " + v, viewBox: "0 0 14 14", role: "img", "aria-label": label || WORD[v] }, shapes[v]());
}
const number = n => n.toLocaleString("en");
const times = (n, word) => number(n) + "\u00a0" + word + (n === 1 ? "" : "s");
const brief = n => n < 1000 ? String(n) : n < 99950 ? (n / 1000).toFixed(1) + "k" : n < 1e6 ? Math.round(n / 1000) + "k"
	: (n / 1e6).toFixed(1) + "M";
// covered / (total - infeasible); of 0 of 0 it is `-`.
const percent = n => n.all > n.i ? (100 * n.c / (n.all - n.i)).toFixed(1) + " %" : "-";
const bar = (n, cls) => h("span", { class: "bar " + (cls || ""), role: "img",
	"aria-label": `${n.c} covered, ${n.i} infeasible, ${n.u} unknown` },
	["c", "i", "u"].map(v => n[v] > 0 && h("i", { class: v, style: `flex:${n[v]}` })));
const legend = n => h("span", { class: "legend" }, ["c", "i", "u"].map(v => h("span", {}, icon(v), `${number(n[v])} ${WORD[v]}`)));

function toast(text) {
	const e = $("#toast");
	e.textContent = text;
	e.classList.add("on");
	clearTimeout(toast.timer);
	toast.timer = setTimeout(() => e.classList.remove("on"), 1500);
}
// Where the clipboard is not allowed or does not answer, as in some pages from files, a selection is copied.
function copy(text) {
	let over = false;
	const old = () => {
		if (over) return;
		over = true;
		const area = h("textarea", { style: "position:fixed;opacity:0" });
		area.value = text;
		document.body.append(area);
		area.select();
		const good = document.execCommand("copy");
		area.remove();
		toast(good ? "Copied" : "Could not be copied");
	};
	if (!navigator.clipboard?.writeText) return old();
	navigator.clipboard.writeText(text).then(() => {
		if (!over) toast("Copied");
		over = true;
	}, old);
	setTimeout(old, 400);
}
const copyButton = (label, text, id) => h("button", { class: "btn", id, onclick: () => copy(text()) }, label);

// A list that scrolls: rows of one height, of which those in sight exist. row(i) makes one.
function virtual(box, rows, height, row) {
	const space = h("div", { class: "space" });
	let from = -1, to = -1;
	const paint = force => {
		const a = Math.max(0, Math.floor(box.scrollTop / height) - 10);
		const b = Math.min(rows(), Math.ceil((box.scrollTop + (box.clientHeight || 1200)) / height) + 10);
		if (!force && a === from && b === to) return;
		from = a;
		to = b;
		space.style.height = rows() * height + "px";
		space.replaceChildren(...Array.from({ length: Math.max(0, b - a) }, (_, k) => {
			const e = row(a + k);
			e.style.cssText = `position:absolute;left:0;right:0;top:${(a + k) * height}px;height:${height}px`;
			return e;
		}));
	};
	box.replaceChildren(space);
	box.addEventListener("scroll", () => paint(false), { passive: true });
	new ResizeObserver(() => paint(true)).observe(box);
	paint(true);
	return {
		paint: () => paint(true),
		show(i) {                             // scrolls no further than needed
			const top = i * height, end = top + height;
			if (top < box.scrollTop) box.scrollTop = Math.max(0, top - 2 * height);
			else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end + 2 * height - box.clientHeight;
			paint(true);
		},
	};
}
