/* stamp: the symbol that woven objects of this version refer to (lib/protocol/stamp.h). */
#include "lib/protocol/stamp.h"

extern const char symbol __asm__(DUCT_STAMP);
const char symbol = 1;
