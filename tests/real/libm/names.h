/* Names of musl that those of the C library's header would clash with. */
#include <math.h>

#define __sin musl_sin
#define __cos musl_cos
#define __tan musl_tan
#define __sinl musl_sinl
#define __cosl musl_cosl
#define __tanl musl_tanl
#define __signbit musl_signbit
#define __signbitf musl_signbitf
#define __signbitl musl_signbitl
#define __fpclassify musl_fpclassify
#define __fpclassifyf musl_fpclassifyf
#define __fpclassifyl musl_fpclassifyl
