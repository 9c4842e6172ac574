#include "lib/defuse/inner.h"
#include "lib/base/gcd.h"

bool place_meets(const struct defuse_place *p, const struct defuse_place *q)
{
	uint64_t stride = gcd(p->stride, q->stride), d;
	if (p->object != q->object && p->object != ALIAS_OUTSIDE && q->object != ALIAS_OUTSIDE)
		return false;
	if (!stride)
		return p->offset < q->offset ? (uint64_t)(q->offset - p->offset) < p->size
		                             : (uint64_t)(p->offset - q->offset) < q->size;
	d = (uint64_t)(((q->offset - p->offset) % (int64_t)stride + (int64_t)stride)
	    % (int64_t)stride);
	return d < p->size || stride - d < q->size || (d == 0 && q->size);
}

bool place_covers(const struct defuse_place *p, const struct defuse_place *q, uint64_t size)
{
	if (p->object != q->object || p->stride)
		return false;
	if (q->stride)
		return size && p->offset <= 0 && p->offset + (int64_t)p->size >= (int64_t)size;
	return p->offset <= q->offset
	    && p->offset + (int64_t)p->size >= q->offset + (int64_t)q->size;
}

struct defuse_place place_common(const struct defuse_place *p, const struct defuse_place *q)
{
	struct defuse_place c = *p;
	int64_t end, other;
	if (p->object != q->object) /* one is ALIAS_OUTSIDE: any escaped object */
		return p->object == ALIAS_OUTSIDE ? *q : *p;
	if (p->stride)
		return q->stride && q->size >= p->size ? *p : *q;
	if (q->stride)
		return *p;
	end = p->offset + (int64_t)p->size;
	other = q->offset + (int64_t)q->size;
	c.offset = p->offset > q->offset ? p->offset : q->offset;
	c.size = (uint64_t)((end < other ? end : other) - c.offset);
	return c;
}
