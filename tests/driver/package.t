#!/bin/sh
# The Debian packaging: what dpkg reads of it, and what `make deb` would do. The package itself takes minutes.
. "$ROOT/tests/lib/tap.sh"
command -v dpkg-parsechangelog >/dev/null || { echo "1..0 # SKIP dpkg-dev is not installed"; exit 0; }
version=$(sed -n 's/^VERSION  *= *//p' "$ROOT/Makefile")
dpkg-parsechangelog -l "$ROOT/share/debian/changelog" -S Version >out 2>log
check "the package has the version of the tree" '[ "$(cat out)" = "$version" ]'
mkdir -p tree/debian && cp -r "$ROOT/share/debian/." tree/debian/ && cd tree || exit 4
dpkg-gencontrol -pduct -Pstage -O -Vshlibs:Depends=libc6 >out 2>log
check "its control file is one" 'grep -q "^Package: duct" out && grep -q "^Depends: .*clang-19" out'
make -n MAKE=echo -f debian/rules binary >out 2>log
check "its rules install below usr" 'grep -q "install .*DESTDIR=.*debian/duct PREFIX=/usr" out'
finish
