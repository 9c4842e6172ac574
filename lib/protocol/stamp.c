#include "lib/protocol/stamp.h"

const char duct_stamp[] = DUCT_STAMP;
