/* stamp: tells woven objects of another version apart. What such objects and the runtime agree on
 * (tables of units and of pairs, meaning of events) is not kept from version to version, and an
 * object of another one would write where the runtime does not expect it. */
#ifndef DUCT_PROTOCOL_STAMP_H
#define DUCT_PROTOCOL_STAMP_H

/* The name of a symbol that the runtime of this version defines and each woven object refers to, so
 * that linking fails otherwise. It has a checksum of the sources that matter (Makefile). */
extern const char duct_stamp[];

#ifndef DUCT_STAMP /* parts of the library that are compiled by themselves, as by tests */
#define DUCT_STAMP "duct_rt_object_of_another_version_compile_again_0"
#endif

#endif
