#include "lib/front/faults.h"

#include "lib/front/variadic.h"

extern "C" {
#include "lib/clib/clib.h"
#include "lib/protocol/checks.h"
}

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace duct
{
namespace
{

bool may_divide_badly(const Instruction &i)
{
	auto *c = dyn_cast<ConstantInt>(i.getOperand(1));
	bool is_signed = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
	return !c || c->isZero() || (is_signed && c->isMinusOne());
}

bool may_shift_too_far(const Instruction &i)
{
	auto *c = dyn_cast<ConstantInt>(shift_amount(i));
	return !c || c->getValue().uge(i.getType()->getIntegerBitWidth());
}

Value *bytes_of(const Instruction &i, const Type *t)
{
	uint64_t n = i.getModule()->getDataLayout().getTypeStoreSize(const_cast<Type *>(t));
	return ConstantInt::get(Type::getInt64Ty(i.getContext()), n);
}

// The table entry of the called library function; nullptr: none.
const struct clib *library(const CallBase &call)
{
	auto *f = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	return f && f->isDeclaration() ? clib_find(f->getName().str().c_str()) : nullptr;
}

bool is_one_of(char c, const char *list)
{
	return c && strchr(list, c);
}

// How the extents of lib/clib that have so many arguments say how far an access goes: which of them
// is the other pointer (q), and which the number (n); '-': none.
const struct {
	char extent;
	int arguments;
	enum duct_touch how;
	char q, n;
} touches[] = {
	{ '#', 1, TOUCH_BYTES, '-', 'a' },
	{ 'M', 2, TOUCH_BYTES, '-', 'b' },
	{ 'S', 0, TOUCH_TEXT, '-', '-' },
	{ 'S', 1, TOUCH_TEXT_N, '-', 'a' },
	{ 'U', 1, TOUCH_UNTIL, '-', 'a' },
	{ 'V', 1, TOUCH_FIND, '-', 'a' },
	{ 'V', 2, TOUCH_FIND_N, 'a', 'b' },
	{ 'D', 1, TOUCH_SAME, 'a', '-' },
	{ 'D', 2, TOUCH_SAME_N, 'a', 'b' },
	{ 'E', 1, TOUCH_ALIKE, 'a', '-' },
	{ 'E', 2, TOUCH_ALIKE_N, 'a', 'b' },
	{ 'Y', 1, TOUCH_SPAN, 'a', '-' },
	{ 'W', 1, TOUCH_SPAN_NOT, 'a', '-' },
	{ 'Z', 1, TOUCH_SEARCH, 'a', '-' },
	{ 'K', 1, TOUCH_SEARCH_ALIKE, 'a', '-' },
	{ 'C', 1, TOUCH_COPY, 'a', '-' },
	{ 'A', 1, TOUCH_APPEND, 'a', '-' },
	{ 'A', 2, TOUCH_APPEND_N, 'a', 'b' },
};

// The extent of a library function's access through an argument; false: unknown before the call.
bool touch_of(struct clib_arg e, enum duct_touch &how, int &q, int &n)
{
	int arguments = e.a < 0 ? 0 : e.b < 0 ? 1 : 2;
	auto argument = [&](char which) { return which == 'a' ? e.a : which == 'b' ? e.b : -1; };
	if (!is_one_of(e.access, "rwb") || (e.extent == 'S' && e.access != 'r'))
		return false;
	for (const auto &t : touches) {
		if (t.extent != e.extent || t.arguments != arguments)
			continue;
		how = t.how;
		q = argument(t.q);
		n = argument(t.n);
		return true;
	}
	return false;
}

// Does the function only print a string?
bool puts_text(const struct clib *c)
{
	return clib_does(c, "M") && clib_arg(c, 0).access == 'r' && clib_arg(c, 0).extent == 'S';
}

// The accesses of functions that only work on memory or print a string. Others may accept NULL as
// "not wanted".
SmallVector<Touch, 2> accesses_of_call(CallBase &call)
{
	const struct clib *c = library(call);
	SmallVector<Touch, 2> list;
	if (!c || !clib_is_local(c) || (clib_does(c, "oOe") && !puts_text(c))
	    || strpbrk(c->points, "n+") || !strncmp(c->name, "duct_", 5))
		return list;
	auto argument = [&](int k) { return k < 0 ? nullptr : call.getArgOperand((unsigned)k); };
	for (unsigned k = 0; k < call.arg_size(); k++) {
		enum duct_touch how;
		int q, n;
		if (touch_of(clib_arg(c, k), how, q, n) && std::max(q, n) < (int)call.arg_size())
			list.push_back({ argument(k), how == TOUCH_BYTES ? argument(n) : nullptr,
			    how, argument(q), argument(n), clib_does(c, "M"),
			    clib_arg(c, k).access != 'r' });
	}
	return list;
}

Touch access(Value *p, Value *bytes, bool writes)
{
	return { p, bytes, TOUCH_BYTES, nullptr, nullptr, false, writes };
}

// Parts of variables are never NULL; loaded, computed or passed pointers may be.
bool may_be_null(const Value *p)
{
	const Value *base = getUnderlyingObject(p, 0);
	if (auto *a = dyn_cast<Argument>(base))
		return !a->hasPassPointeeByValueCopyAttr();
	return !isa<AllocaInst>(base) && !isa<GlobalValue>(base);
}

bool may_meet_null(Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	if (call && !isa<IntrinsicInst>(i))
		return call->isIndirectCall();
	return any_of(accesses(i), [](const Touch &a) { return may_be_null(a.p); });
}

// Does a static variable contain an array of this type at its start? Addresses of first members are
// folded.
bool begins_in(const GlobalVariable *g, const ArrayType *array)
{
	Type *type = g->getValueType();
	while (type != array) {
		auto *outer = dyn_cast<StructType>(type);
		if (outer ? outer->getNumElements() < 2 : !isa<ArrayType>(type))
			return false;
		type = outer ? outer->getElementType(0) : cast<ArrayType>(type)->getElementType();
	}
	return type != g->getValueType();
}

// May a format contain a string conversion?
bool has_text(const Value *format)
{
	StringRef f;
	if (!getConstantStringInfo(format, f))
		return true;
	for (size_t at = 0; (at = f.find('%', at)) != StringRef::npos; at++) {
		at = f.find_first_not_of("0123456789.*-+ #'hlLqjzt", at + 1);
		if (at == StringRef::npos || f[at] == 's')
			return at != StringRef::npos;
	}
	return false;
}

bool may_leave(Instruction &i)
{
	return frees(i) || tells_bytes(i) || part_index(i)
	    || any_of(accesses(i), [&](const Touch &a) { return !is_within(i, a); });
}

// Does the call allocate a heap block that the caller must free, as result or through an argument?
bool allocates(const Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	const struct clib *c = call ? library(*call) : nullptr;
	return c && (strpbrk(c->points, "*+"));
}

} // namespace

uint32_t arithmetic_faults(const Instruction &i)
{
	if (!i.getType()->isIntegerTy())
		return 0;
	switch (i.getOpcode()) {
	case Instruction::SDiv:
	case Instruction::UDiv:
	case Instruction::SRem:
	case Instruction::URem: return may_divide_badly(i) ? 1u << CHECK_DIV : 0;
	case Instruction::Add:
	case Instruction::Sub:
	case Instruction::Mul: return i.hasNoSignedWrap() ? 1u << CHECK_OVERFLOW : 0;
	case Instruction::Shl:
	case Instruction::LShr:
	case Instruction::AShr: return may_shift_too_far(i) ? 1u << CHECK_SHIFT : 0;
	default: return 0;
	}
}

Value *shift_amount(const Instruction &i)
{
	Value *n = i.getOperand(1);
	auto *cast = dyn_cast<CastInst>(n);
	if (cast && cast->getName().starts_with("sh_prom"))
		return cast->getOperand(0);
	return n;
}

bool is_reserved(const GlobalValue &v)
{
	StringRef name = GlobalValue::dropLLVMManglingEscape(v.getName());
	return v.isDeclaration()
	    && (name.starts_with("duct_") || name.starts_with("__start_duct_")
	        || name.starts_with("__stop_duct_"));
}

bool is_within(const Instruction &i, const Touch &a)
{
	const DataLayout &layout = i.getModule()->getDataLayout();
	APInt offset(64, 0);
	const Value *base = a.p->stripAndAccumulateConstantOffsets(layout, offset, true);
	uint64_t size = 0;
	if (auto *v = dyn_cast<AllocaInst>(base))
		size = v->isArrayAllocation()
		    ? 0
		    : layout.getTypeAllocSize(v->getAllocatedType()).getFixedValue();
	else if (auto *g = dyn_cast<GlobalVariable>(base); g && !is_reserved(*g))
		size = layout.getTypeAllocSize(g->getValueType());
	StringRef text;
	if (a.how == TOUCH_TEXT && getConstantStringInfo(a.p, text))
		return true;
	auto *bytes = dyn_cast_or_null<ConstantInt>(a.bytes);
	return bytes && bytes->getValue().ule(size) && offset.ule(size - bytes->getZExtValue());
}

const Value *part_index(const Instruction &i)
{
	auto *gep = dyn_cast<GetElementPtrInst>(&i);
	auto *array = gep ? dyn_cast<ArrayType>(gep->getSourceElementType()) : nullptr;
	if (!array || gep->getNumIndices() != 2 || array->getNumElements() < 2)
		return nullptr;
	auto *outer = dyn_cast<GEPOperator>(gep->getPointerOperand());
	auto *type = outer ? dyn_cast<StructType>(outer->getSourceElementType()) : nullptr;
	auto *first = dyn_cast<GlobalVariable>(gep->getPointerOperand());
	if (first ? !begins_in(first, array)
	          : !outer || (!type && !isa<ArrayType>(outer->getSourceElementType())))
		return nullptr;
	auto *member =
	    outer ? dyn_cast<ConstantInt>(outer->getOperand(outer->getNumOperands() - 1)) : nullptr;
	if (type && (!member || member->getZExtValue() + 1 == type->getNumElements()))
		return nullptr;
	auto *index = dyn_cast<ConstantInt>(gep->getOperand(2));
	return index && index->getValue().ult(array->getNumElements()) ? nullptr
	                                                               : gep->getOperand(2);
}

bool tells_bytes(const Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	const struct clib *c = call ? library(*call) : nullptr;
	if (!c || !clib_does(c, "M"))
		return false;
	for (unsigned k = 0; k < call->arg_size(); k++) {
		struct clib_arg e = clib_arg(c, k);
		if (is_one_of(e.extent, "GITBR") || (e.access == 'w' && is_one_of(e.extent, "SNL")))
			return true;
		if (is_one_of(e.extent, "FH"))
			return has_text(call->getArgOperand(k));
	}
	return false;
}

bool frees(const Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	const struct clib *c = call && call->arg_size() ? library(*call) : nullptr;
	return c && is_one_of(clib_arg(c, 0).access, "xy") && !clib_does(c, "m");
}

SmallVector<Touch, 2> accesses(Instruction &i)
{
	if (auto *load = dyn_cast<LoadInst>(&i))
		return { access(load->getPointerOperand(), bytes_of(i, i.getType()), false) };
	if (auto *store = dyn_cast<StoreInst>(&i))
		return { access(store->getPointerOperand(),
		    bytes_of(i, store->getValueOperand()->getType()), true) };
	if (auto *rmw = dyn_cast<AtomicRMWInst>(&i))
		return { access(rmw->getPointerOperand(), bytes_of(i, i.getType()), true) };
	if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&i))
		return { access(exchange->getPointerOperand(),
		    bytes_of(i, exchange->getNewValOperand()->getType()), true) };
	if (auto *copy = dyn_cast<AnyMemTransferInst>(&i))
		return { access(copy->getRawDest(), copy->getLength(), true),
			access(copy->getRawSource(), copy->getLength(), false) };
	if (auto *memory = dyn_cast<AnyMemIntrinsic>(&i))
		return { access(memory->getRawDest(), memory->getLength(), true) };
	auto *call = dyn_cast<CallBase>(&i);
	return call ? accesses_of_call(*call) : SmallVector<Touch, 2>();
}

Value *decision(Instruction &i)
{
	Value *v = nullptr;
	if (i.getMetadata("duct.branch"))
		v = isa<SwitchInst>(i)   ? cast<SwitchInst>(i).getCondition()
		    : isa<SelectInst>(i) ? cast<SelectInst>(i).getCondition()
		                         : cast<BranchInst>(i).getCondition();
	else if (auto *p = getLoadStorePointerOperand(&i))
		v = p;
	return v && (isa<Instruction>(v) || isa<Argument>(v)) && !isa<AllocaInst>(v)
	        && (v->getType()->isPointerTy() || v->getType()->getIntegerBitWidth() <= 64)
	    ? v
	    : nullptr;
}

uint32_t faults_of(Instruction &i, uint32_t wanted)
{
	uint32_t kinds = arithmetic_faults(i);
	if (wanted >> CHECK_NULL & 1 && may_meet_null(i))
		kinds |= 1u << CHECK_NULL;
	if (wanted >> CHECK_BOUNDS & 1 && may_leave(i))
		kinds |= 1u << CHECK_BOUNDS;
	if (wanted >> CHECK_UNINIT & 1 && decision(i))
		kinds |= 1u << CHECK_UNINIT;
	if (wanted >> CHECK_LEAK & 1 && allocates(i))
		kinds |= 1u << CHECK_LEAK;
	return kinds & wanted;
}

void note_faults(Instruction &i, uint32_t inst, uint32_t kinds)
{
	LLVMContext &c = i.getContext();
	auto number = [&](uint32_t v) {
		return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), v));
	};
	i.setMetadata("duct.check", MDNode::get(c, { number(inst), number(kinds) }));
}

} // namespace duct
