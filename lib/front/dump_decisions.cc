// The `decision` records of a program model (flow(5)): how the operands of && and || follow each
// other.
#include "lib/front/dump.h"

#include "lib/front/flow_writer.h"

#include <set>

namespace duct
{

void FlowWriter::find_decisions()
{
	std::map<size_t, std::vector<size_t>> by_number;
	for (size_t k = 0; k < numbers.branch.size(); k++)
		if (numbers.branch[k].range < 0)
			branch_of[numbers.branch[k].condition] = k + 1;
	for (size_t i = 0; i < marks.condition.size(); i++)
		if (marks.condition[i].decision && !marks.condition[i].assume)
			by_number[marks.condition[i].decision].push_back(i);
	for (auto &[number, operands] : by_number)
		decisions_of[marks.condition[operands[0]].func].push_back(operands);
}

// The branch of the operand that is evaluated next, or the outcome of the decision, t or f.
// Constant operands are skipped. Empty: an operand has no branch.
std::string FlowWriter::after(size_t next)
{
	while (next && next < Condition::is_false) {
		const Condition &c = marks.condition[next - 1];
		if (c.folded != 't' && c.folded != 'f') {
			auto at = branch_of.find(next - 1);
			return at == branch_of.end() ? "" : std::to_string(at->second);
		}
		next = c.next[c.folded == 'f'];
	}
	return next == Condition::is_true ? "t" : next == Condition::is_false ? "f" : "";
}

// Writes a decision that has at least two operands which are neither constant nor unreachable.
void FlowWriter::decision(const std::vector<size_t> &operands, uint32_t number)
{
	std::vector<std::string> lines;
	std::set<std::string> wanted = { after(operands[0] + 1) };
	for (size_t i : operands) {
		auto at = branch_of.find(i);
		if (at == branch_of.end() || !wanted.count(std::to_string(at->second)))
			continue;
		std::string next[2] = { after(marks.condition[i].next[0]),
			after(marks.condition[i].next[1]) };
		if (next[0].empty() || next[1].empty())
			return;
		wanted.insert(next, next + 2);
		lines.push_back(std::to_string(at->second) + "\t" + next[0] + "\t" + next[1]);
	}
	for (const std::string &line : lines)
		if (lines.size() > 1)
			out.rec("decision").num(number).raw(line).end();
}

void FlowWriter::decisions(const std::string &func)
{
	uint32_t number = 0;
	for (const auto &operands : decisions_of[func])
		decision(operands, ++number);
}

} // namespace duct
