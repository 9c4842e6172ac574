// out: writes flow(5) records to a string, like lib/rec's writer but without a FILE.
#ifndef DUCT_FRONT_OUT_H
#define DUCT_FRONT_OUT_H

#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace duct
{

class Out
{
      public:
	// Begins a record; further calls add fields; end() ends it.
	Out &rec(std::string_view tag)
	{
		text.append(tag);
		count++;
		return *this;
	}
	Out &num(uint64_t v)
	{
		char digits[24];
		return raw(
		    { digits, (size_t)(std::to_chars(digits, std::end(digits), v).ptr - digits) });
	}
	Out &sint(int64_t v)
	{
		return raw(std::to_string(v));
	}
	Out &str(std::string_view s); // escaped
	Out &raw(std::string_view s)  // without escaping
	{
		text += '\t';
		text.append(s);
		return *this;
	}
	void end()
	{
		text += '\n';
	}

	std::string text;
	uint64_t count = 0;
};

inline Out &Out::str(std::string_view s)
{
	static const char hex[] = "0123456789abcdef";
	text += '\t';
	for (unsigned char c : s) {
		if (c == '\t')
			text += "\\t";
		else if (c == '\n')
			text += "\\n";
		else if (c == '\\')
			text += "\\\\";
		else if (c < ' ' || c == 127)
			((text += "\\x") += hex[c >> 4]) += hex[c & 15];
		else
			text += (char)c;
	}
	return *this;
}

} // namespace duct

#endif
