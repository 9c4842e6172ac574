// data: initial bytes of objects.
#include "lib/front/flow_writer.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace duct
{
namespace
{

struct Image {
	const DataLayout &layout;
	std::string bytes;
	std::vector<std::pair<uint64_t, const Constant *>> pointers;
	bool plain = true;

	void put(const Constant *c, uint64_t at);
	void put_bits(const APInt &v, uint64_t at, uint64_t n)
	{
		for (uint64_t i = 0; i < n && i * 8 < v.getBitWidth(); i++)
			bytes[at + i] = (char)v.extractBitsAsZExtValue(
			    std::min(8u, v.getBitWidth() - (unsigned)i * 8), i * 8);
	}
};

void Image::put(const Constant *c, uint64_t at)
{
	Type *t = c->getType();
	uint64_t size = layout.getTypeStoreSize(t);
	if (c->isNullValue() || isa<UndefValue>(c))
		return;
	if (auto *i = dyn_cast<ConstantInt>(c))
		put_bits(i->getValue(), at, size);
	else if (auto *f = dyn_cast<ConstantFP>(c))
		put_bits(f->getValueAPF().bitcastToAPInt(), at, size);
	else if (auto *d = dyn_cast<ConstantDataSequential>(c)) {
		StringRef raw = d->getRawDataValues();
		bytes.replace(at, raw.size(), raw.data(), raw.size());
	} else if (auto *s = dyn_cast<ConstantStruct>(c)) {
		const StructLayout *l = layout.getStructLayout(s->getType());
		for (unsigned k = 0; k < s->getNumOperands(); k++)
			put(s->getOperand(k), at + l->getElementOffset(k));
	} else if (isa<ConstantArray>(c) || isa<ConstantVector>(c)) {
		uint64_t stride = layout.getTypeAllocSize(c->getOperand(0)->getType());
		for (unsigned k = 0; k < c->getNumOperands(); k++)
			put(cast<Constant>(c->getOperand(k)), at + k * stride);
	} else if (t->isPointerTy())
		pointers.push_back({ at, c });
	else
		plain = false;
}

std::string hex_of(const std::string &bytes)
{
	static const char digit[] = "0123456789abcdef";
	std::string s;
	for (unsigned char c : bytes)
		(s += digit[c >> 4]) += digit[c & 15];
	return s;
}

} // namespace

void FlowWriter::initial(const GlobalVariable *g, const std::string &object)
{
	if (!g->hasInitializer() || g->getInitializer()->isNullValue())
		return;
	Image image{ layout, std::string(layout.getTypeAllocSize(g->getValueType()), 0), {}, true };
	image.put(g->getInitializer(), 0);
	bool zero = image.bytes.find_first_not_of('\0') == std::string::npos;
	if (!zero && object[0] == '&')
		out.rec("init").raw(object.substr(1)).raw(hex_of(image.bytes)).end();
	if (!image.plain)
		exact(object, *g->getInitializer());
	for (auto &p : image.pointers) {
		std::string to = operand(p.second);
		out.rec("reloc").raw(object).num(p.first).str(to).end();
	}
}

void FlowWriter::datum(const GlobalVariable *g)
{
	uint64_t size = layout.getTypeAllocSize(g->getValueType());
	Image image{ layout, std::string(size, 0), {}, true };
	if (g->hasInitializer())
		image.put(g->getInitializer(), 0);
	uint32_t id = data[g] = data.size() + 1;
	out.rec("data").num(id).num(size).raw(image.plain ? hex_of(image.bytes) : "").end();
	if (!image.pointers.empty() || !image.plain)
		initial(g, "$" + std::to_string(id));
}

} // namespace duct
