# Shared by the set-ups of real programs. The runner sets ROOT and WORK, a folder for the program.

# fetch PACKAGE: a Debian source package, unpacked in $WORK/src; upstream's part alone where the mirror lacks the
# packaging. Taken with an apt configuration of
# our own, so that the machine's needs no deb-src; sources stay in $REAL/packages.
fetch() {
	[ -d "$WORK/src" ] && return
	mkdir -p "$REAL/packages" && (cd "$REAL/packages" && unpack "$1") >"$WORK/fetch.log" 2>&1 && return
	cat "$WORK/fetch.log" >&2
	echo "$0: the source package $1 cannot be had" >&2
	exit 4
}

unpack() {
	set -- "$1" "$(ls | grep "^$1_.*\.dsc$")"
	if [ -z "$2" ]; then
		sources_list
		apt-get -q --download-only source "$1"
		set -- "$1" "$(ls | grep "^$1_.*\.dsc$")"
	fi
	dpkg-source --no-check -x "$2" "$WORK/src" && return
	rm -rf "$WORK/src"
	mkdir "$WORK/src" && tar -xf "$1"_*.orig.tar.* -C "$WORK/src" --strip-components=1
}

sources_list() {
	. /etc/os-release
	mkdir -p apt/lists/partial apt/archives/partial
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	echo "deb-src [signed-by=$keyring] http://deb.debian.org/debian $VERSION_CODENAME main" >apt/sources.list
	cat >apt/apt.conf <<-END
		Dir::State "$PWD/apt"; Dir::State::lists "$PWD/apt/lists"; Dir::Cache "$PWD/apt";
		Dir::State::status "/var/lib/dpkg/status"; APT::Sandbox::User "root";
		Dir::Etc::sourcelist "$PWD/apt/sources.list"; Dir::Etc::sourceparts "-";
	END
	export APT_CONFIG="$PWD/apt/apt.conf"
	[ -f apt/done ] || { apt-get -q update && touch apt/done; }
}

# seed TEXT: one more first input, as printf makes it.
seed() {
	mkdir -p "$WORK/seeds"
	seeds=$((${seeds:-0} + 1))
	printf -- "$1" >"$WORK/seeds/$seeds"
}
