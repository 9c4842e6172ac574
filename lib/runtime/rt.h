/* rt: shared by the runtime's files; only lib/runtime and its unit tests include it. The runtime
 * is part of the program under test. Its memory comes from mmap only. It calls no function that the
 * program or a library model may define: it makes system calls directly (sys.h) and has its own
 * memcpy and the like (mem.c). A run is a forked child of the server, so that all state is a copy
 * of the server's at first.
 */
#ifndef DUCT_RT_H
#define DUCT_RT_H

#include "lib/runtime/term.h"

#pragma GCC visibility push(hidden)

/* ---- size.c */
/* Adds path conditions that round a symbolic size up to one of 16, 64, 256, ..., `largest`, and
 * returns that. 0: the size is more than `largest`. */
size_t duct_room(struct duct_unit *u, uint32_t place, struct duct_term n, size_t largest);
/* Is it a product with two symbolic factors? */
bool duct_is_product(duct_node n);
/* A size of 64 bits; a constant when the path decides it. */
struct duct_term duct_size_term(duct_node node, uint64_t value);

/* taint.c. Call it before o gets its first TABLE (o->array). */
void duct_unset_array(struct duct_object *o);
/* Reports a read of o at this symbolic offset if the bytes were never written. In a small object,
 * unwritten bytes that other inputs of the path would read become inputs; in a larger one, any
 * unwritten byte counts. */
void duct_unset_read_at(const struct duct_object *o, uint64_t offset, uint32_t bytes);
/* The value of node `value` is written at the offset of node `offset`. */
void duct_unset_written(
    struct duct_object *o, uint64_t at, uint32_t bytes, duct_node offset, duct_node value);
/* taint.c: n was read at p, a symbolic address in o; n 0: a concrete value. */
void duct_unwritten_read(duct_node n, const struct duct_object *o, uintptr_t p, uint32_t bytes);

/* ---- array.c */
/* duct_array_now: the array expression of the object's present content. duct_array_any: notes that
 * any of its bytes may have changed. */
duct_node duct_array_now(struct duct_object *o);
void duct_array_any(struct duct_object *o);
struct duct_term duct_array_read(struct duct_object *o, uint64_t offset, uint32_t bytes);
/* n bytes of memory as a number, little-endian. */
duct_wide duct_bytes_at(const uint8_t *p, uint32_t n);

/* ---- address.c */
/* How an access at a symbolic address within its object is treated (Kosmatov, All-Paths Test
 * Generation for Programs with Internal Aliases). LATE: the address stays symbolic. EARLY: path
 * conditions at the access decide it. FIX: the concrete address is used, and precision is lost. */
enum duct_aliases { ALIASES_LATE, ALIASES_EARLY, ALIASES_FIX };
extern enum duct_aliases duct_aliases;
/* memset at a symbolic address; false as duct_copy_symbolic. */
bool duct_set_symbolic(struct duct_unit *u, uint32_t place, uintptr_t d, size_t n,
    struct duct_term byte, duct_node nd);
/* An access at an address that woven code cannot look up in the shadow: ends the run if it leaves
 * an object of known size. */
void duct_address_wild(struct duct_unit *u, uint32_t place, uintptr_t p, duct_node n, size_t bytes);
/* An access to memory of the runtime, at a symbolic address if n is not 0: ends the run if the
 * access leaves a known object. */
void duct_address_own(uintptr_t p, duct_node n);
/* fault.c: installs the handler again after a fault, as the process may serve further runs. */
void duct_faults_restore(void);
/* The same as duct_address_wild, for an access of the source that the compiler has removed. */
void duct_address_alone(
    struct duct_unit *u, uint32_t place, uintptr_t p, duct_node n, size_t bytes);
/* Read and write at a symbolic offset into o whose concrete value is within o; for several.c. */
struct duct_term duct_element_read(struct duct_object *o, struct duct_term offset, uint32_t bytes);
void duct_element_write(
    struct duct_object *o, struct duct_term offset, uint32_t bytes, struct duct_term v);
/* The object that an address expression, now p, points into; NULL: none is known, or it is too
 * large to be described by an array. */
struct duct_object *duct_object_of(duct_node a, uintptr_t p);
/* Ends the run unless `in`: the access at this offset lies within o, or another object that the
 * pointer may lead to. */
void duct_bounds(struct duct_unit *u, uint32_t place, const struct duct_object *o,
    struct duct_term offset, uintptr_t p, size_t bytes, struct duct_term in);
/* The number of low bits of n that are 0 by its form. */
uint32_t duct_zero_bits(duct_node n);
struct duct_term duct_within(const struct duct_object *o, struct duct_term offset, size_t bytes);
/* Copies with a symbolic source (ns) or destination (nd) address; false when neither is symbolic on
 * this path, or the copy is too long. */
bool duct_copy_symbolic(struct duct_unit *u, uint32_t place, uintptr_t d, uintptr_t s, size_t n,
    duct_node nd, duct_node ns);

/* ---- settle.c: the base of a pointer expression by case distinction over what it may be.
 * Emits path conditions until the rest is `object + offset`; returns the term left. */
struct duct_term duct_settle(struct duct_unit *u, uint32_t place, struct duct_term a);
#define DUCT_MOST_CASES 256
struct duct_cases {
	uint64_t value[DUCT_MOST_CASES];
	size_t n;
	bool all;
};
/* Values of `bytes` bytes that a READ of this array may give at offsets congruent to `phase` modulo
 * the size; `all` becomes false when there may be more. */
void duct_array_cases(struct duct_cases *c, duct_node array, uint32_t bytes, uint64_t phase);
/* Does the node point into one object only, judged by its derivation? */
bool duct_has_origin(duct_node n);
/* Splits a sum into a pointer and an offset. False: neither operand is known to be a pointer. */
bool duct_split_sum(struct duct_term t, struct duct_term *base, struct duct_term *rest);

/* ---- several.c: accesses through a pointer into one of several objects, all of them at once.
 * False: it is not such a pointer, and nothing was done. */
bool duct_several_load(struct duct_unit *u, uint32_t place, uintptr_t p, duct_node a,
    uint32_t bytes, struct duct_term *out);
bool duct_several_store(struct duct_unit *u, uint32_t place, uintptr_t p, duct_node a,
    uint32_t bytes, struct duct_term v);
/* May the address lead to one of several objects, so that these functions handle an access of this
 * many bytes? */
bool duct_several(duct_node a, size_t bytes);
/* The concrete address of such a pointer is invalid: adds the path condition at once. */
void duct_several_wild(
    struct duct_unit *u, uint32_t place, uintptr_t p, duct_node a, uint32_t bytes);
/* Copies at most 64 bytes. */
bool duct_several_copy(struct duct_unit *u, uint32_t place, uintptr_t d, uintptr_t from, size_t n,
    duct_node nd, duct_node ns);

/* ---- event.c */
bool duct_implied(duct_node n, int depth);
void duct_fix(duct_node n);
/* Reads from the setup area whether branches that only select values stay out of the path
 * condition (merge=1). */
void duct_merge_start(void);
void duct_event(enum event_kind kind, uint16_t flags, struct duct_unit *u, uint32_t id, duct_node n,
    uint64_t x, uint64_t y);
/* A condition of kind EV_MODEL; does nothing when the path decides it. */
void duct_model_condition(struct duct_unit *u, uint32_t id, struct duct_term cond);
/* u NULL, or of library models: at the program's last block. */
void duct_lost(struct duct_unit *u, uint32_t place, const char *reason, const char *what);
/* The run touched a limit of duct's own: of this kind and name ("" for none), now `value`. Reported
 * once a run. */
void duct_limit(const char *kind, const char *name, uint64_t value);
/* Writes the event of the previous condition if that was held back because the path implies it. */
void duct_tell_implied(void);
/* Ends the run: its caller violated a precondition of the function. Kinds: null, before, index,
 * cycle, earlier, shared, callee. */
void duct_need(const char *kind, const char *name, uint64_t value) __attribute__((noreturn));
/* For library models: the function continues from the state of an earlier call, and this run made
 * none. The caller may have made it, unless the run began with main. */
void duct_need_earlier(const char *name);
/* device.c. duct_devices_map: maps the memory of devices. duct_device_at: the address, as text, of
 * the device at a whose memory could not be mapped; NULL: there is none. */
void duct_devices_map(void);
const char *duct_device_at(uintptr_t a);
/* Is it the first time in this run that this key, not 0, is met? */
bool duct_first(uint64_t key);
uint32_t duct_unit_index(const struct duct_unit *u);
/* The same; UINT32_MAX for units of libraries, which are not the channel's. */
uint32_t duct_known_unit(const struct duct_unit *u);

/* ---- blob (event.c): bytes or text kept for the reader; returns the offset. */
uint64_t duct_blob(const void *p, size_t n);
uint64_t duct_blob_text(const char *a, const char *b, const char *c);

/* ---- grow*.c: objects that a caller would pass. All of them, and the watched bytes after them,
 * lie within [duct_grows_from, duct_grows_to). */
enum duct_size_kind { DUCT_SIZE_GROWS, DUCT_SIZE_EXACT, DUCT_SIZE_MOST, DUCT_SIZE_STRING };
struct duct_object_input {
	const char *name; /* of the pointer, as C has it */
	const struct duct_type *type;
	uintptr_t base;
	uint64_t each;       /* bytes of an element */
	uint64_t size, room; /* bytes: the most that it may have; its reserved address space */
	uint64_t extent;     /* bytes up to the last one accessed */
	uint64_t below;      /* bytes that it may have before `base` */
	uint64_t before;     /* bytes from the first one accessed to `base` */
	uint64_t tail;       /* where its flexible array member begins; 0: it has none */
	uint64_t ahead;      /* bytes from `base` to where its pointer leads */
	duct_node limit;     /* node of `size`, when that depends on inputs */
	uint32_t depth;      /* pointers that were followed to get here */
	uint32_t var;        /* NAME.bytes */
	uint32_t before_var; /* NAME.before, in elements, once there are any */
	uint32_t number;     /* its value in the choices P? of other pointers */
	bool is_there;       /* the pointer points to it in this run */
	bool many;           /* the pointer may point several elements behind `base` */
	enum duct_size_kind how;
};
extern uintptr_t duct_grows_from, duct_grows_to;
void duct_grow_start(void);
/* The first number that the node consists of when all of them are members of the caller's
 * structures or answers of stubs; NULL: they are not. */
const char *duct_grow_kept(duct_node n, int depth);
/* A read goes on behind an object of the program. If a stub wrote its last byte, the function that
 * the stub stands for has to end its text before: a need, which ends the run. */
void duct_grow_text(const struct duct_object *o);
/* The last block that realloc() freed because its new size, such a number, was 0: the number's
 * name, and the block's address. Programs may take the NULL for a failure and go on with the block.
 */
extern const char *duct_grow_none;
extern uintptr_t duct_grow_none_freed;
/* The program uses or frees a block that was freed already: ends the run as a fault, or, if the
 * block is the one above, as a need of the caller. */
void duct_end_freed(const struct duct_object *o, const char *message) __attribute__((noreturn));
/* Name of a callback whose stub has called functions of the program. A fault of such a run is not
 * reported as one of the program. NULL: none has. */
extern const char *duct_called_by;
/* Is another function being called before the entry? Its faults are not the entry's. */
extern bool duct_is_before;
/* Zeroed memory, at the same address in all runs of a path. */
uintptr_t duct_grow_place(size_t bytes);
/* Does p lie in memory from duct_grow_place? */
bool duct_grow_holds(uintptr_t p);
/* The pointer `name` to type k of duct_rt_types as an input; depth 0: of a parameter. leads: it is
 * not NULL at first. */
struct duct_term duct_grow_pointer(
    const char *name, uint32_t k, uint32_t depth, bool leads, bool number);
/* A pointer that leads back to an object made earlier (a possible cycle); NULL: none does. */
extern const char *duct_grow_cycle;
/* Name of a pointer that leads to the same object as an earlier one, without a statement of the
 * user that it may. Callers may pass distinct objects instead, so that a fault of such a run is not
 * reported as one of the program. NULL: none does. */
extern const char *duct_grow_shared;
/* Name of a pointer to a function that leads to one of the program's functions in this run; NULL:
 * none does. */
extern const char *duct_grow_called;
void duct_grow_round(void); /* starts to count loads of symbolic values */
/* Before a read or write: bytes that are not inputs yet become inputs. */
void duct_grow_read(uintptr_t a, size_t n);
void duct_grow_write(uintptr_t a, size_t n);
static inline bool duct_may_grow(uintptr_t a, size_t n)
{
	return a < duct_grows_to && a + n > duct_grows_from;
}
void duct_grow_whole(struct duct_object *o);
/* The value of a choice P? that selects the object at `base`; 1: the run has no such object. */
uint32_t duct_grow_number(uintptr_t base);
/* The program frees the object, by the pointer p: reported as NAME.freed. */
void duct_grow_freed(struct duct_object_input *g, uintptr_t p);
/* May o be freed by the pointer p? The program's own objects by their first address; an object that
 * a caller passed also by any address up to the one passed, as the block may begin there. */
static inline bool duct_frees(const struct duct_object *o, uintptr_t p)
{
	return o->input ? p >= o->base && p <= o->input->base : p == o->base;
}
/* Called for an access at an offset outside of o: ends the run if that is a limit or a
 * precondition. */
void duct_grow_leave(const struct duct_object *o, int64_t offset);
/* The same for an address outside of all objects but near one. False: it is near none. */
bool duct_grow_stray(uintptr_t p);
/* The choice "P?" that a pointer depends on; NULL: none. */
const char *duct_grow_null(duct_node n, int depth);
/* Is n a pointer that is NULL in this run, plus an offset? */
bool duct_grow_from_null(duct_node n, int depth);
/* Data is accessed at p: ends the run if the caller passed p as the address of a function. */
void duct_grow_need_data(uintptr_t p, duct_node n);
/* Ends the run if the address is computed only from numbers in a structure of the caller's. */
void duct_grow_need_address(duct_node n);
/* Is n the choice P? of a parameter, not of a pointer in memory? */
bool duct_grow_of_parameter(duct_node n);
/* Does an exact size (--len P=N) state that the pointer it depends on is not NULL where it is
 * dereferenced? */
bool duct_grow_given(duct_node n);
/* Adds the path condition that a dereferenced pointer is NULL or not; for a pointer of exact size
 * the assumption that it is not. */
void duct_grow_ask_null(struct duct_unit *u, uint32_t place, struct duct_term is);
/* order.c: called when a run begins. */
void duct_order_start(void);
/* Ends the run if a and b, which are compared by order or subtracted (distance), are pointers of a
 * caller into different objects, or NULL: the result depends on where callers have these objects.
 */
void duct_order(struct duct_term a, struct duct_term b, bool distance);
/* Called when a null pointer is dereferenced: ends the run if a caller passes it; else returns. */
void duct_grow_need_object(struct duct_unit *u, uint32_t place, duct_node n);
/* Ends the run if the pointer leads to a variable of the program whose address a caller passes, and
 * these bytes are not within it: the caller has to pass another object. */
void duct_grow_stay(struct duct_unit *u, duct_node n, uintptr_t p, size_t bytes);
/* Before an access at p, of node n: ends the run if that is NULL plus an offset, and a caller
 * passes the NULL, or if these bytes leave a variable of the program whose address a caller passes.
 */
void duct_grow_meet(struct duct_unit *u, uint32_t place, uintptr_t p, size_t bytes, duct_node n);
/* duct_grow_compared: a pointer is compared with an address that differs from its own.
 * duct_grow_compared_read: with a pointer that inputs select.
 * duct_grow_compared_apart: with one that leads elsewhere because of a declaration as restrict. */
void duct_grow_compared(struct duct_term p, struct duct_term address);
void duct_grow_compared_read(struct duct_term p, struct duct_term other);
void duct_grow_compared_apart(struct duct_term p, struct duct_term q);
/* Assumes the range that the user stated for this input (--range). */
void duct_grow_range(const char *lvalue, struct duct_term t, bool is_signed);
/* shape.c: the classes of scalars that objects of this shape hold, a bit each. Objects without a
 * class in common do not overlap. */
uint32_t duct_shape_classes(const char *shape);
/* shape.c: has a structure of this shape a flexible array member? Its place, and the bytes of an
 * element. */
bool duct_shape_tail(const char *shape, uint64_t *offset, uint64_t *stride);
/* shape.c: does a structure of this shape begin with a structure of the shape `member`, directly or
 * as the first member of its first member? */
bool duct_shape_begins_with(const char *shape, const char *member);
/* shape.c: makes the scalar of element i that contains byte `a` an input; if [from, to), which is
 * about to be written, contains the whole scalar, it is reported, but concrete. */
void duct_shape_leaf(
    const struct duct_object_input *g, int64_t i, uintptr_t a, uintptr_t from, uintptr_t to);

#define DUCT_MOST_STUBBED 256 /* bytes that a stub writes in a call */
/* shape.c: as duct_rt_input, for so many bytes that a stub writes: pointers to objects and
 * functions keep their values. */
void duct_shape_stubbed(void *p, size_t size, const char *name, const char *shape);

/* ---- text.c: reads a text without a path condition for each byte, for functions whose result is
 * one expression of all bytes. */
#define DUCT_MOST_TEXT 64
struct duct_text {
	uintptr_t at, end; /* the next byte, and the end of its object */
};
/* The text at s, whose node is n. False: it is not known where that is, or how long. */
bool duct_text_open(struct duct_text *t, const void *s, duct_node n);
/* Its next byte; false: it cannot be read. Constant if the path determines it. */
bool duct_text_next(struct duct_text *t, struct duct_term *c);
/* Stores a library model's result. */
void duct_text_store(void *to, uint32_t bytes, struct duct_term t);
/* setup.c. A result depends on the end of a text: touches the limit if the text ends at a. */
void duct_text_limit(uintptr_t a);

/* ---- input.c */
/* duct_input_choice: an input that is a choice; `otherwise` when no value is given.
 * duct_input_note: adds a variable to the trace that is no input, and returns its number. */
struct duct_term duct_input_choice(const char *name, uint32_t width, uint64_t otherwise);
uint32_t duct_input_note(const char *name, enum input_kind kind, uint32_t width);
/* Sets how far into its object the input of this number lies, if there is one. */
void duct_input_place(uint32_t index, size_t offset);
/* An input that is reported, but concrete. */
struct duct_term duct_input_plain(
    const char *name, enum input_kind kind, uint32_t width, size_t offset);
/* A pointer input whose initial value is `value`; its target after the call is reported as the
 * value of P?. replaces: in place of the pointer input that was there. */
void duct_input_points(const char *pointer, uintptr_t place, uint64_t value, bool replaces);
void duct_inputs_start(struct channel *ch);
/* A new input variable `name` of `width` bits, `offset` bytes into its object; its value (given or
 * 0), its node. */
struct duct_term duct_input_var(
    const char *name, enum input_kind kind, uint32_t width, size_t offset);
/* The same, with the value `otherwise` when none is given. */
struct duct_term duct_input_kept(
    const char *name, enum input_kind kind, uint32_t width, size_t offset, duct_wide otherwise);
/* The next duct_rt_input keeps the present values in memory where none are given. */
extern bool duct_input_keeps;
/* The same; symbolic even if the input record limits which inputs vary. */
struct duct_term duct_input_fresh(const char *name, uint32_t width, uint64_t otherwise);
/* A character that is `otherwise` when no value is given. */
struct duct_term duct_input_fresh_byte(const char *name, uint8_t otherwise);
/* Reports a byte among the inputs whose value other inputs determine. */
void duct_input_told(const char *name, uint8_t value);
/* How many inputs the run has so far. */
uint32_t duct_inputs_met(void);
/* Assumes a condition on inputs. A run with values that violate it is invalid. */
void duct_input_assume(struct duct_term in, const char *why);
/* `name`, or `name#2`, ... when it was met before in this run. `to` has room for 12 more. */
void duct_input_root(char *to, const char *name);
/* A stub was given NULL, so that there is no input of this name this time; the next one is called
 * NAME#2. */
void duct_input_pass(const char *name);
/* Has the run met a pointer among the inputs? */
bool duct_input_pointed(void);
/* elsewhere.c: has the expression another value when the objects lie at other addresses? */
bool duct_differs_elsewhere(duct_node n);
/* elsewhere.c: is what a pointer input is worth no address, but NULL or a number? */
struct duct_term duct_is_number(duct_node n);
/* The inputs first .. end-1 are scalars of the object at `base`. */
void duct_input_watch(uintptr_t base, uint32_t first, uint32_t end);
/* Reports the bytes that the memory of an input has now. */
void duct_input_wrote(const struct channel_var *v, const uint8_t *bytes);
/* The program has read the time or another value that differs in each run. */
extern bool duct_told_time;
/* Reports the changes that the call made to other watched memory. */
void duct_watch_tell(void);

/* external.c: bytes that a callee may reach directly through p */
size_t duct_reach(uintptr_t p);

/* The value that the run was given for a name, if it was. */
bool duct_input_given(const char *name, uint64_t *value);

/* ---- flow*.c: no effect if no unit reports flows */
/* By the server: memory that runs share; map: its own, or as flow_map in channel.h. */
void duct_flow_reserve(bool woven, uint32_t map);
uintptr_t duct_flow_shared(void); /* its address; 0: there is none */
void duct_flow_start(void);
uint32_t duct_flow_of(uint32_t input); /* label of the input with this index */
void duct_flow_input(uintptr_t a, size_t n, uint32_t input);    /* written there */
void duct_flow_allocated(struct duct_object *o);                /* by the current call */
void duct_flow_passed(struct duct_object *o, const char *name); /* by a caller, as this input */
void duct_flow_clear(uintptr_t a, size_t n);
void duct_flow_lost(const char *what);

/* ---- abstract.c */
extern bool duct_abstracts; /* some call of this run was abstract */
void duct_abstract_start(void);
/* Is this new node fresh (DUCT_FRESH) by its operands? */
void duct_mark_abstract(duct_node n);
/* For an address that the program writes, frees or calls: ends the run if it is fresh
 * (DUCT_FRESH) and its possible values are not known. */
void duct_need_real(duct_node n);
/* Does the reader of the trace want to know the end of this function? */
bool duct_is_asked(const struct duct_unit *u, uint32_t function);
/* Before the end of such a call: reports the memory that it wrote. */
void duct_end_real(const struct duct_unit *u, uint32_t function);

/* heap.c. duct_heap_block: a block from the C library's allocator that is no object yet; 0: out of
 * memory. duct_heap_known makes it an object. */
uintptr_t duct_heap_block(size_t n);
void duct_heap_known(uintptr_t block, size_t n);

/* ---- inject.c */
void duct_inject_start(void);
/* ---- check.c */
extern uint32_t duct_watched; /* bits 1 << enum check_kind; CHECK_NONE: not known yet */
void duct_watches_what(void);
extern struct channel *duct_channel;
static inline bool duct_watches(enum check_kind kind) /* did some unit ask for it? */
{
	if (duct_watched >> CHECK_NONE & 1)
		duct_watches_what();
	return duct_channel && duct_watched >> kind & 1;
}
/* Reports, once for each place, a fault that happens for all inputs of the path. The run continues.
 */
void duct_fault(struct duct_unit *u, uint32_t inst, enum check_kind kind);
/* access.c. duct_is_edge: does one of these bytes lie beyond the end of an object?
 * duct_meet_edge: ends the run if so. */
extern uint32_t duct_edges;
void duct_meet_edge(uintptr_t a, size_t n);
bool duct_is_edge(uintptr_t a, size_t n);
/* access.c: ends the run if p, which points to o, must not be freed. o NULL: to no object. */
void duct_check_free(uintptr_t p, const struct duct_object *o);
/* Ends the run when the program writes the runtime's variables, the channel or the flags of shadow
 * memory. address: the node of p, or 0. base: an address in the object that p was derived from,
 * which may be a caller's. */
void duct_keep_out(uintptr_t p, size_t n, duct_node address, uintptr_t base);
/* leak.c: reports blocks that nothing points to when the program ends. The result of main counts as
 * a pointer, too. */
void duct_leaks(uint64_t result);

/* ---- extent.c: the number of bytes from p on that are read or written, as duct_rt_touches. The
 * objects have `room` bytes from p on and `other` bytes from q on. */
size_t duct_extent(
    enum duct_touch how, const char *p, size_t room, const char *q, size_t other, size_t n);

/* ---- fault.c */
bool duct_is_code(uintptr_t a); /* of the program itself? */
/* input.c: of an object or a function, which is another one in the next process? */
bool duct_is_address(uintptr_t a);
extern uintptr_t duct_touched; /* the address that the runtime reads or writes for the program */
void duct_faults_install(void);
/* fault.c: ends the run as the processor does at a division without a result; the compiler may have
 * removed the division. */
void duct_divide_badly(void);
__attribute__((noreturn)) void duct_end(enum channel_fault fault, const char *message);
void duct_heap_start(void); /* heap.c: looks up the C library's allocator */

/* ---- main.c */
extern struct channel *duct_channel; /* NULL: not under run-trace */
/* Begins a run in this process on a mapped channel; also for unit tests. */
void duct_run_start(struct channel *ch);
bool duct_channel_valid(const struct channel *ch, uint64_t size);

static inline void *duct_area(const struct channel_area *a)
{
	return (char *)duct_channel + a->offset;
}
/* Counts an entry once it is complete: a run may be killed at any moment, and its entries are read.
 */
static inline void duct_area_grow(struct channel_area *a, size_t bytes)
{
	__atomic_signal_fence(__ATOMIC_RELEASE);
	a->used += bytes;
}

#pragma GCC visibility pop
#endif
