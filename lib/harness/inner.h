/* inner: private to lib/harness: a plan under construction. */
#ifndef DUCT_HARNESS_INNER_H
#define DUCT_HARNESS_INNER_H

#include "lib/harness/harness.h"

/* Bytes of an array whose length is not declared: no limit grows beyond. */
enum { HARNESS_RESERVE = 1 << 20 };

struct build {
	const struct flow *flow;
	const struct flow_unit *u;
	const struct harness_options *o;
	struct harness_plan *plan;
	FILE *narrow;
	bool stubs_found; /* adding stubs for undefined functions, not for those of
	                     --stub */
	uint32_t *enums;
	size_t n_enums; /* types that shapes refer to by their index here, from
	                   1 */
	uint32_t *pointees;
	size_t n_pointees, described; /* likewise, targets of pointers; the
	                                 first `described` have their steps */
	bool full;                    /* STEPS_MAX was reached */
};

/* Formats into newly allocated memory. */
/* Appends a step; texts are copied, NULL becomes "". */
void harness_step(struct build *b, char kind, const char *name, const char *type, const char *shape,
    uint64_t count);

/* A parameter's declarator as that of an assignable local: without the parameter's own const, and
 * without that of its target unless the target's type contains it. Caller frees. */
char *harness_local_type(const struct build *b, uint32_t type);

/* limits.c: adds a step for a limit on the inputs, once; writes a line for each such step. */
void harness_limit(struct build *b, const char *kind, const char *name, uint64_t value);
/* Has it a limit of any kind for this name? */
bool harness_has_limit(const struct build *b, const char *name);
void harness_tell_limits(struct build *b);
/* asked.c: add the steps that the options ask for, and a line for each restriction of the inputs.
 * False with *error. */
bool harness_stubs(struct build *b, char **error);
/* extern.c: defines global variables that nothing else defines. */
void harness_externs(struct build *b);
/* devices.c: memory at addresses that the source states, and its inputs. */
void harness_devices(struct build *b);
/* Those of the type that pointers may lead to, as the variables of a HARNESS_TYPE. */
void harness_device_variables(struct build *b, uint32_t type);
/* Does a unit define the variable? Does the entry come to a function that uses it? */
bool harness_is_defined(const struct flow *f, const char *name);
bool harness_is_used(const struct flow *f, bool *const *reached, const char *name);
/* machine.c: limits of what libraries and the machine hold. */
void harness_machine(struct build *b);
/* locale.c: limits of functions, of those reached, whose answers depend on the locale. */
void harness_locale_limits(struct build *b, bool *const *reached, bool program);
/* Makes them inputs. */
void harness_extern_inputs(struct build *b);
/* The global of this name that the entry's unit declares; NULL: none. */
const struct flow_var *harness_global(const struct flow_unit *u, const char *name);
/* build.c: makes a global or parameter an input. Padding of what is passed by value is none: it has
 * no particular values in the function (lib/front/padding.h). */
void harness_object(struct build *b, const char *name, uint32_t type, bool by_value);
bool harness_inits(struct build *b, char **error);
bool harness_assumes(struct build *b, char **error);
/* Rules for pointers (--len, --string, --may-alias, --distinct); must come before the inputs. */
bool harness_rules(struct build *b, char **error);
/* types.c: steps for the targets of pointers among the inputs. */
void harness_types(struct build *b);
/* derived.c. Bytes of an object of the structure's type that may be one of the larger structures
 * that pointers to it are cast to; 0: there are none. The type and marked shape of such an object;
 * caller frees. */
uint64_t harness_derived_size(const struct build *b, uint32_t type);
/* The structure that the union has under this name; 0: none. */
uint32_t harness_derived_part(const struct build *b, uint32_t type, const char *name, size_t n);
char *harness_derived_text(const struct build *b, uint32_t type, uint64_t size);
char *harness_derived_shape(struct build *b, uint32_t type, uint64_t size);
/* The number of variables that pointers to the type at step i may lead to; the list of these. */
size_t harness_variables(const struct harness_plan *p, size_t i);
void harness_put_variables(FILE *f, const struct harness_plan *p, size_t i);
/* Is the content of objects of this type unknown? */
bool harness_is_stream(const struct flow_type *t); /* FILE */
bool harness_opaque(const struct flow_type *t);
bool harness_reserved(const struct flow_type *t);
/* The type, or what the entry takes a `void *` for: a parameter, by its number from 1 on, or what a
 * function gives, by its name. */
uint32_t harness_taken_for(const struct build *b, const char *what, uint32_t type);
/* Result and arguments of a stub for a function of this type, which is the unit's; name: "" if it
 * has none. False: the entry's unit does not know a type, so that the stub gives less than any
 * value. */
bool harness_result(
    struct build *b, const struct flow_unit *u, const struct flow_type *function, const char *name);
/* The type of an lvalue that starts with a parameter or global input; 0: none. */
uint32_t harness_lvalue(const struct build *b, const char *name);
/* others.c: steps for other functions that may be called before the entry. */
void harness_others(struct build *b);
/* state.c: steps for globals that are set outside of the entry. */
void harness_states(struct build *b);
/* Is the variable an input already, as a parameter, by an option or as such a global? */
bool harness_is_input(const struct build *b, const char *name);
/* Is it such a global? */
bool harness_is_state(const struct harness_plan *p, const char *name);
/* text.c: is it a va_list, as a parameter is adjusted? */
bool harness_is_va_list(const struct harness_step *v);
/* stubs.c: writes a stub for a function that nothing defines; what pointers to each type may lead
 * to, if to anything. */
void harness_define_stub(FILE *f, const struct harness_step *s, bool types);
bool harness_has_types(const struct harness_plan *p);
void harness_define_types(FILE *f, const struct harness_plan *p);
/* watch.c: steps for the globals to observe after the call. */
void harness_watches(struct build *b);

#endif
