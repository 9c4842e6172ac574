/* flows: the flow map of a program built with --flows in memory of ours, so that it outlives the
 * server, and as records (flowmap(5)), so that it outlives us. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/run/internal.h"
#include "lib/table/table.h"

enum { TAG_UNIT, TAG_IMAGE, TAG_WRITTEN, TAG_WITHIN };

int flows_open(struct runner *r, char **error)
{
	void *map;

	if (!r->o.keeps_flows)
		return 0;
	r->flows.fd = memfd_create("duct-flows", MFD_CLOEXEC);
	if (r->flows.fd < 0 || ftruncate(r->flows.fd, (off_t)FLOWMAP_SIZE))
		return run_fail(error, "cannot make memory for a flow map: %s", strerror(errno));
	map = mmap(
	    NULL, FLOWMAP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, r->flows.fd, 0);
	if (map == MAP_FAILED)
		return run_fail(error, "cannot map memory for a flow map: %s", strerror(errno));
	r->flows.map = map;
	r->channel.head.flow_map = SERVER_FLOWS_FD + 1;
	return 0;
}

void flows_close(struct runner *r)
{
	if (r->flows.map)
		munmap(r->flows.map, FLOWMAP_SIZE);
	if (r->flows.fd >= 0)
		close(r->flows.fd);
}

static struct flowmap_place *place(const struct runner *r, uint64_t i)
{
	return (struct flowmap_place *)((char *)r->flows.map + FLOWMAP_PLACES) + i;
}

static uint64_t units(const struct runner *r)
{
	return r->channel.head.unit.used / sizeof(struct channel_unit);
}

static uint64_t key_of(const struct runner *r, uint64_t i)
{
	return ((const struct channel_unit *)r->channel.units)[i].key;
}

/* ---- read */

/* State of a reader of a map. */
struct reading {
	struct runner *r;
	struct table *t;
	uint64_t units;
};

static uint64_t hex(const struct rec *rec, size_t i)
{
	return strtoull(rec->field[i], NULL, 16);
}

static bool refuse(struct reading *m, const char *why)
{
	rec_fail(table_reader(m->t), "%s", why);
	return false;
}

static bool add(struct reading *m, struct flowmap_place p)
{
	if (m->units != units(m->r))
		return refuse(m, "the flow map is of another program");
	if (m->r->flows.map->entries + 1 >= FLOWMAP_MOST)
		return refuse(m, "too many places");
	*place(m->r, ++m->r->flows.map->entries) = p;
	return true;
}

static bool read_written(struct reading *m, struct rec *rec)
{
	char where = rec->field[2][0];
	struct flowmap_place p = { .scope = hex(rec, 1),
		.object = where == 's' ? FLOWMAP_STACK
		    : where == 'm'     ? FLOWMAP_MEMORY
		                       : hex(rec, 3) };
	uint64_t size;

	if (!rec_u64(table_reader(m->t), rec, 4, "offset", 0, UINT64_MAX, &p.at)
	    || !rec_u64(table_reader(m->t), rec, 5, "size", 1, UINT32_MAX, &size))
		return false;
	if (where == 'o' && (p.object == FLOWMAP_STACK || p.object == FLOWMAP_MEMORY))
		return refuse(m, "not the name of an object");
	p.size = (uint32_t)size;
	return add(m, p);
}

static bool read_record(struct reading *m, struct rec *rec, size_t tag)
{
	switch (tag) {
	case TAG_UNIT:
		if (m->units >= units(m->r) || hex(rec, 2) != key_of(m->r, m->units++))
			return refuse(m, "the flow map is of another program");
		return true;
	case TAG_IMAGE:
		return hex(rec, 1) == m->r->flows.map->image
		    || refuse(m, "the flow map is of runs at other addresses");
	case TAG_WRITTEN: return read_written(m, rec);
	default:
		return add(
		    m, (struct flowmap_place){ .scope = hex(rec, 1), .object = hex(rec, 2) });
	}
}

/* Room for the runtime's hash table, which it fills itself. */
static void make_slots(struct flowmap *map)
{
	while (map->mask / 4 < map->entries)
		map->mask = map->mask * 2 + 1;
	map->used = 0;
}

int run_read_flows(struct runner *r, FILE *f, const char *name, char **error)
{
	struct reading m = { .r = r, .t = table_open(f, name, "flowmap", table_flowmap) };
	enum rec_status status = REC_ERROR;
	struct rec rec;
	size_t tag;

	if (!r->flows.map->image) {
		table_close(m.t);
		return run_fail(error, "%s: the program was built without --flows", r->o.program),
		       2;
	}
	while ((status = table_next(m.t, &rec, &tag)) == REC_OK)
		if (!read_record(&m, &rec, tag)) {
			status = REC_ERROR;
			break;
		}
	if (status == REC_ERROR)
		run_fail(error, "%s", rec_error(table_reader(m.t)));
	make_slots(r->flows.map);
	table_close(m.t);
	return status == REC_ERROR ? 3 : 0;
}

/* ---- write */

static void put_key(struct rec_writer *w, uint64_t key)
{
	char text[17];

	snprintf(text, sizeof text, "%016llx", (unsigned long long)key);
	rec_str(w, text);
}

static void write_place(struct rec_writer *w, const struct flowmap_place *p)
{
	rec_str(w, p->size ? "written" : "within");
	put_key(w, p->scope);
	if (!p->size) {
		put_key(w, p->object);
		rec_eol(w);
		return;
	}
	rec_str(w,
	    p->object == FLOWMAP_STACK        ? "stack"
	        : p->object == FLOWMAP_MEMORY ? "memory"
	                                      : "object");
	put_key(w, p->object == FLOWMAP_STACK ? 0 : p->object);
	rec_num(w, p->at);
	rec_num(w, p->size);
	rec_eol(w);
}

int run_write_flows(const struct runner *r, FILE *f)
{
	const struct flowmap *map = r->flows.map;
	struct rec_writer w;

	rec_begin(&w, f, "flowmap", 1, "run-trace-" DUCT_VERSION);
	for (uint64_t i = 0; i < units(r); i++) {
		rec_str(&w, "unit");
		rec_num(&w, i + 1);
		put_key(&w, key_of(r, i));
		rec_eol(&w);
	}
	rec_str(&w, "image");
	put_key(&w, map->image);
	rec_eol(&w);
	for (uint64_t i = 1; i <= map->entries && i < FLOWMAP_MOST; i++)
		write_place(&w, place(r, i));
	return rec_end(&w);
}
