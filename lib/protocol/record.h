/* record: what a program that runs under `duct cover` leaves behind. Each process maps a file a
 * module (the program, shared libraries that are woven) in the folder that the environment names,
 * shared, so that what was covered stays whatever ends the process. The program may be arbitrary: a
 * reader checks every offset.
 *
 * DUCT_COVER=FOLDER:ROOT. ROOT is 16 hexadecimal digits, zeros until the first woven process of a
 * tree puts its own id there, for those that it will start. DUCT_TEST=NAME names the test that a
 * process belongs to. Files of FOLDER: ID-N.record, N counting a process's modules from 0;
 * MODEL.model, a copy of the file that a module was loaded from.
 */
#ifndef DUCT_RECORD_H
#define DUCT_RECORD_H

#include "lib/protocol/channel.h"

#define RECORD_MAGIC 0x72637564u /* "ducr"; written last */
#define RECORD_VERSION 2
#define RECORD_DIGITS 16

/* RECORD_EXIT, RECORD_ABORT: in a call of the program's own code; RECORD_RETURN: of main. */
enum record_end { RECORD_RUNS, RECORD_EXIT, RECORD_ABORT, RECORD_RETURN };

struct record {
	uint32_t magic, version;
	uint64_t size; /* of the file */
	uint64_t id, root,
	    parent; /* of processes: this one, the first of its tree, the one that forked it or 0 */
	uint64_t began; /* nanoseconds since 1970 */
	uint64_t space; /* inode of the name space that pid belongs to, 0 not known */
	uint32_t pid;
	uint32_t end;   /* enum record_end */
	int32_t status; /* of RECORD_EXIT and RECORD_RETURN */
	uint32_t end_unit,
	    end_block;  /* of that call; end_unit as in pairs, UINT32_MAX: not known */
	uint32_t units; /* those of library models are left out */
	uint32_t
	    first_unit; /* number of the first in pairs: units of the process's modules in order */
	uint32_t threads; /* there were some: pairs are not told from then on */
	uint64_t model;   /* hash of the units' keys */
	/* offsets from the start of the file */
	uint64_t unit;  /* struct channel_unit[units]; their `cover` is an offset, too */
	uint64_t cover; /* where coverage begins: up to `size` */
	uint64_t command, program, test; /* text: words separated by blanks; path; name, 0 none */
	/* Pairs are in records of their own, without units, and so are objectives at instructions
	 * that were met: use_kind DUCT_PAIR_OBJECTIVE, outcome is their kind (enum objective_kind).
	 */
	uint64_t pair;        /* offset: struct channel_pair[room] */
	uint32_t pairs, room; /* those asked for, which may be more than there is room */
	struct record *next;  /* the process's own, as these: */
	void *from, *to;      /* units of the module */
};

#endif
