/* Calls of code that is not woven. After such a call has returned, the runtime is told the
 * arguments and finds out what the call may have written. */
#include "lib/runtime/last.h"

#include "lib/clib/clib.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

/* The bytes that a callee may reach directly through p: to the end of its object. */
size_t duct_reach(uintptr_t p)
{
	struct duct_object *o = duct_object_at(p);

	return o && p - o->base < o->room ? o->room - (p - o->base) : 16;
}

/* Are some of the bytes symbolic? unset: or not written yet. */
static bool symbolic(uintptr_t p, size_t n, bool unset)
{
	uintptr_t end = p + n;

	while ((p = duct_next_flag(p, end)) < end) {
		duct_node entry = duct_entry(p);

		if (entry && (unset || entry != DUCT_ENTRY_UNINIT))
			return true;
		p++;
	}
	return false;
}

int duct_rt_symbolic(const void *p, size_t n)
{
	const char *s = p;

	for (size_t i = 0; duct_channel && i < n; i++) {
		duct_node byte = duct_rt_node_at(s + i, 1);

		if (byte && !duct_implied(byte, 4))
			return 1;
	}
	return 0;
}

/* Streams whose bytes are inputs. A function without a library model that reads one loses symbolic
 * values. If there are more than the table holds, any stream may be one. */
static const void *streams[64];
static uint32_t stream_count;

static bool is_stream(uint64_t p)
{
	for (uint32_t i = 0; i < stream_count; i++)
		if ((uintptr_t)streams[i] == p)
			return true;
	return stream_count == sizeof streams / sizeof *streams
	    || (p == (uintptr_t)stdin && (duct_rt_setup("", "stdin") || duct_rt_environment()));
}

void duct_rt_stream(const void *file)
{
	if (!is_stream((uintptr_t)file))
		streams[stream_count++] = file;
}

const char *duct_native = "";

/* A function that is not in the table may do anything with each argument. */
static const struct clib unknown = { .name = "", .args = "b" };

/* At most how many bytes a function touches from where argument i points, and whether it certainly
 * writes all of them. */
static size_t extent(struct clib_arg e, uint32_t n, const uint64_t *value, uint32_t i, bool *whole)
{
	struct clib_most most = clib_most(e);
	size_t room = duct_reach(value[i]), bytes = (size_t)most.bytes;

	if (!bytes || most.a >= (int32_t)n || most.b >= (int32_t)n
	    || (most.a >= 0 && __builtin_mul_overflow(bytes, value[most.a], &bytes))
	    || (most.b >= 0 && __builtin_mul_overflow(bytes, value[most.b], &bytes)))
		bytes = room;
	*whole = e.access == 'w' && most.exact;
	return bytes < room ? bytes : room;
}

/* Does a function without a library model change a stream with symbolic bytes? */
static bool loses_stream(const struct clib *f, const char *name, struct clib_arg e, uint64_t value)
{
	bool changes = e.access == 'f' && !clib_does(f, "oOn");

	return (changes || f == &unknown) && name[0] != '('
	    && is_stream(value); /* library models call the C library through pointers */
}

/* Does the function make a stream with symbolic bytes use memory of the program as its buffer? */
static bool gives_buffer(const struct clib *f, uint32_t n, const uint64_t *value)
{
	bool given = false, symbolic_stream = false;

	for (uint32_t i = 0; clib_does(f, "b") && i < n; i++) {
		char access = clib_arg(f, i).access;

		given |= access == 'k' && value[i] >= 4096;
		symbolic_stream |= access == 'f' && is_stream(value[i]);
	}
	return given && symbolic_stream;
}

/* Makes the bytes that the function left there concrete, including those that nothing has read
 * before. */
static void leave_concrete(uintptr_t p, size_t n)
{
	for (uintptr_t a = p, end = p + n; (a = duct_next_flag(a, end)) < end; a++)
		if (duct_entry(a) == DUCT_ENTRY_LATER)
			duct_entry_set(a, DUCT_ENTRY_NONE);
	duct_shadow_clear(p, n);
}

/* Passes the memory behind a pointer argument to the function; what it writes there is concrete
 * afterwards. True: something is lost. */
static bool pass(
    const struct clib *f, const char *name, uint32_t n, const uint64_t *value, uint32_t i)
{
	struct clib_arg e = clib_arg(f, i);
	bool reads = e.access == 'r',
	     writes = e.access == 'w' || e.access == 'b' || e.access == 'k', whole, lost;
	size_t bytes = extent(e, n, value, i, &whole);

	lost = (reads || (writes && !whole)) && symbolic(value[i], bytes, true);
	/* when it fails, it leaves what was there */
	lost |= writes && f->fails[0] && symbolic(value[i], bytes, false);
	lost &= !clib_does(f, "O");
	if (writes) {
		duct_keep_out(value[i], 1, 0, value[i]);
		leave_concrete(value[i], bytes);
	}
	return lost || loses_stream(f, name, e, value[i]);
}

/* The table's row of the called function. Library models call through pointers; a library model
 * that only lets the function fail has no other effect. */
static const struct clib *function(const struct duct_unit *u, const char *name)
{
	const struct clib *f = clib_find(name);

	if (u && u->flags & 1 && name[0] == '(') {
		f = clib_find(duct_native);
		f = f && clib_does(f, "f") ? f : NULL;
	}
	return f ? f : &unknown;
}

void duct_rt_external(struct duct_unit *u, uint32_t place, const char *name, uint32_t n,
    const uint64_t *value, uint64_t pointers)
{
	const struct clib *f;
	bool lost = false;

	if (!duct_channel)
		return;
	f = function(u, name);
	if (clib_does(f, "t"))
		duct_lost(u, place, "threads are not followed", NULL);
	for (uint32_t i = 0; i < n; i++) {
		lost |= duct_args[i] && !duct_implied(duct_args[i], 4);
		duct_taint_used(duct_args[i]);
		if (i >= 63 || !(pointers >> i & 1) || value[i] < 4096)
			continue;
		lost |= pass(f, name, n, value, i);
	}
	if (lost) /* so may be what it reads */
		duct_last_unaliased_reads();
	if (!gives_buffer(f, n, value) && (!lost || (clib_does(f, "oOnj") && !(pointers >> 63))))
		return;
	if (u && u->flags & 1) /* in a library model, the place of the program is more useful */
		duct_lost(NULL, 0, "symbolic value into ", name[0] == '(' ? duct_native : name);
	else
		duct_lost(u, place, "symbolic value into ", name);
}

/* Is it an undefined symbol of the program, whose address is that of a jump to a shared library? */
static bool is_jump(const void *callee)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	return dladdr1(callee, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol
	    && symbol->st_shndx == SHN_UNDEF;
}

/* Is it the C library's function, or one that the program defines instead? */
static bool is_own(const void *callee, const char *name)
{
	static struct {
		const char *name;
		bool own;
	} looked_up[64];
	uint32_t i = (uint32_t)((uintptr_t)name >> 3) % 64;
	const void *real;

	if (looked_up[i].name != name) {
		real = duct_rt_real(name);
		looked_up[i].name = name;
		looked_up[i].own = real && real != callee && !is_jump(callee);
	}
	return looked_up[i].own;
}

/* May the function read or write what the argument points to? */
static bool may_touch(struct clib_arg e)
{
	return e.access == 'r' || e.access == 'w' || e.access == 'b' || e.access == 'k';
}

void duct_rt_given(
    const void *callee, const char *name, uint32_t n, const uint64_t *value, uint64_t pointers)
{
	const struct clib *f = duct_channel ? clib_find(name) : NULL;

	if (!f || is_own(callee, name))
		return;
	for (uint32_t i = 0; i < n && i < 63; i++) {
		struct clib_arg e = clib_arg(f, i);
		uintptr_t p = (uintptr_t)value[i];
		struct duct_object *o = pointers >> i & 1 && p >= 4096 ? duct_object_at(p) : NULL;
		bool whole;
		size_t bytes;

		if (!o || !o->input || !may_touch(e))
			continue;
		bytes = extent(e, n, value, i, &whole);
		if (whole)
			duct_grow_write(p, bytes);
		else if (p - o->base < o->size)
			duct_grow_read(
			    p, bytes < o->size - (p - o->base) ? bytes : o->size - (p - o->base));
	}
}

void duct_rt_outside(const void *callee, const char *name)
{
	char text[48];
	size_t n;

	if (!duct_channel || is_own(callee, name) || (n = duct_length(name)) + 3 > sizeof text)
		return;
	for (size_t i = 0; i < n; i++)
		text[i] = name[i];
	text[n] = '(';
	text[n + 1] = ')';
	text[n + 2] = 0;
	duct_limit("concrete", text, 0);
}
