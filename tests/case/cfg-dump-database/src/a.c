#include "n.h"
int f(int a) { return a == N || a > M; }
