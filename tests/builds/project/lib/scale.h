#ifndef SCALE_H
#define SCALE_H
#ifndef FACTOR
#error "the build system gives FACTOR"
#endif
int scale(int x);
int clamp(int x);
#endif
