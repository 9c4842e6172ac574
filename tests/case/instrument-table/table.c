int one(int a) { return a + 1; }
int two(int a) { return a + 2; }
struct { const char *name; int (*call)(int); } table[] = { { "one", one }, { "two", two } };
int by_name(int k) { return table[k].call(k); }
int f(int x) { return x > 3; }
