/* last: descriptions of bytes and labels of uses, which last*.c, alias.c and effects.c share. */
#ifndef DUCT_LAST_H
#define DUCT_LAST_H

#include "lib/runtime/writers.h"
#include <sys/single_threaded.h>

struct last {
	uint32_t writer, serial;
};

#define LAST_INDEX 0x3fffffffu /* the bits of a writer, or of a site, that are a number */

/* Labels of all that was written last to some bytes; more than MOST_WRITERS are left out. */
enum { MOST_WRITERS = 64 };
struct found {
	uint64_t label[MOST_WRITERS];
	uint32_t n;
};

/* A use is a slot's number, or the writer that stands for an instruction with one of these: a call
 * of a library function that reads, or a place from which on not everything is followed. */
#define USE_LIBRARY 0x80000000u
#define USE_LOST 0xc0000000u

/* lastunit.c. The program's units that follow definitions; then those of each library that it
 * loads.
 */
struct last_units {
	struct duct_pairs *from, *to;
	struct last_units *next;
};
const struct last_units *duct_last_units(void);
/* Numbers the writers of the program's units: how many. False: there are no such units, or too many
 * writers. */
bool duct_last_units_start(uint32_t *count);
bool duct_last_units_add(struct duct_pairs *from, struct duct_pairs *to); /* of a library */
/* lastdef.c. */
extern struct page **duct_last_pages;
#define MOST_SERIAL UINT32_C(0x80000000) /* duct_serial stays at its greatest number */
/* Are definitions followed now? Ends that, and reports it, once there are threads or too many
 * calls. */
bool duct_last_goes_on(void);
static inline bool duct_last_followed(void)
{
	return duct_last_pages
	    && ((duct_serial < MOST_SERIAL && __libc_single_threaded) || duct_last_goes_on());
}
/* Adds the labels of the byte's last writers. */
void duct_last_add(struct found *f, uintptr_t a, uint32_t serial);
/* The labels that one label without DUCT_LABEL_WHEN stands for. */
const struct found *duct_last_several(uint64_t label);
/* A byte's last writer; the label of a use in activation `serial` that reads it, 0 when
 * there is nothing to tell. duct_last_mixed: bit-fields share the byte, it has several. */
struct last duct_last_of(uintptr_t a);
bool duct_last_mixed(struct last v);
uint64_t duct_last_label(struct last v, uint32_t serial);
/* effects.c. A library, whose texts name functions, is about to go. */
void duct_effects_unload(void);
/* lastpair.c. Was this pair reported in this run? */
bool duct_last_told(const struct duct_pairs *p, uint32_t slot, uint64_t label);
/* Describes a pair that the run did not exercise, for alias events: its number, from 1 in the order
 * of the descriptions; 0: its units are not known. */
uint32_t duct_last_possible(const struct duct_pairs *p, uint32_t slot, uint64_t label);
/* Reports that an access at an address, or of a length, that depends on inputs may belong to pairs
 * that no alias event asks for; of_reads: only that how far a library function reads depends on
 * inputs. Once a run. */
void duct_last_unaliased(void);
void duct_last_unaliased_reads(void);

/* alias.c. Bytes that v is about to write; np: node of the address, 0 when it is concrete. Only
 * called when duct_alias_tracks() or np. */
void duct_alias_write(uintptr_t a, size_t n, struct last v, duct_node np);
extern uint32_t duct_alias_tracked; /* places whose address depends on inputs */
static inline bool duct_alias_tracks(void)
{
	return duct_alias_tracked;
}
/* The label of a use, which becomes one of alias.c when other values of an address may change who
 * wrote what it reads. */
uint64_t duct_alias_use(uintptr_t a, size_t n, uint32_t serial, duct_node np, uint64_t label);
/* Is it such a label? Then: the one of this run; what else may be read there is told as events. */
bool duct_alias_is(uint64_t label);
uint64_t duct_alias_label(uint64_t label);
void duct_alias_tell(const struct duct_pairs *p, uint32_t slot, uint64_t label);
/* A use or a definition that alias.c does not follow, of these bytes. */
void duct_alias_lost(uintptr_t a, size_t n, duct_node np);

#endif
