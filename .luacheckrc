-- The style of Lua, for luacheck; tests/source/lua.t checks it.
std = "lua54"
max_line_length = 120
max_string_line_length = false        -- programs and other texts in long strings
unused_args = false

-- Test scripts: long strings on one line, and names that later parts of a script use again.
files["tests/*/*.t"] = { max_line_length = 260, ignore = { "411", "421", "431" } }
