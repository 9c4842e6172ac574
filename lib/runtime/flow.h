/* flow: what the files flow*.c share. A label is the number of a set of atoms; 0 is the empty set.
 */
#ifndef DUCT_RUNTIME_FLOW_H
#define DUCT_RUNTIME_FLOW_H

#include "lib/protocol/flowmap.h"
#include "lib/runtime/rt.h"

#define FLOW_CONTROL 1u          /* bit of an atom: only control dependence on its class */
#define FLOW_NO_CLASS UINT32_MAX /* no class of inputs */

/* flow.c. Was some unit woven with --flows, and are there still several classes of inputs? */
bool duct_flow_on(void);
/* The same, and is this a reported run, outside of calls of output functions? */
bool duct_flow_followed(void);
const uint64_t *duct_flow_scope(void); /* name of the innermost open scope; NULL: none is open */
extern bool duct_flow_all_met;         /* all inputs are in one class: tracking ends */
extern uint32_t duct_flow_hidden;      /* label of the state of code that is not woven */
extern uint32_t duct_flow_quiet;       /* number of active calls of output functions */

/* flow_labels.c. Atoms ascend: twice the class, plus FLOW_CONTROL. */
struct duct_flow_set {
	uint32_t *atom, n;
};
const struct duct_flow_set *duct_flow_set(uint32_t label);
uint32_t duct_flow_class(uint32_t input);     /* the representative of the input's class */
void duct_flow_unite(uint32_t a, uint32_t b); /* joins the classes of two representatives to a's */
uint32_t duct_flow_alone(uint32_t input);
uint32_t duct_flow_control_of(uint32_t input);
/* True the first time that the input takes part in a decision. */
bool duct_flow_decides_first(uint32_t input);

static inline uint64_t duct_flow_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

	return h ^ h >> 29;
}

/* flow_written.c */
uint64_t duct_flow_learned(void); /* number of places that all runs so far wrote */
void duct_flow_learn(struct flowmap_place e);
/* Adds the label to all places that any run wrote in the scope. */
void duct_flow_spread(uint64_t scope, uint32_t label);

/* flow_memory.c. duct_flow_get: the union of the labels of n bytes. duct_flow_add: adds a label to
 * those of the bytes. */
uint32_t duct_flow_get(uintptr_t a, size_t n);
void duct_flow_add(uintptr_t a, size_t n, uint32_t label);
/* The bytes were written: in the innermost open scope, if there is one. */
void duct_flow_wrote(uintptr_t a, size_t n);
/* Where the place lies in this run; 0: nowhere, or in the frame of a call that has ended, below
 * `here`. */
uintptr_t duct_flow_now(const struct flowmap_place *p, uintptr_t here);

#endif
