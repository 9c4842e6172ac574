-- The style of Lua, for luacheck; tests/source/lua.t checks it.
std = "lua54"
max_line_length = 120
max_string_line_length = false        -- programs and other texts in long strings
unused_args = false

-- Tests: long strings on one line, names that later parts of a script use again, and values that generators draw twice.
local tests = { max_line_length = 260, ignore = { "311", "331", "411", "421", "431" } }
files["tests/*/*.t"] = tests
files["tests/*/*.lua"] = tests
files["tests/bench/decide/*.lua"] = { max_line_length = false, ignore = tests.ignore }
files["tests/lib/*.lua"] = { max_line_length = 120, max_string_line_length = false, ignore = {} }
