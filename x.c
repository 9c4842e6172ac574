static int *p; static int s; void keep(int *q) { p = q; }
int f(int e) { s = p ? *p : 0; if (s > 5) return 9; return e; }
