/* writers: the definition that wrote each byte of memory last, and the blocks that the run entered
 * since the last event. last.h has more, for the files that implement this. */
#ifndef DUCT_WRITERS_H
#define DUCT_WRITERS_H

#include "lib/runtime/rt.h"

#pragma GCC visibility push(hidden)

/* ---- lastdef.c, lastpair.c: no effect if no unit follows definitions */
extern bool duct_last_alone; /* no server: pairs are not reported */
/* asked: some process reads the pairs; served: that is run-trace. */
void duct_last_start(bool asked, bool served);
void duct_last_library(struct duct_pairs *from, struct duct_pairs *to);
void duct_last_forked(void); /* in the new process: reports pairs anew */
bool duct_last_on(void);
uintptr_t duct_last_table(void); /* eight bytes for each page of memory; 0: there is none */
void duct_last_lose(uintptr_t a, size_t n);  /* the last definitions of these bytes are unknown */
void duct_last_forget(void);                 /* those of all bytes are */
void duct_last_fresh(uintptr_t a, size_t n); /* a new object: no definitions */
/* A stub wrote these bytes: its call is their definition. */
void duct_last_stubbed(uintptr_t a, size_t n);
bool duct_last_written(uintptr_t a); /* is the byte's last definition known? */
/* Notes that the library call `writer` reads these bytes. */
void duct_last_read(uint32_t writer, uint32_t serial, uintptr_t a, size_t n);
/* Notes that the library call `writer`, or the run if that is 0, has unknown effects. */
void duct_last_lost(uint32_t writer, const char *what);
/* The current library call copies n bytes. `to` NULL: it only reads them; `from` NULL: it only
 * writes them. */
void duct_last_moved(void *to, const void *from, size_t n);

/* ---- way.c */
void duct_way_tell(void); /* reports the blocks that were entered since the last event */
/* Reports that all bytes that definition `def` of a unit wrote have been overwritten; inst: `def`
 * is an instruction. */
void duct_way_gone(uint32_t unit, uint32_t def, bool inst);

/* ---- gone.c: the number of bytes of each writer that have not been overwritten */
extern uint32_t *duct_left; /* by writer; NULL: they are not counted */
void duct_gone_start(uint32_t writers);
void duct_gone_more(uint32_t writer, size_t n);
void duct_gone_less(uint32_t writer, size_t n);
void duct_gone_keep(uint32_t writer); /* stops counting: it will not be reported as gone */
void duct_gone_tell(void);            /* reports the writers of which none is left */
void duct_last_gone(uint32_t writer); /* lastpair.c: reports this one */

#pragma GCC visibility pop
#endif
