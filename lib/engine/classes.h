/* classes: the built-in engines. Private to lib/engine. */
#ifndef DUCT_CLASSES_H
#define DUCT_CLASSES_H

#include "lib/engine/engine.h"

extern const struct engine_class engine_sat, engine_z3, engine_boolector;

#endif
