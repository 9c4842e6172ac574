int f(void) { return undeclared; }
