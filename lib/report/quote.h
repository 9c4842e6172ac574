/* quote: private to lib/report: texts as JSON and XML want them. */
#ifndef DUCT_REPORT_QUOTE_H
#define DUCT_REPORT_QUOTE_H

#include <stdio.h>

/* A JSON string; NULL is null. What is in `also` is written by its number. What is no UTF-8 is taken for Latin 1. */
void quote_json(FILE *f, const char *s, const char *also);
/* Text or the value of an attribute; characters that XML cannot have become `?`. */
void quote_xml(FILE *f, const char *s);

#endif
