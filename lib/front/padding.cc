#include "lib/front/padding.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/BinaryFormat/Dwarf.h>

using namespace llvm;

namespace duct
{
namespace
{

const uint64_t most_bytes = 1 << 16; // as the runtime marks no larger object
const uint64_t x87_bytes = 10;       // of the 16 of a long double

class Cover
{
      public:
	explicit Cover(uint64_t bytes) : known(bytes)
	{
	}
	void type(const DIType *t, uint64_t bit, uint64_t bits);

	BitVector known; // bytes that hold a part of a value

      private:
	void bytes(uint64_t bit, uint64_t bits);
	void array(const DICompositeType &a, uint64_t bit, uint64_t bits);
};

void Cover::bytes(uint64_t bit, uint64_t bits)
{
	uint64_t end = std::min<uint64_t>((bit + bits + 7) / 8, known.size());
	if (bit / 8 < end)
		known.set(bit / 8, end);
}

void Cover::array(const DICompositeType &a, uint64_t bit, uint64_t bits)
{
	const DIType *of = a.getBaseType();
	while (auto *d = dyn_cast_or_null<DIDerivedType>(of))
		of = d->getTag() == dwarf::DW_TAG_pointer_type ? nullptr : d->getBaseType();
	uint64_t each = of ? of->getSizeInBits() : 0;
	if (!each || !isa<DICompositeType>(of))
		return bytes(bit, bits);
	for (uint64_t at = 0; at + each <= bits; at += each)
		type(of, bit + at, each);
}

void Cover::type(const DIType *t, uint64_t bit, uint64_t bits)
{
	if (auto *d = dyn_cast_or_null<DIDerivedType>(t)) {
		switch (d->getTag()) {
		case dwarf::DW_TAG_typedef:
		case dwarf::DW_TAG_const_type:
		case dwarf::DW_TAG_volatile_type: return type(d->getBaseType(), bit, bits);
		default: return bytes(bit, bits);
		}
	}
	if (auto *b = dyn_cast_or_null<DIBasicType>(t); b && b->getName() == "long double")
		return bytes(bit, std::min(bits, 8 * x87_bytes));
	auto *c = dyn_cast_or_null<DICompositeType>(t);
	if (c && c->getTag() == dwarf::DW_TAG_array_type)
		return array(*c, bit, bits);
	if (!c || c->getTag() != dwarf::DW_TAG_structure_type || c->isForwardDecl())
		return bytes(bit, bits);
	for (const DINode *n : c->getElements())
		if (auto *m = dyn_cast<DIDerivedType>(n);
		    m && m->getTag() == dwarf::DW_TAG_member) {
			bool field = m->isBitField();
			field ? bytes(bit + m->getOffsetInBits(), m->getSizeInBits())
			      : type(m->getBaseType(), bit + m->getOffsetInBits(),
			            m->getSizeInBits());
		}
}

} // namespace

SmallVector<std::pair<uint64_t, uint64_t>, 4> padding(const DIType *t)
{
	SmallVector<std::pair<uint64_t, uint64_t>, 4> found;
	while (auto *d = dyn_cast_or_null<DIDerivedType>(t))
		t = d->getTag() == dwarf::DW_TAG_pointer_type ? nullptr : d->getBaseType();
	uint64_t bytes = t ? t->getSizeInBits() / 8 : 0;
	if (!bytes || bytes > most_bytes)
		return found;
	Cover c(bytes);
	c.type(t, 0, 8 * bytes);
	for (int at = c.known.find_first_unset(), end; at >= 0;
	    at = end < 0 ? -1 : c.known.find_next_unset(end)) {
		end = c.known.find_next(at);
		found.push_back({ at, end < 0 ? bytes : end });
	}
	return found;
}

} // namespace duct
