/* last: descriptions of bytes and labels of uses, shared by last*.c, alias.c and effects.c. */
#ifndef DUCT_LAST_H
#define DUCT_LAST_H

#include "lib/runtime/writers.h"
#include <sys/single_threaded.h>

struct last {
	uint32_t writer, serial;
};

#define LAST_INDEX 0x3fffffffu /* the bits of a writer, or of a site, that are a number */

/* The labels of the last writers of some bytes, at most MOST_WRITERS. */
enum { MOST_WRITERS = 64 };
struct last_labels {
	uint64_t label[MOST_WRITERS];
	uint32_t n;
};

/* A use is the number of a slot, or, with one of these bits, the writer that stands for an
 * instruction: a call of a library function that reads, or a place after which tracking is
 * incomplete. */
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
/* Numbers the writers of the program's units; *count: how many there are. False: there are no such
 * units, or too many writers. */
bool duct_last_units_start(uint32_t *count);
bool duct_last_units_add(struct duct_pairs *from, struct duct_pairs *to); /* of a library */
/* lastdef.c. */
extern struct shadow_page **duct_last_pages;
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
void duct_last_add(struct last_labels *f, uintptr_t a, uint32_t serial);
/* The labels that one label without DUCT_LABEL_WHEN stands for. */
const struct last_labels *duct_last_several(uint64_t label);
/* The last writer of a byte; the label of a use in activation `serial` that reads it, 0: nothing to
 * report. duct_last_mixed: do bit-fields share the byte, so that it has several writers? */
struct last duct_last_of(uintptr_t a);
bool duct_last_mixed(struct last v);
uint64_t duct_last_label(struct last v, uint32_t serial);
/* effects.c. Called before a library is unloaded: drops cached addresses of its texts. */
void duct_effects_unload(void);
/* lastpair.c. Was this pair reported in this run? */
bool duct_last_told(const struct duct_pairs *p, uint32_t slot, uint64_t label);
/* Describes a pair that the run did not exercise, for alias events: its number, from 1 in the order
 * of the descriptions; 0: its units are not known. */
uint32_t duct_last_possible(const struct duct_pairs *p, uint32_t slot, uint64_t label);
/* Reports, once a run, that an access whose address or length depends on inputs may belong to pairs
 * for which there is no alias event. duct_last_unaliased_reads: only the length that a library
 * function reads depends on inputs. */
void duct_last_unaliased(void);
void duct_last_unaliased_reads(void);

/* alias.c. Notes bytes that v is about to write; np: node of the address, 0 when it is concrete.
 * Only called when duct_alias_tracks() or np. */
void duct_alias_write(uintptr_t a, size_t n, struct last v, duct_node np);
extern uint32_t duct_alias_tracked; /* places whose address depends on inputs */
static inline bool duct_alias_tracks(void)
{
	return duct_alias_tracked;
}
/* The label of a use: the given one, or one of alias.c if other values of an address may change the
 * definition that it reads. */
uint64_t duct_alias_use(uintptr_t a, size_t n, uint32_t serial, duct_node np, uint64_t label);
/* duct_alias_is: is it a label of alias.c? duct_alias_tell: this run's label for it; reports the
 * other definitions that may be read as events. */
bool duct_alias_is(uint64_t label);
uint64_t duct_alias_label(uint64_t label);
void duct_alias_tell(const struct duct_pairs *p, uint32_t slot, uint64_t label);
/* Notes a use or a definition of these bytes that alias.c does not track. */
void duct_alias_lost(uintptr_t a, size_t n, duct_node np);

#endif
