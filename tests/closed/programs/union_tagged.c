/* entry: f
 * class: unions, arrays
 */
struct value { enum { NUMBER, TEXT, LIST } kind; union { long number; const char *text; struct value *list; } u; int n; };

int
f(const struct value *v)
{
	switch (v->kind) {
	case NUMBER:
		if (v->u.number == 12345)
			return 1;
		break;
	case TEXT:
		if (v->u.text[0] == 'x')
			return 2;
		break;
	case LIST:
		if (v->n > 0 && v->u.list[0].kind == LIST)
			return 3;
		break;
	default:
		return -1;
	}
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct value a = { NUMBER, { 12345 }, 0 }, b = { TEXT, { .text = "x" }, 0 }, c = { LIST, { .list = &b }, 1 },
	             d = { LIST, { .list = &c }, 1 }, e = { LIST, { 0 }, 0 }, g = { 7, { 0 }, 0 }, h = { NUMBER, { 1 }, 0 },
	             i = { TEXT, { .text = "" }, 0 };
	struct value *all[] = { &a, &b, &c, &d, &e, &g, &h, &i };

	for (int j = 0; j < 8; j++)
		f(all[j]);
	return 0;
}
#endif
