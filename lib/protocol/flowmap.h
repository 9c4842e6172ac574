/* flowmap: the memory in which the runs of a program built with --flows keep what they wrote in the
 * scopes of decisions (lib/runtime/flow_written.c). It belongs to the server, or is a memfd of
 * run-trace (--flow-map), inherited as the descriptor that channel.h's flow_map tells. The program
 * may write anything here: the reader checks every number. */
#ifndef DUCT_FLOWMAP_H
#define DUCT_FLOWMAP_H

#include <stdint.h>

#define FLOWMAP_SIZE ((uint64_t)1 << 33)  /* bytes, of which what is used is ever touched */
#define FLOWMAP_PLACES (FLOWMAP_SIZE / 2) /* offset of the places; place 0 is none */
#define FLOWMAP_SLOTS 4096u               /* offset of the runtime's hash table */
#define FLOWMAP_FIRST_SLOTS 4096u         /* how many it has at first: a power of two */
#define FLOWMAP_MOST ((uint32_t)1 << 26)  /* more places than there may be */
#define FLOWMAP_MEMORY ((uint64_t)0)      /* objects of places: `at` is an address; */
#define FLOWMAP_STACK ((uint64_t)2)       /* `at` is a distance below the first frame */

struct flowmap {
	uint64_t entries, mask, used; /* places; slots - 1; places that are in slots */
	uint64_t closed;              /* scopes so far */
	uint64_t image;               /* where the program was loaded; 0: it tells no flows */
};

/* `size` bytes that were written in a scope: at an address, or at an offset into the object of that
 * name. Size 0: the scope `object` lies in this scope. next, closed: the runtime's. */
struct flowmap_place {
	uint64_t scope, object, at;
	uint32_t size, next;
	uint64_t closed; /* number of the last scope that was closed around `object` */
};

#endif
