int f(void) { return undeclared; }
int g(state *s) { switch (s->step) { case 1: return 1; } return 0; }
