#!/bin/sh
# The fuzz targets, which make check does not build, are C against the headers of today.
cd "$ROOT" || exit 4
for source in tests/fuzz/*.c; do
	if said=$(clang-19 -std=c11 -fsyntax-only -Wall -Wextra -Werror -I. -D_GNU_SOURCE -isystem /usr/include/lua5.4 "$source" 2>&1); then
		echo "ok - $source"
	else
		echo "not ok - $source"
		printf '%s\n' "$said" | sed 's/^/# /'
	fi
done
