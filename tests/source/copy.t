#!/bin/sh
# A copy of a built tree: the precompiled header names its list of headers by the original's path. It is made anew when the
# original's list has changed, or is gone, since.
mkdir -p copy/build && cd copy || exit 4
for part in Makefile lib lua share tools tests; do ln -s "$ROOT/$part" $part; done
echo '// a list' >build/front.h
cp build/front.h ../same.h
echo '// another list' >../changed.h
# kept NAME RESULT: does make leave the precompiled header of the list in ../NAME alone (0), or remove it (1)?
kept() {
	touch build/front.h.pch
	echo "$PWD/../$1" >build/front.h.pch.from
	make -n BUILD=build clean >/dev/null 2>&1
	[ -e build/front.h.pch ]
	[ $? = "$2" ] && echo "ok - $1" || echo "not ok - $1"
}
echo 1..3
kept same.h 0
kept changed.h 1
kept gone.h 1
