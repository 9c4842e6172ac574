static int b(int x) { return x + N; }
