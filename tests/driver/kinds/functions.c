/* A table of functions of floating-point numbers; a library function that is run concretely. Outcomes: 12 */
#include <math.h>
typedef double (*op)(double, double);
static double add(double a, double b) { return a > b ? a + b : a; }
static double pw(double a, double b) { if (b < 0) return 0; return pow(a, b) > 8 ? 1 : 2; }
static double mul(double a, double b) { if (a * b > 12.5) return 1; return a * b; }
static const op ops[] = { add, pw, mul };
double apply(unsigned k, double a, double b) { if (k >= 3) return -1; double r = ops[k](a, b); if (r > 100.25) return 100; return r; }
