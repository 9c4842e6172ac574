/* report: tests in C from hand-written plans and inputs of grown objects. They compile without a
 * warning with both compilers, pass on the source under AddressSanitizer, reach the line marked
 * HERE by gcov, and fail on a mutant. */
#include "lib/report/report.h"
#include "lib/report/zip.h"
#include "tests/unit/tap.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Inputs: KIND[WIDTH] NAME VALUE, ...; s NAME TEXT: its characters and its end; n: a choice, o: a
 * pseudo variable. */
struct example {
	const char *name, *source, *plan, *inputs, *wrote,
	    *has;              /* has: texts that tests.c has, a line each */
	const char *from, *to; /* of the mutant */
	long long result;
	const char *flag;
};

#define STRICT "-Wall -Wextra -Werror -Wno-unused-parameter -O0"
#define NODE "struct node { int v; struct node *next; };\n"
#define NODE_TYPE "y\t1\tstruct node %s\t{0.v=i4;8.next=p8@1}\t16\n"
#define LIST "p\tl\tstruct node *%s\t\t0\ni\tl\t\tp8@1\t0\n"

static const struct example examples[] = {
	{ "list",
	    NODE
	    "int sum(struct node *l) { int s = 0; for (; l; l = l->next) s += l->v;\nif (s == 10) return 1; /* HERE */\nreturn 0; }\n",
	    "e\tsum\tint %s\ti\t0\n" NODE_TYPE LIST "x\tsum\t\t\t0\n",
	    "n l? 1 i32 l[0].v 3 n l[0].next? 1 i32 l[0].next[0].v 7 n l[0].next[0].next? 0 o l.bytes 16 o l[0].next.bytes 16",
	    "",
	    "static struct node node2 = { .v = 7, .next = NULL };\nstatic struct node node1 = { .v = 3, .next = &node2 };\n"
	    "struct node *l = &node1;\nDUCT_EQUAL(sum(l), 1);",
	    "== 10", "== 11", 1, NULL },
	{ "old",
	    NODE
	    "int sum(struct node *l) { int s = 0; for (; l; l = l->next) s += l->v;\nif (s == 10) return 1; /* HERE */\nreturn 0; }\n",
	    "e\tsum\tint %s\ti\t0\n" NODE_TYPE LIST "x\tsum\t\t\t0\n",
	    "n l? 1 i32 l[0].v 3 n l[0].next? 1 i32 l[0].next[0].v 7 n l[0].next[0].next? 0 o l.bytes 16 o l[0].next.bytes 16",
	    "", "node1.next = &node2;", "== 10", "== 11", 1, "-std=c89" },
	{ "none", NODE "int sum(struct node *l) {\nif (!l) return 5; /* HERE */\nreturn l->v; }\n",
	    "e\tsum\tint %s\ti\t0\n" NODE_TYPE LIST "x\tsum\t\t\t0\n", "n l? 0", "",
	    "struct node *l = NULL;", "return 5", "return 6", 5, NULL },
	{ "cycle",
	    NODE
	    "int cycle(struct node *l) { struct node *s = l, *f = l; while (f && f->next) { s = s->next; f = f->next->next; if (s == f)\n"
	    "return 1; /* HERE */ }\nreturn 0; }\n",
	    "e\tcycle\tint %s\ti\t0\n" NODE_TYPE LIST "x\tcycle\t\t\t0\n",
	    "n l? 1 n l[0].next? 1 n l[0].next[0].next? 2 o l.bytes 16 o l[0].next.bytes 16", "",
	    "static struct node node2;\nstatic struct node node1 = { .next = &node2 };\nnode2.next = &node1;",
	    "return 1", "return 2", 1, NULL },
	{ "self",
	    NODE
	    "int loop(struct node *l) {\nif (l->next == l) return 1; /* HERE */\nreturn 0; }\n",
	    "e\tloop\tint %s\ti\t0\n" NODE_TYPE LIST "x\tloop\t\t\t0\n",
	    "n l? 1 n l[0].next? 2 o l.bytes 16", "",
	    "static struct node node1 = { .next = &node1 };", "== l)", "!= l)", 1, NULL },
	{ "doubly",
	    "struct d { char tag; struct d *prev, *next; };\nint mend(struct d *l) { int n = 0; for (; l->next; l = l->next) if (l->next->prev == l) n++;\n"
	    "if (n == 2) return l->tag; /* HERE */\nreturn 0; }\n",
	    "e\tmend\tint %s\ti\t0\ny\t1\tstruct d %s\t{0.tag=c1;8.prev=p8@1;16.next=p8@1}\t24\n"
	    "p\tl\tstruct d *%s\t\t0\ni\tl\t\tp8@1\t0\nx\tmend\t\t\t0\n",
	    "n l? 1 n l[0].next? 1 n l[0].next[0].prev? 2 n l[0].next[0].next? 1 n l[0].next[0].next[0].prev? 3 "
	    "n l[0].next[0].next[0].next? 0 c8 l[0].next[0].next[0].tag 120 o l.bytes 24",
	    "", "d3 = { .tag = 'x', .next = NULL };\nd3.prev = &d2;\nd2.prev = &d1;", "n == 2",
	    "n == 3", 'x', NULL },
	{ "tree",
	    "typedef struct tree_t { struct tree_t *l, *r; int key; } tree_t;\nint depth(const tree_t *t) { int a, b; if (!t) return 0; a = depth(t->l); b = depth(t->r);\n"
	    "if (a != b) return a > b ? a + 1 : b + 1; /* HERE */\nreturn a + 1; }\n",
	    "e\tdepth\tint %s\ti\t0\ny\t1\ttree_t %s\t{0.l=p8@1;8.r=p8@1;16.key=i4}\t24\np\tt\ttree_t *%s\t\t0\ni\tt\t\tp8@1\t0\nx\tdepth\t\t\t0\n",
	    "n t? 1 n t[0].l? 1 n t[0].l[0].l? 0 n t[0].l[0].r? 1 n t[0].l[0].r[0].l? 0 n t[0].l[0].r[0].r? 0 n t[0].r? 0",
	    "",
	    "static tree_t tree1 = { .l = &tree2, .r = NULL };\ntree2 = { .l = NULL, .r = &tree3 };",
	    "b + 1", "b + 2", 3, NULL },
	{ "shared",
	    NODE
	    "int same(struct node *l, struct node *q, int *n) { *n = 4;\nif (l->next == q && q->v == 9) return *n; /* HERE */\nreturn 0; }\n",
	    "e\tsame\tint %s\ti\t0\n" NODE_TYPE "y\t2\tint %s\ti4\t4\n" LIST
	    "p\tq\tstruct node *%s\t\t0\ni\tq\t\tp8@1\t0\n"
	    "p\tn\tint *%s\t\t0\ni\tn\t\tp8@2\t0\nx\tsame\t\t\t0\n",
	    "n l? 1 n l[0].next? 1 n q? 3 n n? 1 i32 l[0].next[0].v 9 o n.bytes 4", "i32 n[0] 4",
	    "struct node *q = &node2;\nstatic int n[1]\nDUCT_EQUAL(same(l, q, n), 4);\nDUCT_EQUAL(n[0], 4);",
	    "*n = 4", "*n = 5", 4, NULL },
	{ "matrix",
	    "int trace(int **a, int n) { int s = 0, i; for (i = 0; i < n; i++) s += a[i][i];\nif (s > 100) return s; /* HERE */\nreturn 0; }\n",
	    "e\ttrace\tint %s\ti\t0\ny\t1\tint *%s\tp8@2\t8\ny\t2\tint %s\ti4\t4\np\ta\tint **%s\t\t0\ni\ta\t\tp8@1\t0\np\tn\tint %s\t\t0\ni\tn\t\ti4\t0\nx\ttrace\t\t\t0\n",
	    "n a? 1 i32 n 2 n a[0]? 1 i32 a[0][0] 60 n a[1]? 1 i32 a[1][1] 70 o a.bytes 16 o a[0].bytes 4 o a[1].bytes 8",
	    "", "static int *a[2] = { a_0, a_1 };\nstatic int a_1[2] = { 0, 70 };\nint n = 2;",
	    "s +=", "s -=", 130, NULL },
	{ "square",
	    "int corner(int (*m)[3], int n) {\nif (m[n - 1][2] == 5) return 1; /* HERE */\nreturn 0; }\n",
	    "e\tcorner\tint %s\ti\t0\ny\t1\tint %s[3]\t3*4:i4\t12\np\tm\tint (*%s)[3]\t\t0\ni\tm\t\tp8@1\t0\np\tn\tint %s\t\t0\ni\tn\t\ti4\t0\nx\tcorner\t\t\t0\n",
	    "n m? 1 i32 n 2 i32 m[1][2] 5 o m.bytes 24", "",
	    "static int m[2][3] = { { 0 }, { 0, 0, 5 } };", "== 5", "== 6", 1, NULL },
	{ "words",
	    "int verbose(char **argv) { int n = 0; for (; *argv; argv++) if ((*argv)[0] == '-' && (*argv)[1] == 'v') {\nn++; /* HERE */ (*argv)[0] = '+'; }\nreturn n; }\n",
	    "e\tverbose\tint %s\ti\t0\ny\t1\tchar *%s\tp8@2\t8\ny\t2\tchar %s\tc1\t1\np\targv\tchar **%s\t\t0\ni\targv\t\tp8@1\t0\nx\tverbose\t\t\t0\n",
	    "n argv? 1 n argv[0]? 1 s argv[0] prog n argv[1]? 1 s argv[1] -v n argv[2]? 0 o argv.bytes 24 o argv[0].bytes 5 o argv[1].bytes 3",
	    "c8 argv[1][0] 43",
	    "static char argv_1[] = \"-v\";\nstatic char *argv[3] = { argv_0, argv_1, NULL };\nDUCT_BYTES(argv_1, \"+\", 1);",
	    "'+'", "'*'", 1, NULL },
	{ "constant",
	    "int count(const char *const *names, const char *s) { int n = 0; for (; *names; names++) n++;\nif (n == 2 && s[0] == 'a' && s[1] == '\"') return n; /* HERE */\nreturn 0; }\n",
	    "e\tcount\tint %s\ti\t0\ny\t1\tconst char *%s\tp8@2\t8\ny\t2\tconst char %s\tc1\t1\np\tnames\tconst char *const *%s\t\t0\ni\tnames\t\tp8@1\t0\n"
	    "p\ts\tchar *%s\t\t0\ni\ts\t\tp8@2\t0\nx\tcount\t\t\t0\n",
	    "n names? 1 n s? 1 c8 s[0] 97 c8 s[1] 34 n names[0]? 1 s names[0] one n names[1]? 1 s names[1] two n names[2]? 0 o names.bytes 24",
	    "",
	    "static const char *names[3] = { \"one\", \"two\", NULL };\nstatic char s[2] = { 'a', '\"' };",
	    "return n", "return 3", 2, NULL },
	{ "string",
	    "void upper(char *s) { for (; *s; s++)\nif (*s >= 'a' && *s <= 'z') *s -= 32; /* HERE */ }\n",
	    "e\tupper\tvoid %s\tv\t0\ny\t1\tchar %s\tc1\t1\np\ts\tchar *%s\t\t0\ni\ts\t\tp8@1\t0\nx\tupper\t\t\t0\n",
	    "n s? 1 s s ab-c o s.bytes 5", "c8 s[0] 65 c8 s[1] 66 c8 s[3] 67",
	    "static char s[] = \"ab-c\";\nDUCT_BYTES(s, \"AB-C\", 4);", "-= 32", "-= 31", 0, NULL },
	{ "out",
	    "int split(int n, int **out) { static int t[2]; if (!out) return 0; t[0] = n; *out = t;\nif (n > 5) *out = 0; /* HERE */\nreturn 1; }\n",
	    "e\tsplit\tint %s\ti\t0\ny\t1\tint *%s\tp8@2\t8\ny\t2\tint %s\ti4\t4\np\tn\tint %s\t\t0\ni\tn\t\ti4\t0\np\tout\tint **%s\t\t0\ni\tout\t\tp8@1\t0\nx\tsplit\t\t\t0\n",
	    "i32 n 6 n out? 1 o out.bytes 8", "n out[0]? 0",
	    "static int *out[1]\nDUCT_EQUAL(out[0] == NULL, 1);", "*out = 0", "*out = t + 1", 1,
	    NULL },
	{ "bytes",
	    "int parse(void *base, unsigned long n) { unsigned char *b = base; if (n < 4) return 0;\nif (b[0] == 0x7f && b[3] == 'F') { b[1] = 2; return *(int *)base != 0; /* HERE */ }\nreturn 2; }\n",
	    "e\tparse\tint %s\ti\t0\ny\t1\t\tU1\t1\np\tbase\tvoid *%s\t\t0\ni\tbase\t\tp8@1\t0\np\tn\tunsigned long %s\t\t0\ni\tn\t\tu8\t0\nx\tparse\t\t\t0\n",
	    "n base? 1 u64 n 4 u8 base[0] 127 u8 base[3] 70 o base.bytes 4", "u8 base[1] 2",
	    "char *base = duct_new(4);\nduct_put(base, \"\\177\\000\\000F\", 4);\nDUCT_BYTES((const char *)base + 1, \"\\002\", 1);",
	    "b[1] = 2", "b[1] = 3", 1, NULL },
	{ "callback",
	    "int best(int *a, int n, int (*c)(const void *, const void *)) { int b = 0, i; for (i = 1; i < n; i++) if (c(&a[i], &a[b]) > 0)\nb = i; /* HERE */\nreturn b; }\n"
	    "int by_size(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }\n",
	    "e\tbest\tint %s\ti\t0\ny\t1\tint %s\ti4\t4\ny\t2\tint %s(const void *, const void *)\t\t0\nh\t\tint %s(const void *, const void *)\t\t0\nr\t\tint %s\ti4\t0\nv\t1\tconst void *%s\t\t0\nv\t2\tconst void *%s\t\t0\n"
	    "h\tby_size\tint %s(const void *, const void *)\t\t0\np\ta\tint *%s\t\t0\ni\ta\t\tp8@1\t0\np\tn\tint %s\t\t0\ni\tn\t\ti4\t0\n"
	    "p\tc\tint (*%s)(const void *, const void *)\t\t0\ni\tc\t\tp8@2\t0\nx\tbest\t\t\t0\n",
	    "n a? 1 i32 n 3 n c? 1 i32 c() -1 i32 c()#2 1 o a.bytes 4", "",
	    "static const int answers[] = { -1, 1, 0 };\nconst void *a1, const void *a2)", "> 0",
	    "< 0", 2, NULL },
	{ "candidate",
	    "int best(int *a, int n, int (*c)(const void *, const void *)) { int b = 0, i; for (i = 1; i < n; i++) if (c(&a[i], &a[b]) > 0)\nb = i; /* HERE */\nreturn b; }\n"
	    "int by_size(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }\n",
	    "e\tbest\tint %s\ti\t0\ny\t1\tint %s\ti4\t4\ny\t2\tint %s(const void *, const void *)\t\t0\nh\t\tint %s(const void *, const void *)\t\t0\nr\t\tint %s\ti4\t0\nv\t1\tconst void *%s\t\t0\nv\t2\tconst void *%s\t\t0\n"
	    "h\tby_size\tint %s(const void *, const void *)\t\t0\np\ta\tint *%s\t\t0\ni\ta\t\tp8@1\t0\np\tn\tint %s\t\t0\ni\tn\t\ti4\t0\n"
	    "p\tc\tint (*%s)(const void *, const void *)\t\t0\ni\tc\t\tp8@2\t0\nx\tbest\t\t\t0\n",
	    "n a? 1 i32 n 3 n c? 2 i32 a[0] 4 i32 a[1] 5 i32 a[2] -3 o a.bytes 12", "",
	    "static int a[3] = { 4, 5, -3 };\n = by_size;", "> 0", "< 0", 1, NULL },
	{ "undefined",
	    NODE
	    "struct node *pick(int i); int fill(int *p, int n);\nint use(int i) { struct node *n = pick(i); int v = 0; if (fill(&v, 1) == 2 && n && n->v == v)\n"
	    "return 7; /* HERE */\nreturn 0; }\n",
	    "e\tuse\tint %s\ti\t0\nf\tpick\tstruct node *(%s)(int)\t\t0\nr\t\tstruct node *%s\tp8@1\t0\nv\t1\tint %s\t\t0\n"
	    "f\tfill\tint (%s)(int *, int)\t\t0\nr\t\tint %s\ti4\t0\nv\t1\tint *%s\ti4\t4\nv\t2\tint %s\t\t0\n" NODE_TYPE
	    "p\ti\tint %s\t\t0\ni\ti\t\ti4\t0\nx\tuse\t\t\t0\n",
	    "i32 i 1 n pick()? 1 i32 fill() 2 i32 fill().1[0] 5 i32 pick()[0].v 5 o pick().bytes 4",
	    "",
	    "struct node *pick(int a1)\nduct_symbolic((void *)a1, 256, \"fill().1\");\nduct_give(\"pick()\", &node1);",
	    "return 7", "return 8", 7, NULL },
	{ "fields",
	    "struct flags { unsigned a : 3, b : 5; union { int i; float f; char c[4]; } u; struct { short x, y; } in; struct flags *up; };\n"
	    "int look(struct flags *p) {\nif (p->a == 5 && p->b == 9 && p->u.i == 77 && p->in.y == 3 && p->up->in.x == 4) return p->up->a; /* HERE */\nreturn 0; }\n",
	    "e\tlook\tint %s\ti\t0\ny\t1\tstruct flags %s\t{0.a=1*1:U1;4.u=4*1:U1;8.in={0.x=i2;2.y=i2};16.up=p8@1}\t24\n"
	    "p\tp\tstruct flags *%s\t\t0\ni\tp\t\tp8@1\t0\nx\tlook\t\t\t0\n",
	    "n p? 1 u8 p[0].a[0] 77 u8 p[0].u[0] 77 i16 p[0].in.y 3 n p[0].up? 1 i16 p[0].up[0].in.x 4 u8 p[0].up[0].a[0] 6",
	    "",
	    ".in = { .y = 3 }, .up = &flags2 };\nduct_put((char *)&flags1 + 4, \"M\\000\\000\\000\", 4);",
	    "== 77", "== 78", 6, NULL },
	{ "byvalue",
	    NODE
	    "struct pair { struct node *a, *b; int n; };\nint cmp(struct pair p) {\nif (p.a == p.b && p.a && p.a->v == p.n) return 1; /* HERE */\nreturn 0; }\n",
	    "e\tcmp\tint %s\ti\t0\n" NODE_TYPE
	    "p\tp\tstruct pair %s\t\t0\ni\tp\t\t{0.a=p8@1;8.b=p8@1;16.n=i4}\t0\nx\tcmp\t\t\t0\n",
	    "n p.a? 1 n p.b? 2 i32 p.n 8 i32 p.a[0].v 8", "",
	    "struct pair p = { .a = &node1, .b = &node1, .n = 8 };", "== p.n", "!= p.n", 1, NULL },
	{ "global",
	    NODE
	    "struct node *head; int put(int v) { struct node *n = head; if (!n || n->v >= v) return 0; head = n->next;\nreturn 1; /* HERE */ }\n",
	    "e\tput\tint %s\ti\t0\n" NODE_TYPE
	    "g\thead\t\t\t0\ni\thead\t\tp8@1\t0\np\tv\tint %s\t\t0\ni\tv\t\ti4\t0\nx\tput\t\t\t0\n",
	    "n head? 1 i32 v 4 i32 head[0].v 3 n head[0].next? 1", "n head? 3",
	    "head = &node1;\nDUCT_EQUAL(head == (void *)&node2, 1);", "head = n->next", "head = 0",
	    1, NULL },
	{ "reverse",
	    NODE
	    "struct node *reverse(struct node *l) { struct node *r = 0, *n; for (; l; l = n) { n = l->next;\nl->next = r; /* HERE */ r = l; } return r; }\n",
	    "e\treverse\tstruct node *%s\tp\t0\n" NODE_TYPE LIST "x\treverse\t\t\t0\n",
	    "n l? 1 n l[0].next? 1 n l[0].next[0].next? 0", "n l[0].next? 0 n l[0].next[0].next? 2",
	    "DUCT_EQUAL(node1.next == NULL, 1);\nDUCT_EQUAL(node2.next == (void *)&node1, 1);",
	    "r = l;", "r = 0;", 1, NULL },
	{ "freed",
	    "#include <stdlib.h>\n" NODE
	    "int drop(struct node *l) { int n = 0; while (l) { struct node *t = l->next; free(l); l = t;\nn++; /* HERE */ } return n; }\n",
	    "e\tdrop\tint %s\ti\t0\n" NODE_TYPE LIST "x\tdrop\t\t\t0\n",
	    "n l? 1 n l[0].next? 1 n l[0].next[0].next? 0 o l.freed 1 o l[0].next.freed 1", "",
	    "struct node *l = duct_new(sizeof *l);\nstruct node *node1 = duct_new(sizeof *node1);\nl[0].next = node1;",
	    "n++", "n--", 2, NULL },
	{ "stream",
	    "#include <stdio.h>\nint first(FILE *f) { int c = getc(f); if (c == EOF) return -1;\nif (c == '#') return getc(f); /* HERE */\nreturn 0; }\n",
	    "e\tfirst\tint %s\ti\t0\ny\t1\tstruct _IO_FILE %s\tS\t0\np\tf\tFILE *%s\t\t0\ni\tf\t\tp8@1\t0\nx\tfirst\t\t\t0\n",
	    "n f? 1 c8 f[0] 35 c8 f[1] 33 u64 f.len 2", "", "FILE *f = duct_stream(\"#!\", 2);",
	    "return getc(f)", "return 1", '!', NULL },
	{ "calls",
	    "int next(int up) { static int n; n += up;\nif (n == 5) return 1; /* HERE */\nreturn 0; }\n",
	    "e\tnext\tint %s\ti\t0\np\tup\tint %s\t\t0\ni\tup\t\ti4\t0\nx\tnext\t\t\t0\n",
	    "i32 up 2 i32 up#2 3", "", "(void)next(up);\nint up = 3;\nDUCT_EQUAL(next(up), 1);",
	    "n += up", "n = up", 1, NULL },
	{ "incomplete", "struct opaque;\nint has(struct opaque *o, struct opaque *p) {\nif (o && p && o != p) return 2; /* HERE */\nreturn o != 0; }\n", "e\thas\tint %s\ti\t0\ny\t1\tstruct opaque %s\t\t0\np\to\tstruct opaque *%s\t\t0\ni\to\t\tp8@1\t0\np\tp\tstruct opaque *%s\t\t0\ni\tp\t\tp8@1\t0\nx\thas\t\t\t0\n",
	    "n o? 1 n p? 1", "", "struct opaque *o = duct_new(64);", "return 2", "return 3", 2,
	    NULL },
	{ "floats",
	    "int odd(double *d, int n) { int i; for (i = 0; i < n; i++)\nif (d[i] != d[i]) return i; /* HERE */\nreturn -1; }\n",
	    "e\todd\tint %s\ti\t0\ny\t1\tdouble %s\tf8\t8\np\td\tdouble *%s\t\t0\ni\td\t\tp8@1\t0\np\tn\tint %s\t\t0\ni\tn\t\ti4\t0\nx\todd\t\t\t0\n",
	    "n d? 1 i32 n 3 f64 d[0] 4609434218613702656 f64 d[1] 9221120237041090560 o d.bytes 16",
	    "", "static double d[2] = { 1.5, 0 };\nd[1] = duct_bits(", "return i", "return i + 1",
	    1, NULL },
	{ "length",
	    "int last(int *a, int n) {\nif (a[2 * n] == 4) return 1; /* HERE */\nreturn 0; }\n",
	    "e\tlast\tint %s\ti\t0\ny\t1\tint %s\ti4\t4\nj\ta\t2*n+1\texact\t1\np\ta\tint *%s\t\t0\ni\ta\t\tp8@1\t0\np\tn\tint %s\t\t0\ni\tn\t\ti4\t0\nx\tlast\t\t\t0\n",
	    "n a? 1 i32 n 3 i32 a[6] 4", "",
	    "int *a = duct_new((unsigned long)(2*n+1) * sizeof *a);\na[6] = 4;", "== 4", "!= 4", 1,
	    NULL },
	{ "sparse",
	    "int find(const unsigned char *t, int i) {\nif (t[i] == 200) return 1; /* HERE */\nreturn 0; }\n",
	    "e\tfind\tint %s\ti\t0\ny\t1\tunsigned char %s\tu1\t1\np\tt\tunsigned char *%s\t\t0\ni\tt\t\tp8@1\t0\np\ti\tint %s\t\t0\ni\ti\t\ti4\t0\nx\tfind\t\t\t0\n",
	    "n t? 1 i32 i 99 u8 t[99] 200 o t.bytes 100", "",
	    "static unsigned char t[100] = { [99] = 200 };", "== 200", "== 201", 1, NULL },
};

static char *text(const char *fmt, ...)
{
	char *s;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		abort();
	va_end(ap);
	return s;
}

static void write_text(const char *path, const char *what)
{
	FILE *f = fopen(path, "w");

	if (!f)
		abort();
	fputs(what, f);
	fclose(f);
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *s = NULL;
	size_t room = 0;

	if (!f || getdelim(&s, &room, 0, f) < 0)
		s = strdup("");
	if (f)
		fclose(f);
	return s;
}

/* Inputs from the text of the options --wrote and --inputs. */
static void read_inputs(struct input *in, const char *list)
{
	char *copy = strdup(list), *save = copy, *kind, *name, *value;

	while ((kind = strsep(&save, " ")) && (name = strsep(&save, " "))
	    && (value = strsep(&save, " "))) {
		unsigned width = kind[1] ? (unsigned)atoi(kind + 1) : *kind == 'o' ? 64 : 32;
		struct value v = { strtoull(value, NULL, 10), 0 };
		if (*kind != 's') {
			v.lo &= width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
			input_add(in, name, (uint8_t)*kind, (uint16_t)width, v);
		}
		for (size_t i = 0; *kind == 's' && i <= strlen(value); i++) {
			char *element = text("%s[%zu]", name, i);
			input_add(in, element, INPUT_CHAR, 8,
			    (struct value){ (unsigned char)value[i], 0 });
			free(element);
		}
	}
	free(copy);
}

static bool emit(const struct example *x, const char *format)
{
	char *source = text("%s.c", x->name), *plan = text("plan 1\n%s", x->plan), *error = NULL;
	char *files[] = { source, NULL }, *flags[] = { (char *)x->flag, NULL }, *none[] = { NULL };
	char empty[] = "", strategy[] = "concolic", origin[] = "solved", end[] = "exit";
	char *entry = strndup(x->plan + 2, strcspn(x->plan + 2, "\t"));
	struct view_test t = { .number = 1,
		.origin = origin,
		.end = end,
		.has_result = !strstr(x->plan, "\tv\t0"),
		.result = x->result,
		.output = empty };
	struct store_view v = { .strategy = strategy,
		.search = empty,
		.entry = entry,
		.plan = plan,
		.narrowing = empty,
		.file = files,
		.flag = flags,
		.environment = none,
		.others = none,
		.test = &t,
		.tests = 1 };

	read_inputs(&t.input, x->inputs);
	read_inputs(&t.wrote, x->wrote);
	bool done = report_tests(x->name, &v, format, &error) == 0;
	if (error)
		printf("# %s: %s\n", x->name, error);
	input_clear(&t.input);
	input_clear(&t.wrote);
	free(error);
	free(entry);
	free(plan);
	free(source);
	return done;
}

/* Does what the folder's Makefile does, but compiles the runner only once for each compiler. gcc
 * links, as it starts faster than clang. */
static int check(const struct example *x, const char *cc, const char *flags)
{
	char *runner =
	    text("test -d runner-%s || (mkdir runner-%s && cd runner-%s && %s %s -std=gnu11 -c"
	         " ../%s/duct_test.c ../%s/duct_process.c ../%s/duct_values.c)",
	        cc, cc, cc, cc, flags, x->name, x->name, x->name);
	char *tests = text("cd %s && %s %s -I. -fwrapv %s -c tests.c"
	                   " && gcc %s -o tests tests.o ../runner-%s/*.o && ./tests",
	    x->name, cc, flags, x->flag ? x->flag : "", flags, cc);
	char *command = text("(%s && %s) >log 2>&1", runner, tests);
	int status = system(command);

	free(runner);
	free(tests);
	free(command);
	return status;
}

static void show(const char *name)
{
	char *s = read_text(name);

	for (char *save = s, *line; (line = strsep(&save, "\n"));)
		printf("# %s\n", line);
	free(s);
}

static void result(bool fine, const struct example *x, const char *what)
{
	char *words = text("%s: %s", x->name, what);

	ok(fine, words);
	if (!fine)
		show("log");
	free(words);
}

static void has_texts(const struct example *x)
{
	char *path = text("%s/tests.c", x->name), *tests = read_text(path), *list = strdup(x->has),
	     *save = list, *line;
	bool all = true;

	while ((line = strsep(&save, "\n")))
		if (!strstr(tests, line)) {
			printf("# not in it: %s\n", line);
			all = false;
		}
	ok(all, x->name);
	if (!all)
		show(path);
	free(list);
	free(tests);
	free(path);
}

static void mutate(const struct example *x, const char *path)
{
	const char *at = strstr(x->source, x->from);
	char *mutant = at
	    ? text("%.*s%s%s", (int)(at - x->source), x->source, x->to, at + strlen(x->from))
	    : NULL;

	if (mutant)
		write_text(path, mutant);
	result(mutant && check(x, "clang-19", STRICT) && !system("grep -q '^not ok' log"), x,
	    "a mutant fails");
	free(mutant);
}

static void covered(const struct example *x)
{
	char *command = text(
	    "cd %s && gcov -o . tests.o >../log 2>&1 && grep -q '^ *[1-9][0-9]*[*]*:.*HERE' %s.c.gcov",
	    x->name, x->name);

	result(!system(command), x, "gcov saw its line");
	free(command);
}

/* More files than the common end of an archive has room for, and few. */
static void archive(unsigned files)
{
	char *path = text("%u.zip", files), *command, name[16];
	FILE *f = fopen(path, "w");
	struct zip z;

	zip_open(&z, f);
	for (unsigned i = 0; i < files; i++) {
		int n = snprintf(name, sizeof name, "f/%u", i);
		zip_add(&z, name, name, (size_t)n);
	}
	zip_close(&z);
	fclose(f);
	command = text(
	    "unzip -tqq %s && [ \"$(unzip -p %s f/%u)\" = f/%u ] && [ \"$(zipinfo -1 %s | wc -l)\" = %u ]",
	    path, path, files - 1, files - 1, path, files);
	okf(!system(command), "an archive of %u files", files);
	free(command);
	free(path);
}

int main(int argc, char **argv)
{
	char scratch[] = "/tmp/duct-report-XXXXXX", *command;

	if (!mkdtemp(scratch) || system(NULL) == 0)
		return 4;
	command = text("rm -r %s", scratch);
	if (chdir(scratch))
		return 4;
	setenv("ASAN_OPTIONS", "detect_leaks=1", 1);
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		const struct example *x = &examples[i];
		char *path = text("%s.c", x->name);
		if (argc > 1 && strcmp(argv[1], x->name))
			continue;
		write_text(path, x->source);
		result(emit(x, NULL), x, "written");
		has_texts(x);
		if (argc > 1) {
			char *tests = text("%s/tests.c", x->name);
			show(tests);
			free(tests);
		}
		result(!check(x, "gcc", STRICT " -fsanitize=address --coverage"), x, "gcc");
		covered(x);
		result(!check(x, "clang-19", STRICT), x, "clang");
		mutate(x, path);
		free(path);
	}
	archive(2);
	archive(65537);
	system(command);
	free(command);
	return finish();
}
