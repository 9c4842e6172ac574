int a(void) { return N; }
