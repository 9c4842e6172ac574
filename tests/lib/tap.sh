# Shared by test scripts: results as TAP, with the log after one that failed. To be read with `.`.
n=0 failed=0

# ok STATUS NAME
ok() {
	n=$((n + 1))
	[ "$1" = 0 ] && { echo "ok $n - $2"; return; }
	failed=1
	echo "not ok $n - $2"
	for log in log out err; do
		[ ! -s $log ] || tail -n 15 $log | sed 's/^/# /'
	done
}

# check NAME CODE
check() {
	eval "$2"
	ok $? "$1"
}

# The last line of a script.
finish() {
	echo "1..$n"
	exit $failed
}
