/* Definitions, calls and returns as C once had them. Outcomes: 6 */
add(a, b) int a, b; { if (a > b) return a; foo(a); return b; }
main() { int x; x = add(getchar(), 5); if (x == 65) printf("A\n"); }
foo(x) { if (x == 3) puts("three"); }
