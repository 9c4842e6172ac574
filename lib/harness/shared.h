/* shared: the scalars, and arrays and unions without pointers, of structures that share bytes: the
 * members of a union, or structures that may stand at one place. The first pointer gets its bytes,
 * then the first number. */
#ifndef DUCT_HARNESS_SHARED_H
#define DUCT_HARNESS_SHARED_H

#include "lib/flow/flow.h"

struct shared_part {
	uint64_t offset, size;
	uint32_t type; /* 0: bytes without an lvalue */
	char *name;    /* an lvalue: names of members and indices */
	bool pointer;
	char mark; /* in a layout, behind its shape: '|' or '/' (lib/protocol/abi.h), or 0 */
};

struct shared_parts {
	struct shared_part *v;
	size_t n;
	bool narrow; /* bytes may have values there that these parts cannot give them */
};

/* Adds the parts of an object of the type. name: its lvalue; "": its members are named alone. */
void shared_collect(
    struct shared_parts *p, const struct flow_unit *u, uint32_t type, const char *name);

/* Gives each byte from `from` on and below `size` to one of the parts: to the first pointer there,
 * else to the first number, else to bytes without an lvalue. Pointers to other types at the place
 * of a pointer follow it. Bytes of no part are padding~OFFSET. The caller frees it. */
struct shared_parts shared_layout(
    const struct shared_parts *all, const struct flow_unit *u, uint64_t from, uint64_t size);
void shared_free(struct shared_parts *p);

#endif
