#!/bin/sh
# Lua is valid, and looks as .luacheckrc says.
cd "$ROOT" || exit 4
echo 1..2
# result STATUS WHAT: a TAP result, with the log
result() {
	if [ "$1" = 0 ]; then
		echo "ok - $2"
	else
		echo "not ok - $2"
		sed 's/^/# /' "$log"
	fi
}
log=${TMPDIR:-/tmp}/lua
find lua share tests -name '*.lua' | xargs -n 1 luac5.4 -p >"$log" 2>&1
result $? 'luac reads every module'
scripts=$(for f in tests/*/*.t; do head -n 1 "$f" | grep -q lua && echo "$f"; done)
luacheck lua tests share $scripts -q --no-color --formatter plain >"$log" 2>&1
result $? 'luacheck finds nothing'
