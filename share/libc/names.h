/* names: functions that library models call have names of their own, because functions of the C
 * library do not call functions that a program defines under these names. Included after all
 * headers of the C library; ALIAS gives such a function its usual name as well. */
#ifndef DUCT_NAMES_H
#define DUCT_NAMES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN(name) extern __typeof__(name) duct_model_##name __attribute__((visibility("hidden")))

OWN(strlen);
OWN(strnlen);
OWN(strchr);
OWN(strrchr);
OWN(strcmp);
OWN(memcmp);
OWN(stpcpy);
OWN(stpncpy);
OWN(strspn);
OWN(strcspn);
OWN(strtok_r);
OWN(strtol);
OWN(strtoll);
OWN(strtoul);
OWN(strtod);
OWN(strtof);
OWN(qsort_r);
OWN(getc);
OWN(fgets);
OWN(fread);
OWN(getdelim);
OWN(fopen);
OWN(clearerr);
OWN(read);
OWN(fork);
OWN(memcpy);
OWN(memset);

#undef getc
#define strlen duct_model_strlen
#define strnlen duct_model_strnlen
#define strchr duct_model_strchr
#define strrchr duct_model_strrchr
#define strcmp duct_model_strcmp
#define memcmp duct_model_memcmp
#define stpcpy duct_model_stpcpy
#define stpncpy duct_model_stpncpy
#define strspn duct_model_strspn
#define strcspn duct_model_strcspn
#define strtok_r duct_model_strtok_r
#define strtol duct_model_strtol
#define strtoll duct_model_strtoll
#define strtoul duct_model_strtoul
#define strtod duct_model_strtod
#define strtof duct_model_strtof
#define qsort_r duct_model_qsort_r
#define getc duct_model_getc
#define fgets duct_model_fgets
#define fread duct_model_fread
#define getdelim duct_model_getdelim
#define fopen duct_model_fopen
#define clearerr duct_model_clearerr
#define read duct_model_read
#define fork duct_model_fork
#define memcpy duct_model_memcpy
#define memset duct_model_memset

/* Memory that library models allocate themselves does not count among the program's calls that may
 * fail. */
#define INNER(call) \
	({ \
		__typeof__(call) inner_; \
		duct_inner++; \
		inner_ = (call); \
		duct_inner--; \
		inner_; \
	})
#define malloc(n) INNER(malloc(n))
#define calloc(n, size) INNER(calloc(n, size))
#define realloc(p, n) INNER(realloc(p, n))

#ifdef DUCT_NO_ALIASES
#define ALIAS(name)
#else
#define ALIAS(name) \
	extern __typeof__(duct_model_##name) duct_alias_##name __asm__(#name) \
	    __attribute__((weak, visibility("hidden"), alias("duct_model_" #name)));
#endif

#endif
