// access: definitions and uses: the bytes of variables that an instruction writes and reads, and
// the C expression for them. Paths are derived from the C types, since IR pointers have none.
#include "lib/front/flow_writer.h"
#include "lib/front/place.h"
#include "lib/front/weave.h"

extern "C" {
#include "lib/clib/clib.h"
}

#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using clang::FieldDecl;
using clang::QualType;
using namespace llvm;

namespace duct
{
namespace
{

QualType pointee(QualType t)
{
	return !t.isNull() && t->isPointerType() ? t->getPointeeType() : QualType();
}

uint64_t size_of(const clang::ASTContext &ast, QualType t)
{
	if (t.isNull() || t->isIncompleteType() || t->isFunctionType() || t->isVariableArrayType())
		return 0;
	return ast.getTypeSizeInChars(t).getQuantity();
}

// The member of a record that contains [offset, offset + size), or the bit-field.
const FieldDecl *member_at(const clang::ASTContext &ast, const clang::RecordDecl *r,
    uint64_t offset, uint64_t size, Bits bits)
{
	const clang::ASTRecordLayout &layout = ast.getASTRecordLayout(r);
	const FieldDecl *best = nullptr;
	for (const FieldDecl *f : r->fields()) {
		uint64_t at = layout.getFieldOffset(f->getFieldIndex());
		if (f->isBitField()) {
			uint64_t n = f->getBitWidthValue(ast);
			uint64_t first = offset * 8 + bits.first,
			         count = bits.count ? bits.count : size * 8;
			bool inside = bits.count ? at == first && n == count
			                         : at >= first && at + n <= first + count;
			if (n && inside && !best)
				best = f;
			continue;
		}
		uint64_t n = size_of(ast, f->getType());
		if (bits.count && !f->getType()->isRecordType() && !f->getType()->isArrayType())
			continue;
		if (at / 8 <= offset
		    && (offset < at / 8 + n
		        || (f->getType()->isIncompleteArrayType() && offset >= at / 8))) {
			if (n == size && at / 8 == offset)
				return f;
			if (!best || best->isBitField())
				best = f;
		}
	}
	return best;
}

bool is_bits(const clang::ASTContext &ast, QualType t, uint64_t offset)
{
	while (!t.isNull()) {
		t = t.getCanonicalType();
		if (const auto *a = ast.getAsArrayType(t)) {
			t = a->getElementType();
			uint64_t n = size_of(ast, t);
			if (!n)
				return false;
			offset %= n;
			continue;
		}
		const auto *r = t->getAs<clang::RecordType>();
		const clang::RecordDecl *d = r ? r->getDecl()->getDefinition() : nullptr;
		if (!d)
			return false;
		const clang::ASTRecordLayout &layout = ast.getASTRecordLayout(d);
		QualType next;
		for (const FieldDecl *f : d->fields()) {
			uint64_t at = layout.getFieldOffset(f->getFieldIndex()),
			         n = size_of(ast, f->getType());
			if (f->isBitField() && at < offset * 8 + 64
			    && at + f->getBitWidthValue(ast) > offset * 8) {
				if (at / 8 >= offset)
					return true;
			} else if (!f->isBitField() && at / 8 <= offset && offset < at / 8 + n) {
				next = f->getType();
				offset -= at / 8;
				break;
			}
		}
		t = next;
	}
	return false;
}

// The only user of v; null if there are several.
const Instruction *only_user(const Value *v)
{
	return v->hasOneUse() ? dyn_cast<Instruction>(*v->user_begin()) : nullptr;
}

uint64_t constant(const Value *v, bool &ok)
{
	auto *c = dyn_cast<ConstantInt>(v);
	ok = c && c->getBitWidth() <= 64;
	return ok ? c->getZExtValue() : 0;
}

Bits run_of(uint64_t mask)
{
	if (!mask)
		return {};
	Bits b;
	b.first = llvm::countr_zero(mask);
	b.count = llvm::popcount(mask);
	return b;
}

// Matches load, and ~mask, or, store to the same address: a write of a bit-field. Such a load
// belongs to the store.
const StoreInst *bit_store_of(const LoadInst *l, Bits &bits)
{
	const Instruction *clear = only_user(l);
	if (!clear || clear->getOpcode() != Instruction::And)
		return nullptr;
	const Instruction *set = only_user(clear);
	if (!set || set->getOpcode() != Instruction::Or)
		return nullptr;
	bool ok;
	uint64_t mask = constant(clear->getOperand(1), ok);
	unsigned width = l->getType()->getIntegerBitWidth();
	if (!ok)
		return nullptr;
	bits = run_of(~mask & (width == 64 ? ~0ull : (1ull << width) - 1));
	for (const User *u : set->users())
		if (auto *s = dyn_cast<StoreInst>(u))
			if (s->getPointerOperand() == l->getPointerOperand())
				return s;
	return nullptr;
}

// The bits of a loaded unit that the following shifts extract.
Bits bits_of_load(const LoadInst *l)
{
	unsigned width = l->getType()->getIntegerBitWidth();
	const Instruction *u = only_user(l);
	bool ok;
	if (!u)
		return {};
	uint64_t n = u->getNumOperands() > 1 ? constant(u->getOperand(1), ok) : (ok = false, 0);
	const Instruction *next = only_user(u);
	if (u->getOpcode() == Instruction::And && ok)
		return run_of(n);
	if (u->getOpcode() == Instruction::AShr && ok)
		return { (unsigned)n, width - (unsigned)n };
	if (u->getOpcode() == Instruction::LShr && ok) {
		if (next && next->getOpcode() == Instruction::And) {
			uint64_t mask = constant(next->getOperand(1), ok);
			return ok ? Bits{ (unsigned)n, (unsigned)llvm::popcount(mask) } : Bits{};
		}
		return { (unsigned)n, width - (unsigned)n };
	}
	if (u->getOpcode() == Instruction::Shl && ok && next
	    && next->getOpcode() == Instruction::AShr) {
		uint64_t right = constant(next->getOperand(1), ok);
		if (ok && right >= n)
			return { (unsigned)(right - n), width - (unsigned)right };
	}
	return {};
}

} // namespace

Access FlowWriter::access(const Value *p, int depth)
{
	Access a;
	if (depth > 16)
		return a;
	auto v = var.find(p);
	if (v != var.end()) {
		a.var = v->second;
		a.base = v->second.decl->getNameAsString();
		a.type = v->second.decl->getType();
		a.valid = true;
		return a;
	}
	if (auto *g = dyn_cast<GEPOperator>(p)) {
		a = access(g->getPointerOperand(), depth + 1);
		MapVector<Value *, APInt> variable;
		unsigned bits = layout.getIndexTypeSizeInBits(g->getType());
		APInt offset(bits, 0);
		if (!g->collectOffset(layout, bits, variable, offset))
			return Access();
		a.offset += offset.getSExtValue();
		for (auto &x : variable)
			a.scale.push_back(x.second.getZExtValue());
		return a;
	}
	a.deref = a.valid = true;
	if (auto *l = dyn_cast<LoadInst>(p)) {
		Access from = access(l->getPointerOperand(), depth + 1);
		if (!from.valid || !l->getType()->isPointerTy())
			return Access();
		QualType t;
		a.base = path(from, layout.getTypeStoreSize(l->getType()), Bits(), &t);
		a.type = pointee(t);
		return a;
	}
	if (auto *c = dyn_cast<CallInst>(p)) {
		auto *f = c->getCalledFunction();
		if (f && gives_table(*f)) // its constants are no data of the program
			return Access();
		const struct clib *known =
		    f && f->isDeclaration() ? clib_find(f->getName().str().c_str()) : nullptr;
		unsigned length = 0;
		const char *object = known ? clib_object(known, &length) : nullptr;
		a.base = object ? "&" + std::string(object, length)
		    : f         ? name_of(f) + "()"
		                : "(call)";
		auto *d = f ? dyn_cast_or_null<clang::FunctionDecl>(
		                  generator.GetDeclForMangledName(f->getName()))
		            : nullptr;
		a.type = d ? pointee(d->getReturnType()) : QualType();
		return a;
	}
	if (isa<AllocaInst>(p) || isa<GlobalValue>(p) || isa<ConstantPointerNull>(p))
		return Access();
	a.base = "(pointer)";
	return a;
}

// The lvalue for `size` bytes at a; *type: its type, null if unknown.
std::string FlowWriter::path(const Access &a, uint64_t size, Bits bits, QualType *type)
{
	std::string s = a.base;
	QualType t = a.type.isNull() ? a.type : a.type.getCanonicalType();
	int64_t off = a.offset;
	SmallVector<uint64_t, 2> scale(a.scale);
	uint64_t n = size_of(ast, t);
	bool deref = a.deref;
	auto index = [&](uint64_t stride) {
		auto hit = std::find(scale.begin(), scale.end(), stride);
		int64_t k = off >= 0 ? off / (int64_t)stride
		                     : -((-off + (int64_t)stride - 1) / (int64_t)stride);
		off -= k * (int64_t)stride;
		if (hit == scale.end())
			return "[" + std::to_string(k) + "]";
		scale.erase(hit);
		return std::string("[*]");
	};
	if (deref && n
	    && (off < 0 || (uint64_t)off >= n
	        || std::find(scale.begin(), scale.end(), n) != scale.end())) {
		s += index(n);
		deref = false;
	}
	for (;;) {
		if (t.isNull() || off < 0)
			break;
		if (const auto *arr = ast.getAsArrayType(t)) {
			uint64_t stride = size_of(ast, arr->getElementType());
			if (!stride
			    || (size_of(ast, t) == size && scale.empty() && off == 0 && size))
				break;
			s = (deref ? "(*" + s + ")" : s) + index(stride);
			deref = false;
			t = arr->getElementType().getCanonicalType();
			continue;
		}
		const auto *r = t->getAs<clang::RecordType>();
		const clang::RecordDecl *d = r ? r->getDecl()->getDefinition() : nullptr;
		if (!d || (size_of(ast, t) == size && off == 0 && scale.empty() && size > 8))
			break;
		const FieldDecl *f = member_at(ast, d, off, size, bits);
		if (!f)
			break;
		uint64_t at = ast.getASTRecordLayout(d).getFieldOffset(f->getFieldIndex());
		if (!f->isAnonymousStructOrUnion()) {
			s += (deref ? "->" : ".") + f->getNameAsString();
			deref = false;
		}
		t = f->getType().getCanonicalType();
		if (f->isBitField())
			break;
		off -= at / 8;
	}
	*type = t;
	if (deref)
		s = s[0] == '&' ? s.substr(1) : "*" + s;
	return s;
}

// Attaches !duct.access for the weaver.
void FlowWriter::note(Instruction &i, const Value *pointer, bool def, uint32_t id, bool entry,
    uint64_t size, Bits bits)
{
	LLVMContext &c = i.getContext();
	auto number = [&](uint64_t v, unsigned width = 32) {
		return ConstantAsMetadata::get(ConstantInt::get(IntegerType::get(c, width), v));
	};
	auto *call = dyn_cast<CallBase>(&i);
	auto *argument = dyn_cast<Argument>(pointer);
	unsigned where = 0, k = 0;
	auto *store = dyn_cast<StoreInst>(&i);
	if (entry && argument && !(store && store->getPointerOperand() == pointer)) {
		where = 2;
		k = argument->getArgNo();
	} else if (call && !isa<AnyMemIntrinsic>(i)) {
		where = 1;
		while (k < call->arg_size() && call->getArgOperand(k) != pointer)
			k++;
	}
	SmallVector<Metadata *, 2> all;
	if (MDNode *old = i.getMetadata("duct.access"))
		all.append(old->op_begin(), old->op_end());
	all.push_back(MDNode::get(c,
	    { number(def), number(id), number(where), number(k), number(bits.first),
	        number(bits.count), number(entry), number(size, 64) }));
	i.setMetadata("duct.access", MDNode::get(c, all));
}

void FlowWriter::effect(const char *tag, uint32_t &ids, Instruction &i, const Value *pointer,
    uint64_t size, std::string how, Bits bits)
{
	Access a = access(pointer);
	if (!a.valid)
		return;
	QualType t;
	std::string text = path(a, size, bits, &t);
	uint64_t whole = size;
	uint64_t offset = a.offset < 0 ? 0 : a.offset;
	if (a.deref)
		how += 'p';
	if (!a.scale.empty()) {
		how += 'i';
		offset = 0;
		size = a.deref ? 0 : size_of(ast, a.type);
	}
	bool entry = how[0] == 'e';
	Place p = entry ? file_place(ast, a.var.decl->getLocation()) : Place();
	file(p.file);
	out.rec(tag)
	    .num(++ids)
	    .num(inst.at(&i))
	    .num(a.deref ? 0 : a.var.id)
	    .raw(how.empty() ? "-" : how);
	(entry ? at(p) : at(i.getDebugLoc())).num(offset).num(size).str(text);
	if (bits.count)
		out.num(bits.first).num(bits.count);
	out.end();
	if (pairs)
		note(i, pointer, tag[0] == 'd', ids, entry, whole, bits);
}

// A call reads structs passed in memory and writes those returned in memory.
void FlowWriter::call_effects(CallBase &c)
{
	for (unsigned k = 0; k < c.arg_size(); k++) {
		if (c.paramHasAttr(k, Attribute::ByVal))
			effect("use", uses, c, c.getArgOperand(k),
			    layout.getTypeStoreSize(c.getParamByValType(k)), "c", Bits());
		if (c.paramHasAttr(k, Attribute::StructRet))
			effect("def", defs, c, c.getArgOperand(k),
			    layout.getTypeStoreSize(c.getParamStructRetType(k)), "c", Bits());
	}
}

void FlowWriter::effects(Instruction &i)
{
	auto fixed = [&](const Value *v) {
		auto *c = dyn_cast<ConstantInt>(v);
		return c ? c->getZExtValue() : 0;
	};
	if (auto *l = dyn_cast<LoadInst>(&i)) {
		Access a = access(l->getPointerOperand());
		Bits bits;
		bool field =
		    a.valid && l->getType()->isIntegerTy() && is_bits(ast, a.type, a.offset);
		if (field && bit_store_of(l, bits))
			return;
		if (field)
			bits = bits_of_load(l);
		effect("use", uses, i, l->getPointerOperand(),
		    layout.getTypeStoreSize(l->getType()),
		    std::string(field ? "b" : "") + (l->isVolatile() || l->isAtomic() ? "v" : ""),
		    bits);
	} else if (auto *s = dyn_cast<StoreInst>(&i)) {
		Access a = access(s->getPointerOperand());
		Type *t = s->getValueOperand()->getType();
		Bits bits;
		bool field = a.valid && t->isIntegerTy() && is_bits(ast, a.type, a.offset);
		auto *set = field ? dyn_cast<BinaryOperator>(s->getValueOperand()) : nullptr;
		for (unsigned k = 0; set && k < 2; k++)
			if (auto *clear = dyn_cast<BinaryOperator>(set->getOperand(k)))
				if (auto *old = dyn_cast<LoadInst>(clear->getOperand(0)))
					bit_store_of(old, bits);
		bool entry = (isa<Argument>(s->getValueOperand()) || !i.getDebugLoc()) && a.var.decl
		    && isa<clang::ParmVarDecl>(a.var.decl);
		bool init = a.var.decl && i.getDebugLoc() && !entry && !a.offset
		    && ast.getSourceManager().getPresumedLoc(a.var.decl->getLocation()).getLine()
		        == i.getDebugLoc().getLine()
		    && ast.getSourceManager().getPresumedLoc(a.var.decl->getLocation()).getColumn()
		        == i.getDebugLoc().getCol();
		effect("def", defs, i, s->getPointerOperand(), layout.getTypeStoreSize(t),
		    std::string(entry ? "e"
		            : init    ? "d"
		                      : "")
		        + (field ? "b" : "") + (s->isVolatile() ? "v" : ""),
		    bits);
	} else if (auto *c = dyn_cast<AnyMemTransferInst>(&i)) {
		effect("use", uses, i, c->getRawSource(), fixed(c->getLength()),
		    c->isVolatile() ? "cv" : "c", Bits());
		effect("def", defs, i, c->getRawDest(), fixed(c->getLength()),
		    c->isVolatile() ? "cv" : "c", Bits());
	} else if (auto *f = dyn_cast<AnyMemSetInst>(&i)) {
		effect("def", defs, i, f->getRawDest(), fixed(f->getLength()), "c", Bits());
	} else if (auto *call = dyn_cast<CallBase>(&i)) {
		call_effects(*call);
	}
}

} // namespace duct
