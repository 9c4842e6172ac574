#!/bin/sh
# The files of the top level: outputs of tools that were committed by mistake would stand there.
cd "$ROOT" || exit 4
git ls-files >/dev/null 2>&1 || { echo "ok - # SKIP no repository"; exit; }
wrong=$(git ls-files | sed 's|/.*||' | sort -u | grep -vxE \
	'\.(ci|clang-format|gitignore|luacheckrc)|CHANGELOG\.md|CONTRIBUTING\.md|LICENSE|Makefile|README\.md|SECURITY\.md|bin|lib|lua|man|share|tests|tools')
if [ -z "$wrong" ]; then echo "ok - nothing else is at the top level"
else echo "not ok - nothing else is at the top level"; printf '# %s\n' $wrong; fi
