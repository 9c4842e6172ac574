// weave: private to lib/front: markers, optimiser, weaver.
#ifndef DUCT_FRONT_WEAVE_H
#define DUCT_FRONT_WEAVE_H

#include "lib/front/front.h"

extern "C" {
#include "lib/protocol/op.h"
#include "lib/protocol/abi.h"
#include "lib/protocol/channel.h"
}

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace llvm
{
class Loop;
}

#include <functional>
#include <map>

namespace duct
{

// Marker calls: planted at -O0, lowered by the weaver.
extern const char marker_block[], marker_branch[], marker_switch[], marker_enter[], marker_leave[],
    marker_check[], marker_at[], marker_access[], marker_alloc[], marker_uninit[], marker_compare[];

// A branch as seen by the marker pass.
// A use together with where its value goes: a computation or an outcome.
struct PairSlot {
	uint32_t use = 0; // record; for a result, instruction
	uint32_t outcome = DUCT_PAIR_C;
	char kind = DUCT_PAIR_USE;
	bool local = false;       // its labels count definitions within the unit
	uint32_t of = UINT32_MAX; // the slot that it stands for at one place; else none
};

// pairs.cc: plants markers of definitions and uses; appends the slots that they refer to.
void plant_pairs(llvm::Module &m, std::vector<PairSlot> &slots);
// Ends the name of a marker whose label never changes, and whose slots only it looks at.
const char marker_once[] = ".once";
// pairs_calls.cc: after the optimiser, joins the markers of calls that were inlined.
void join_calls(llvm::Module &m);
// pairs_group.cc: after the optimiser, markers of uses become such of one slot (.c) or of a group,
// with slots of its own.
void group_pairs(
    llvm::Module &m, const std::vector<BranchInfo> &branches, std::vector<PairSlot> &slots);
// weave_pairs.cc: creates the unit's descriptor of pairs; after all slots are known. slots: null
// where they are in the Code object.
llvm::GlobalVariable *pairs_descriptor(
    llvm::Module &m, llvm::GlobalVariable *unit, const Unit &u, const std::vector<PairSlot> *slots);
llvm::Function *pair_marker(llvm::Module &m, const llvm::Twine &name, llvm::Type *result,
    llvm::ArrayRef<llvm::Type *> args);
extern const char marker_pair[]; // prefix of their names

// markers.cc: plants markers from the front end's metadata and the unit's flow.
void plant_markers(llvm::Module &m, const std::string &flow);
// The conditions and switches of a unit, from the same metadata; index id - 1.
std::vector<BranchInfo> list_branches(const llvm::Module &m, size_t number);
// optimise.cc: LLVM's pipeline for a level, without vectorisation and library-call transformations.
void optimise(llvm::Module &m, int level);
// Removes internal functions and variables that nothing refers to.
void drop_unreferenced(llvm::Module &m);
void strip_memory_attributes(llvm::Module &m);

// tables.cc: calls of functions that tell where tables of <ctype.h> are become the tables;
// is_table: is it one of them, or a pointer to one, whose size is that of its type? gives_table: is
// it such a function?
void plant_tables(llvm::Module &m);
bool is_table(const llvm::GlobalVariable &g);
bool gives_table(const llvm::Function &f);

// weave_memory.cc: does it read memory that nothing writes?
bool reads_constant(const llvm::LoadInst &i);
// Is its address used for more than plain accesses to known parts?
bool is_object(const llvm::Value &p);

// weave_unit.cc: the unit's descriptor and tables; registration of globals; main.
llvm::GlobalVariable *unit_descriptor(
    llvm::Module &m, const Unit &unit, const WeaveOptions &options);
// weave_abstract.cc: plant_abstract runs before the optimiser; name_unit later replaces the
// placeholder for the unit by its descriptor.
void plant_abstract(llvm::Module &m);
// flows.cc: plant_flows runs before the optimiser; the unit's key makes names unique. is_flow_word:
// is p a variable by which functions pass information about flows?
void plant_flows(llvm::Module &m, uint64_t key);
bool is_flow_word(const llvm::Value *p);
void name_unit(llvm::Module &m, llvm::GlobalVariable *unit);
void register_globals(llvm::Module &m, bool scalars);
void embed_flow(llvm::Module &m, const std::string &flow);
void rename_main(llvm::Module &m, const std::string &entry);
void plant_environ(llvm::Module &m, const std::string &entry);
void hook_main(llvm::Module &m, const std::string &entry);
bool is_woven(const llvm::Function &f); // defined in this module and to be woven
bool is_marker(const llvm::Function &f);
bool is_marker_call(const llvm::Instruction &i);
bool is_block_marker(const llvm::Instruction &i);
// its value may be symbolic even if its operands are not
bool is_source(const llvm::Instruction &i);
// weave_merge.cc: the marker of a branch, or a select, that runs may merge
bool is_merged(const llvm::Instruction &i);
// A marker's function, with attributes that preserve order and number of its calls.
llvm::Function *marker(llvm::Module &m, const llvm::Twine &name, llvm::ArrayRef<llvm::Type *> args);

// The k-th number of a node of metadata.
inline uint64_t operand(const llvm::MDNode *n, unsigned k)
{
	return llvm::mdconst::extract<llvm::ConstantInt>(n->getOperand(k))->getZExtValue();
}

// A value with its shadow: node (i32) and concrete value (integer of its width).
struct Sym {
	llvm::Value *n, *v;
};
inline unsigned width_of(const Sym &s) // of an integer
{
	return s.v->getType()->getIntegerBitWidth();
}

const unsigned max_results = 8; // scalars in a result, limited by duct_ret

using Nodes = llvm::SmallVector<llvm::Value *, 2>;

// Weaves one function. Its methods are in weave*.cc.
class Weaver
{
      public:
	Weaver(llvm::Module &m, llvm::GlobalVariable *unit, llvm::GlobalVariable *pairs,
	    uint32_t outcomes, const std::vector<BranchInfo> &branches, const WeaveOptions &options,
	    uint32_t checks);
	bool weave(llvm::Function &f); // true: it now has two copies
	bool merges = false;           // some branch may be merged

      private:
	using B = llvm::IRBuilder<>;
	using Build = llvm::function_ref<Nodes(B &)>;

	// An instruction whose node is built together with its neighbours'.
	struct Pending {
		llvm::Instruction *i;
		std::function<Nodes(B &)> build;
		llvm::SmallVector<llvm::Value *, 3> operands;
	};

	llvm::Module &m;
	llvm::LLVMContext &c;
	const llvm::DataLayout &dl;
	llvm::GlobalVariable *unit, *pairs; // pairs: may be null
	const std::vector<BranchInfo> &branches;
	const WeaveOptions &options;
	llvm::IntegerType *i1, *i8, *i32, *i64;
	llvm::PointerType *ptr;
	llvm::Value *zero;   // node of concrete values
	llvm::Metadata *key; // the unit's
	llvm::MDNode *unlikely;
	// of the unit; in its coverage, blocks follow outcomes
	uint32_t outcomes;

	bool watch_writes = false; // --check uninit
	std::map<std::string, llvm::Constant *> texts;

	// state of the current function
	llvm::Function *f = nullptr;
	llvm::DenseSet<const llvm::Value *> tainted; // may be symbolic
	llvm::DenseMap<const llvm::Value *, Nodes> shadow;
	llvm::SmallVector<llvm::PHINode *, 16> phis;
	std::vector<Pending> group;
	llvm::DenseSet<const llvm::Value *> in_group;
	llvm::AllocaInst *wide[3] = { nullptr, nullptr, nullptr };
	llvm::AllocaInst *variadic = nullptr, *variadic_count = nullptr;
	llvm::AllocaInst *outgoing = nullptr, *outgoing_nodes = nullptr;
	unsigned outgoing_count = 0;
	llvm::DenseMap<const llvm::CallBase *, uint32_t> current; // current block id at a call
	// marker_at whose block id is already recorded
	llvm::DenseSet<const llvm::CallInst *> placed;
	// the weaver's own accesses, which cannot fail
	llvm::DenseSet<const llvm::Instruction *> quiet;
	llvm::Value *covered = nullptr;                           // unit.cover
	llvm::AllocaInst *left = nullptr;                         // local copy of duct_steps
	llvm::DenseMap<const llvm::Value *, llvm::Value *> sides; // conditions by number of outcome
	llvm::AllocaInst *way = nullptr; // that of duct_way_count or duct_way_read, with pairs
	// one block per loop, where the step limit is tested
	llvm::DenseSet<const llvm::BasicBlock *> rounds;
	// result of duct_rt_frame, if the function has objects
	llvm::Value *mark = nullptr;
	llvm::DenseMap<const llvm::Value *, llvm::Value *> saves; // stacksave -> mark

	// A point where the plain copy may cross to the start of the same code in the other copy: a
	// group of loads, or a call, after which it continues.
	struct Point {
		llvm::Instruction *first, *last;
		llvm::SmallVector<llvm::LoadInst *, 4> loads;
	};
	// An access to a fixed number of bytes at an address computed from a pointer (base, by
	// number) or in a variable of known size (size not 0).
	struct Access {
		llvm::CallInst *call;
		uint64_t bytes, size;
		unsigned base;
		bool alone;
		// the base was found in its span before
		bool known;
	};
	// A pointer that accesses are computed from: the span in which it was last found, in this
	// activation and (site) in the preceding one.
	struct Base {
		llvm::Value *pointer;
		llvm::AllocaInst *span;
		llvm::GlobalVariable *site;
	};
	llvm::DenseMap<const llvm::CallInst *, Access> accesses;
	std::vector<Base> bases;
	llvm::DenseMap<const llvm::Value *, unsigned> base_number;
	// Before loops: bases that are invariant in the loop are looked up once, at the block's
	// end.
	llvm::MapVector<llvm::BasicBlock *, llvm::SetVector<unsigned>> early;

	// in an order that does not depend on addresses: it is that of the code
	using Given = llvm::MapVector<const llvm::Value *, Nodes>;
	llvm::BasicBlock *begin[2] = { nullptr, nullptr }; // start of the body in each copy
	llvm::DenseSet<const llvm::Instruction *> plain;   // instructions of the plain copy
	// of the other copy
	llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Argument *>, 8> arguments;
	llvm::BranchInst *entry_crossing = nullptr; // null: only one copy
	llvm::DenseMap<const llvm::BranchInst *, Point> crossings;
	// by crossing block: nodes of the plain copy's values
	llvm::DenseMap<const llvm::BasicBlock *, Given> given;

	// weave_twice.cc
	void make_two();
	bool is_worth_two();
	bool is_tracked(const llvm::CallBase &call) const;
	void find_points(llvm::BasicBlock &b, llvm::SmallVectorImpl<Point> &points);
	llvm::BranchInst *plant_crossing(llvm::BranchInst *from, llvm::BasicBlock *to);
	void go_over(
	    llvm::BasicBlock *over, llvm::BasicBlock *stay, Given values, llvm::Value *also);
	void cross_loads(llvm::BranchInst &branch);

	// weave.cc
	void reset(llvm::Function &fn);
	void find_tainted();
	void visit(llvm::Instruction &i);
	void visit_phi(llvm::PHINode &p);
	Nodes incoming(llvm::PHINode &p, unsigned i);
	void fill_phis();
	void visit_freeze(llvm::Instruction &i);
	void visit_other(llvm::Instruction &i);
	void find_places(llvm::ArrayRef<llvm::BasicBlock *> order);
	uint32_t place_at(
	    llvm::BasicBlock &b, const llvm::DenseMap<const llvm::BasicBlock *, uint32_t> &last);
	void drop_unseen_places();
	using Stores = llvm::SmallPtrSetImpl<const llvm::StoreInst *>;
	unsigned drop_unseen_places(llvm::BasicBlock &b, unsigned later, const Stores &kept);
	unsigned first_places(llvm::BasicBlock &b, Stores &kept) const;
	void lower_block_markers(llvm::BasicBlock &b);
	void lower_branch(llvm::CallInst &call);
	bool is_next(const llvm::Instruction &i, const llvm::Instruction *terminator) const;
	bool in_successors(llvm::CallInst &call, llvm::Value *cond,
	    llvm::function_ref<void(llvm::Instruction *, unsigned)> build);
	bool cover_successors(llvm::CallInst &call, llvm::Value *cond, uint32_t first);
	void cover_branch(llvm::CallInst &call, llvm::Value *cond, uint32_t first);
	using Ways = llvm::SmallVector<llvm::BasicBlock *, 16>;
	Ways part_ways(llvm::Instruction *at, llvm::Value *v, const BranchInfo &info);
	Ways ways_of(llvm::CallInst &call, const llvm::Value *v, const BranchInfo &info);
	void lower_switch(llvm::CallInst &call);
	void lower_call_event(llvm::CallInst &call);
	llvm::FunctionCallee rt(
	    const char *name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> args);
	llvm::GlobalVariable *word(const char *name, llvm::Type *type);
	Nodes guarded(llvm::Instruction *at, llvm::Value *test, Build build);
	Nodes guarded_any(llvm::Instruction *at, llvm::ArrayRef<llvm::Value *> operands,
	    size_t results, Build build);
	void guarded_told(llvm::Instruction *at, llvm::Value *v, Build build);
	void defer(llvm::Instruction &i, llvm::ArrayRef<llvm::Value *> operands, size_t results,
	    std::function<Nodes(B &)> build);
	void flush(llvm::Instruction *at);
	llvm::Value *any(B &b, llvm::ArrayRef<llvm::Value *> nodes);
	llvm::Value *place(B &b);
	llvm::Constant *text(B &b, const char *s);
	void lost(B &b, const char *reason);
	void lost_if(
	    llvm::Instruction *at, llvm::ArrayRef<llvm::Value *> nodes, const char *reason);
	void check(B &b, llvm::Value *operand);
	llvm::Value *cover(B &b, uint32_t index);
	void find_rounds(llvm::ArrayRef<llvm::BasicBlock *> order);
	llvm::GlobalVariable *block_word();
	void read_steps(B &b);
	void write_steps(B &b);
	void steps_at(llvm::Instruction &landing);
	void enter_steps();
	void log(B &b, llvm::Value *byte);
	void log_if_read(llvm::Instruction *at, llvm::ArrayRef<llvm::Value *> bytes);
	bool asks_for_readers() const
	{
		return options.effort <= Effort::Brisk;
	}
	bool is_zero(llvm::Value *n) const
	{
		return n == zero;
	}
	llvm::Value *node(llvm::Value *v); // of a scalar
	const Nodes nodes(llvm::Value *v); // of any type, one per leaf
	void set(llvm::Value &v, Nodes n)
	{
		shadow[&v] = std::move(n);
	}
	void leaves(llvm::Type *t, llvm::SmallVectorImpl<llvm::Type *> &types,
	    llvm::SmallVectorImpl<uint64_t> *offsets = nullptr, uint64_t base = 0) const;
	size_t leaf_count(llvm::Type *t) const;
	static bool is_scalar(const llvm::Type *t); // has a shadow of its own
	bool is_shadowed(llvm::Type *t) const;      // some leaf has a shadow

	// weave_values.cc: expressions; computes values beside their nodes
	Sym sym(B &b, llvm::Value *v);
	Sym number(unsigned width, uint64_t value);
	llvm::Value *as_integer(B &b, llvm::Value *v);
	llvm::Value *as_word(B &b, llvm::Value *v);
	llvm::Value *as_wide(B &b, llvm::Value *v, int which);
	Sym binary(B &b, enum op op, Sym x, Sym y);
	Sym unary(B &b, enum op op, Sym x, unsigned width, unsigned low = 0);
	Sym ite(B &b, Sym cond, Sym x, Sym y);
	Sym compare(B &b, llvm::CmpInst::Predicate p, Sym x, Sym y);
	void visit_binary(llvm::BinaryOperator &i);
	void visit_cast(llvm::CastInst &i);
	void visit_compare(llvm::ICmpInst &i);
	void visit_select(llvm::SelectInst &i);
	void visit_gep(llvm::GetElementPtrInst &i);
	void visit_extract(llvm::ExtractValueInst &i);
	void visit_insert(llvm::InsertValueInst &i);
	bool visit_intrinsic(llvm::IntrinsicInst &i); // false: not an intrinsic on values
	Sym intrinsic(B &b, llvm::IntrinsicInst &i);
	Sym bit_intrinsic(B &b, llvm::IntrinsicInst &i, enum duct_bits which);
	Sym funnel(B &b, llvm::IntrinsicInst &i);
	Nodes overflow(B &b, llvm::IntrinsicInst &i);
	Sym saturate(B &b, llvm::IntrinsicInst &i);

	// weave_floats.cc
	Nodes number_op(B &b, llvm::Instruction &i, enum op op, unsigned width = 0);
	Sym compare_numbers(B &b, llvm::CmpInst::Predicate p, Sym x, Sym y);
	Sym is_number(B &b, Sym x);
	Sym magnitude(B &b, Sym x);
	Sym classify(B &b, Sym x, llvm::Type *t, unsigned mask);
	void visit_number_op(llvm::Instruction &i);
	void visit_number_cast(llvm::CastInst &i);
	void visit_number_compare(llvm::FCmpInst &i);
	Sym elements(B &b, llvm::ArrayRef<Sym> all);
	Sym element(B &b, llvm::Value *vector, unsigned index);
	void visit_element(llvm::ExtractElementInst &i);
	void visit_set_element(llvm::InsertElementInst &i);
	void visit_shuffle(llvm::ShuffleVectorInst &i);
	Sym number_intrinsic(B &b, llvm::IntrinsicInst &i);
	bool visit_number_intrinsic(llvm::IntrinsicInst &i);

	// weave_memory.cc
	llvm::Value *flags(B &b, llvm::Value *p, uint64_t bytes, uint64_t align);
	llvm::Value *part_pointer(B &b, llvm::Value *p, llvm::Value *pn, uint64_t offset);
	llvm::Value *load_leaf(llvm::Instruction *at, llvm::Value *p, llvm::Value *pn,
	    uint64_t offset, llvm::Type *type, uint64_t align);
	void store_leaf(llvm::Instruction *at, llvm::Value *p, llvm::Value *pn, uint64_t offset,
	    llvm::Value *value, llvm::Value *n, uint64_t align);
	void tell_shared(llvm::Instruction &i);
	void tell_machine(llvm::Instruction &i, const char *what);
	void tell_limit(llvm::Instruction &i, const char *kind, const char *name);
	void visit_load(llvm::LoadInst &i);
	void visit_store(llvm::StoreInst &i);
	void visit_rmw(llvm::AtomicRMWInst &i);
	void visit_cmpxchg(llvm::AtomicCmpXchgInst &i);
	bool visit_memory_intrinsic(llvm::IntrinsicInst &i);
	void visit_alloca(llvm::AllocaInst &a);
	void enter_objects();
	void enter_object(llvm::AllocaInst &a);
	void unwritten(B &b, llvm::AllocaInst &a, llvm::Value *bytes);
	void leave_objects(llvm::Instruction *at);

	// weave_abstract.cc
	bool lower_ask(llvm::CallBase &call);
	llvm::Value *pointer_nodes(B &b);
	void reach(llvm::LoadInst &i);

	// weave_access.cc
	void plan_accesses();
	bool add_access(llvm::CallInst &call);
	void write_constant(llvm::CallInst &call);
	void find_known(llvm::ArrayRef<llvm::BasicBlock *> order);
	llvm::BasicBlock *block_before(const llvm::Loop &l) const;
	void find_early(llvm::ArrayRef<llvm::BasicBlock *> order);
	void look_up_early();
	llvm::Value *span_at(B &b, unsigned base);
	llvm::Value *misses(B &b, const Access &a);
	void lower_access(llvm::CallInst &call);

	// weave_merge.cc: prepares branches whose outcome only chooses values; is there one?
	bool merge_paths();
	llvm::CallInst *marker_of(llvm::BranchInst &branch) const;
	llvm::Value *chosen(B &b, Sym cond, Sym x, Sym y);

	// weave_checks.cc: true if the call is a marker of a check
	bool lower_fault(llvm::CallBase &call, llvm::StringRef name);
	void lower_check(llvm::CallInst &call);
	void lower_uninit(llvm::CallInst &call);
	void lower_alloc(llvm::CallInst &call);
	void lower_compare(llvm::CallInst &call);
	void lower_at(llvm::CallInst &call);

	// weave_pairs.cc: true if the call is a marker of a definition or use
	bool lower_pair(llvm::CallBase &call, llvm::StringRef name);
	llvm::Value *pair_base(B &b, unsigned field);
	llvm::Value *side_in(llvm::Value *sum) const;
	void by_side(llvm::CallInst &call, llvm::Value *number,
	    llvm::function_ref<void(llvm::Instruction *, llvm::Value *)> build);
	void unless_last(llvm::Instruction *at, llvm::Value *slot, llvm::Value *label,
	    llvm::function_ref<void(B &)> report);
	void lower_pair_group(llvm::CallInst &call, bool once);
	void lower_pair_read(llvm::CallInst &call);
	void lower_pair_outcome(llvm::CallInst &call, llvm::StringRef decision);
	void lower_pair_c(llvm::CallInst &call, bool once);
	void lower_pair_choose(llvm::CallInst &call);
	void lower_pair_serial(llvm::CallInst &call);
	void lower_pair_saved(llvm::CallInst &call);
	void lower_pair_enter(llvm::CallInst &call);
	void lower_pair_leave(llvm::CallInst &call);
	void lower_pair_call(llvm::CallInst &call);
	void lower_pair_library(llvm::CallInst &call);
	void lower_pair_back(llvm::CallInst &call);
	void lower_pair_asm(llvm::CallInst &call);
	void lower_pair_range(llvm::CallInst &call);
	void lower_pair_returns(llvm::CallInst &call);
	void lower_pair_result(llvm::CallInst &call);
	void lower_pair_site(llvm::CallInst &call);
	void lower_pair_returned(llvm::CallInst &call);
	void lower_pair_memory(llvm::CallInst &call, const char *name, bool with_node);
	llvm::Value *outcome_of(llvm::Instruction *at, llvm::Value *v, const BranchInfo &info);

	// weave_calls.cc
	llvm::Value *slot(B &b, llvm::GlobalVariable *array, unsigned i);
	llvm::GlobalVariable *args_array();
	void load_words(B &b, llvm::Value *p, uint64_t bytes, unsigned at,
	    llvm::DenseMap<unsigned, llvm::Value *> &given);
	unsigned slots(llvm::Type *t, bool byval) const;
	void enter();
	Nodes read_token(llvm::Instruction *at);
	Nodes read_arguments(B &b);
	void save_variadic(B &b);
	void visit_call(llvm::CallBase &call);
	void visit_plain_call(llvm::CallBase &call);
	void visit_asm(llvm::CallBase &call);
	void give_jump(llvm::CallBase &call);
	void go_through(llvm::Instruction &i, llvm::Value *to, const char *reason);
	void visit_return(llvm::ReturnInst &i);
	void store_node(B &b, unsigned at, llvm::Value *n);
	void store_variable(B &b, llvm::CallBase &call, unsigned fixed);
	void store_arguments(B &b, llvm::CallBase &call);
	llvm::Value *give_token(llvm::CallBase &call, bool by_live);
	void tell_outside(B &b, llvm::CallBase &call);
	void ask_token(llvm::CallBase &call, llvm::Value *live, llvm::Instruction *after);
	// Arguments for the runtime: nodes, values in `outgoing`, which of them are pointers.
	struct Passed {
		Nodes nodes;
		uint64_t pointers = 0;
		size_t count() const
		{
			return std::min<size_t>(nodes.size(), DUCT_MAX_ARGS);
		}
	};
	Passed passed(B &b, llvm::CallBase &call);
	void give_memory(llvm::CallBase &call);
	void tell_call(B &b, llvm::CallBase &call, const char *name, bool assembly);
	void finish_outgoing();
	Nodes argument_nodes(llvm::CallBase &call);
	bool is_plain(const llvm::Instruction &i) const
	{
		return plain.contains(&i);
	}
	void read_result(llvm::CallBase &call, llvm::Instruction *after);
};

} // namespace duct

#endif
