// weave_memory: loads, stores and objects. One flag byte covers 8 bytes of memory and is read
// inline; the runtime holds the nodes of bytes.
#include "lib/front/weave.h"

#include <llvm/Analysis/ValueTracking.h>

namespace duct
{

using namespace llvm;

// The disjunction of the flags (i32) for all bytes of an access.
Value *Weaver::flags(B &b, Value *p, uint64_t bytes, uint64_t align)
{
	Value *address = b.CreatePtrToInt(p, i64), *sum = nullptr;
	auto add = [&](uint64_t offset) {
		Value *at = offset ? b.CreateAdd(address, b.getInt64(offset)) : address;
		at = b.CreateAdd(b.CreateLShr(at, 3), b.getInt64(DUCT_FLAGS));
		LoadInst *flag = b.CreateLoad(i8, b.CreateIntToPtr(at, ptr));
		quiet.insert(flag);
		sum = sum ? b.CreateOr(sum, flag) : (Value *)flag;
	};
	for (uint64_t offset = 0; offset < bytes; offset += 8)
		add(offset);
	if (bytes > 1 && align < 8 && (bytes > 8 || align < bytes))
		add(bytes - 1);
	return b.CreateZExt(sum, i32);
}

static Value *displaced(IRBuilder<> &b, Value *p, uint64_t offset)
{
	return offset ? b.CreatePtrAdd(p, b.getInt64(offset)) : p;
}

// The node of a pointer to a part of `pn`'s target.
Value *Weaver::part_pointer(B &b, Value *p, Value *pn, uint64_t offset)
{
	if (!offset || is_zero(pn))
		return pn;
	Value *moved = b.CreateCall(rt("duct_rt_pointer", i32, { i32, i64, i32, i64 }),
	    { pn, as_word(b, p), zero, b.getInt64(offset) });
	return b.CreateSelect(b.CreateICmpEQ(pn, zero), zero, moved);
}

Value *Weaver::load_leaf(
    Instruction *at, Value *p, Value *pn, uint64_t offset, Type *type, uint64_t align)
{
	uint64_t bytes = dl.getTypeStoreSize(type), width = dl.getTypeSizeInBits(type);
	B head(at);
	Value *from = displaced(head, p, offset);
	Value *test = flags(head, from, bytes, align);
	if (!is_zero(pn))
		test = head.CreateOr(test, pn);
	Nodes made = guarded(at, test, [&](B &b) {
		check(b, p);
		Value *part = part_pointer(b, p, pn, offset);
		if (is_scalar(type))
			return Nodes{ b.CreateCall(
			    rt("duct_rt_load_any", i32, { ptr, ptr, i32, i32, i32 }),
			    { unit, from, part, b.getInt32(bytes), b.getInt32(width) }) };
		b.CreateCall(rt("duct_rt_lost_load", b.getVoidTy(), { ptr, ptr, i32, i32, ptr }),
		    { unit, from, part, b.getInt32(bytes),
		        text(b, "vector, wide integer or other format of numbers") });
		return Nodes{ zero };
	});
	return made[0];
}

void Weaver::store_leaf(
    Instruction *at, Value *p, Value *pn, uint64_t offset, Value *value, Value *n, uint64_t align)
{
	Type *type = value->getType();
	uint64_t bytes = dl.getTypeStoreSize(type), width = dl.getTypeSizeInBits(type);
	B head(at);
	Value *to = displaced(head, p, offset);
	Value *test = flags(head, to, bytes, align);
	for (Value *more : { pn, n })
		if (!is_zero(more))
			test = head.CreateOr(test, more);
	guarded(at, test, [&](B &b) {
		check(b, p);
		if (is_zero(n) && is_zero(pn)) {
			b.CreateCall(rt("duct_rt_store", b.getVoidTy(), { ptr, i32, i32, i32 }),
			    { to, b.getInt32(bytes), b.getInt32(width), zero });
			return Nodes();
		}
		if (!is_zero(n))
			check(b, value);
		Value *v = value;
		if (!v->getType()->isIntOrPtrTy())
			v = bytes <= 16 && width == 8 * bytes
			    ? b.CreateBitCast(v, IntegerType::get(c, width))
			    : b.getInt64(0);
		bool two = width > 64 && v->getType()->isIntegerTy(width);
		b.CreateCall(rt(two ? "duct_rt_store_any_wide" : "duct_rt_store_any", b.getVoidTy(),
		                 { ptr, ptr, i32, i32, i32, i32, two ? (Type *)ptr : i64 }),
		    { unit, to, part_pointer(b, p, pn, offset), b.getInt32(bytes),
		        b.getInt32(width), n, two ? as_wide(b, v, 0) : as_word(b, v) });
		return Nodes();
	});
}

bool reads_constant(const LoadInst &i)
{
	auto *g = dyn_cast<GlobalVariable>(getUnderlyingObject(i.getPointerOperand(), 0));
	return g && g->isConstant() && !i.isVolatile();
}

// Tells that the run read memory whose value hardware, another process or another thread may change
// at any time: volatile or atomic.
void Weaver::tell_shared(Instruction &i)
{
	auto *load = dyn_cast<LoadInst>(&i);
	Value *p = load                                          ? load->getPointerOperand()
	    : isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i) ? i.getOperand(0)
	                                                         : nullptr;
	if (!p || !(i.isVolatile() || i.isAtomic()) || options.model)
		return;
	Value *from = getUnderlyingObject(p, 0);
	if (isa<AllocaInst>(from))
		return;
	auto *g = dyn_cast<GlobalVariable>(from);
	B b(&i);
	StringRef name = g ? g->getName() : "";
	b.CreateCall(rt("duct_rt_limit", b.getVoidTy(), { ptr, ptr, i64 }),
	    { text(b, i.isVolatile() ? "volatile" : "atomic"),
	        text(b, name.substr(name.find('.') + 1).str().c_str()), b.getInt64(0) });
}

// Does it read the features of the processor (__builtin_cpu_supports), which the compiler's runtime
// library has determined?
static bool reads_processor(const LoadInst &i)
{
	auto *g = dyn_cast<GlobalVariable>(getUnderlyingObject(i.getPointerOperand(), 0));
	return g && g->isDeclaration() && g->getName().starts_with("__cpu_");
}

void Weaver::visit_load(LoadInst &i)
{
	reach(i);
	if (reads_processor(i))
		tell_machine(i, "the processor");
	Value *p = i.getPointerOperand(), *pn = node(p);
	if (!is_scalar(p->getType()) || (is_zero(pn) && reads_constant(i)))
		return;
	SmallVector<Type *, 2> types;
	SmallVector<uint64_t, 2> offsets;
	leaves(i.getType(), types, &offsets);
	Nodes out;
	for (size_t k = 0; k < types.size(); k++)
		out.push_back(load_leaf(&i, p, pn, offsets[k], types[k],
		    commonAlignment(i.getAlign(), offsets[k]).value()));
	set(i, out);
}

void Weaver::visit_store(StoreInst &i)
{
	Value *p = i.getPointerOperand(), *v = i.getValueOperand(), *pn = node(p);
	if (!is_scalar(p->getType()))
		return;
	SmallVector<Type *, 2> types;
	SmallVector<uint64_t, 2> offsets;
	leaves(v->getType(), types, &offsets);
	if (types.size() == 1 && types[0] == v->getType())
		return store_leaf(&i, p, pn, 0, v, node(v), i.getAlign().value());
	// store the shadow of a structure leaf by leaf
	Nodes n = nodes(v);
	SmallVector<unsigned, 4> path;
	size_t k = 0;
	std::function<void(Type *)> walk = [&](Type *t) {
		unsigned count = isa<StructType>(t) ? t->getStructNumElements()
		    : isa<ArrayType>(t)             ? t->getArrayNumElements()
		                                    : 0;
		for (unsigned e = 0; e < count; e++) {
			path.push_back(e);
			walk(isa<StructType>(t) ? t->getStructElementType(e)
			                        : t->getArrayElementType());
			path.pop_back();
		}
		if (t->isAggregateType())
			return;
		B b(&i);
		Value *part = b.CreateExtractValue(v, path);
		store_leaf(&i, p, pn, offsets[k], part, n[k],
		    commonAlignment(i.getAlign(), offsets[k]).value());
		k++;
	};
	walk(v->getType());
}

void Weaver::visit_rmw(AtomicRMWInst &i)
{
	Value *p = i.getPointerOperand(), *v = i.getValOperand();
	uint64_t align = i.getAlign().value();
	if (!is_scalar(i.getType()))
		return lost_if(&i, { node(p) }, "atomic operation");
	Value *old = load_leaf(&i, p, node(p), 0, i.getType(), align);
	set(i, { old });
	// the stored value depends on the value read, which is available only afterwards
	Instruction *after = i.getNextNode();
	auto make = [&](B &b) -> Sym {
		Sym x{ old, as_integer(b, &i) }, y = sym(b, v);
		unsigned width = dl.getTypeSizeInBits(i.getType());
		switch (i.getOperation()) {
		case AtomicRMWInst::Xchg: return y;
		case AtomicRMWInst::Add: return binary(b, OP_ADD, x, y);
		case AtomicRMWInst::Sub: return binary(b, OP_SUB, x, y);
		case AtomicRMWInst::And: return binary(b, OP_AND, x, y);
		case AtomicRMWInst::Nand: return unary(b, OP_NOT, binary(b, OP_AND, x, y), width);
		case AtomicRMWInst::Or: return binary(b, OP_OR, x, y);
		case AtomicRMWInst::Xor: return binary(b, OP_XOR, x, y);
		case AtomicRMWInst::Max: return ite(b, binary(b, OP_SLT, x, y), y, x);
		case AtomicRMWInst::Min: return ite(b, binary(b, OP_SLT, x, y), x, y);
		case AtomicRMWInst::UMax: return ite(b, binary(b, OP_ULT, x, y), y, x);
		case AtomicRMWInst::UMin: return ite(b, binary(b, OP_ULT, x, y), x, y);
		default: lost(b, "atomic operation"); return { zero, nullptr };
		}
	};
	Nodes made = guarded_any(after, { &i, v }, 1, [&](B &b) { return Nodes{ make(b).n }; });
	B b(after);
	store_leaf(after, p, node(p), 0, b.CreateLoad(i.getType(), p), made[0], align);
}

void Weaver::visit_cmpxchg(AtomicCmpXchgInst &i)
{
	Value *p = i.getPointerOperand(), *expected = i.getCompareOperand(),
	      *other = i.getNewValOperand();
	uint64_t align = i.getAlign().value();
	Value *old = load_leaf(&i, p, node(p), 0, expected->getType(), align);
	set(i, { old, zero });
	Instruction *after = i.getNextNode();
	Nodes made = guarded_any(after, { &i, expected, other }, 2, [&](B &b) {
		Sym x{ old, as_integer(b, b.CreateExtractValue(&i, 0)) };
		Sym same = binary(b, OP_EQ, x, sym(b, expected));
		return Nodes{ same.n, ite(b, same, sym(b, other), x).n };
	});
	set(i, { old, made[0] });
	B b(after);
	store_leaf(after, p, node(p), 0, b.CreateLoad(expected->getType(), p), made[1], align);
}

bool Weaver::visit_memory_intrinsic(IntrinsicInst &i)
{
	if (auto *save = i.getIntrinsicID() == Intrinsic::stacksave ? &i : nullptr) {
		B b(save->getNextNode());
		saves[save] = b.CreateCall(rt("duct_rt_frame", i64, {}), {});
		return true;
	}
	if (i.getIntrinsicID() == Intrinsic::stackrestore) {
		B b(&i);
		auto it = saves.find(i.getArgOperand(0));
		if (it != saves.end())
			b.CreateCall(rt("duct_rt_leave", b.getVoidTy(), { i64 }), { it->second });
		return true;
	}
	auto *mi = dyn_cast<MemIntrinsic>(&i);
	if (!mi)
		return false;
	B head(mi);
	guarded(mi, head.CreateLoad(i32, word("duct_live", i32)), [&](B &b) {
		Value *n = b.CreateZExtOrTrunc(mi->getLength(), i64), *nn = node(mi->getLength());
		Value *d = mi->getDest();
		for (Value *operand : mi->args())
			check(b, operand);
		if (auto *t = dyn_cast<MemTransferInst>(mi))
			b.CreateCall(rt("duct_rt_copy", b.getVoidTy(),
			                 { ptr, i32, ptr, ptr, i64, i32, i32, i32 }),
			    { unit, place(b), d, t->getSource(), n, node(d), node(t->getSource()),
			        nn });
		else if (Value *byte = cast<MemSetInst>(mi)->getValue())
			b.CreateCall(rt("duct_rt_fill", b.getVoidTy(),
			                 { ptr, i32, ptr, i64, i32, i32, i32, i32 }),
			    { unit, place(b), d, n, b.CreateZExt(byte, i32), node(byte), node(d),
			        nn });
		return Nodes();
	});
	return true;
}

bool is_object(const Value &p)
{
	for (const User *u : p.users()) {
		if (isa<LoadInst>(u)
		    || (isa<StoreInst>(u) && cast<StoreInst>(u)->getValueOperand() != &p))
			continue;
		if (auto *call = dyn_cast<IntrinsicInst>(u);
		    call && (call->isLifetimeStartOrEnd() || isa<MemIntrinsic>(call)))
			continue;
		if (auto *call = dyn_cast<CallInst>(u); call && call->getCalledFunction()
		    && (call->getCalledFunction()->getName().starts_with("duct_rt_flow_")
		        || call->getCalledFunction()->getName() == "duct_rt_unset_memory"))
			continue;
		auto *gep = dyn_cast<GetElementPtrInst>(u);
		if (!gep || !gep->hasAllConstantIndices() || is_object(*gep))
			return true;
	}
	return false;
}

// Is uninitialised memory of the variable tracked? Not for types that the C library or assembly
// writes invisibly.
static bool is_watched(const AllocaInst &a)
{
	auto *s = dyn_cast<StructType>(a.getAllocatedType());
	auto *array = dyn_cast<ArrayType>(a.getAllocatedType());
	if (array)
		s = dyn_cast<StructType>(array->getElementType());
	if (s && s->hasName() && s->getName().starts_with("struct.__va_list"))
		return false;
	return none_of(a.users(), [](const User *u) {
		auto *call = dyn_cast<CallBase>(u);
		return call && call->isInlineAsm();
	});
}

// Marks memory as uninitialised.
void Weaver::unwritten(B &b, AllocaInst &a, Value *bytes)
{
	b.CreateCall(rt("duct_rt_uninit", b.getVoidTy(), { ptr, i64 }), { &a, bytes });
}

void Weaver::enter_object(AllocaInst &a)
{
	uint64_t unit_size = dl.getTypeAllocSize(a.getAllocatedType());
	BasicBlock &entry = f->getEntryBlock();
	bool fixed = a.getParent() == &entry && isa<ConstantInt>(a.getArraySize());
	uint64_t bytes =
	    fixed ? unit_size * cast<ConstantInt>(a.getArraySize())->getZExtValue() : 0;
	auto at = std::next(a.getIterator());
	while (fixed && isa<AllocaInst>(*at))
		++at;
	if (fixed && !bytes)
		return;
	bool watched = watch_writes && is_watched(a);
	if (fixed && bytes <= 64 && !is_object(a)) {
		B head(&*at);
		if (watched)
			return unwritten(head, a, head.getInt64(bytes));
		guarded(&*at, flags(head, &a, bytes, a.getAlign().value()), [&](B &b) {
			b.CreateCall(
			    rt("duct_rt_set", b.getVoidTy(), { ptr, i32, ptr, i64, i32, i32, i32 }),
			    { unit, place(b), &a, b.getInt64(bytes), zero, zero, zero });
			return Nodes();
		});
		return;
	}
	B b(&*at);
	if (!mark) {
		auto first = entry.begin();
		while (isa<AllocaInst>(*first))
			++first;
		B begin(&*first);
		mark = begin.CreateCall(rt("duct_rt_frame", i64, {}), {});
		if (fixed)
			b.SetInsertPoint(&*at);
	}
	Value *size = fixed
	    ? b.getInt64(bytes)
	    : b.CreateMul(b.CreateZExtOrTrunc(a.getArraySize(), i64), b.getInt64(unit_size));
	b.CreateCall(rt("duct_rt_alloca", b.getVoidTy(), { ptr, i64 }), { &a, size });
	if (watched)
		unwritten(b, a, size);
}

// A variable of symbolic size gets the room of its size class.
void Weaver::visit_alloca(AllocaInst &a)
{
	Value *count = a.getArraySize();
	uint64_t each = dl.getTypeAllocSize(a.getAllocatedType());
	if (isa<Constant>(count) || !each)
		return;
	flush(&a);
	Value *n = node(count);
	if (is_zero(n))
		return;
	B b(&a);
	Value *room = b.CreateCall(rt("duct_rt_alloca_room", i64, { ptr, i32, i64, i32, i64 }),
	    { unit, place(b), b.CreateZExtOrTrunc(count, i64), n, b.getInt64(each) });
	a.setOperand(0, b.CreateZExtOrTrunc(room, count->getType()));
}

void Weaver::enter_objects()
{
	SmallVector<AllocaInst *, 16> all;
	for (BasicBlock &b : *f)
		for (Instruction &i : b)
			if (auto *a = dyn_cast<AllocaInst>(&i); a && a != left && a != way)
				all.push_back(a);
	for (AllocaInst *a : all)
		enter_object(*a);
}

void Weaver::leave_objects(Instruction *at)
{
	if (!mark)
		return;
	B b(at);
	b.CreateCall(rt("duct_rt_leave", b.getVoidTy(), { i64 }), { mark });
}

} // namespace duct
