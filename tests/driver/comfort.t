#!/bin/bash
# duct doctor, completion in shells, the progress of a session; runs have no network.
. "$ROOT/tests/lib/tap.sh"

duct doctor >log 2>err
check "doctor: what is needed is there" '[ $? = 0 ] && grep -q "^ok *filters" log && ! grep -q ^MISSING log'
mkdir bin && for tool in sh env ls readlink; do ln -s "$(command -v $tool)" bin/; done
PATH=$PWD/bin "$ROOT/bin/duct" doctor >log 2>err
status=$?
check "... or named, with its package, and the status is 4" '[ $status = 4 ] && grep -q "^MISSING *binutils.*package binutils" log &&
	grep -q "^missing *berkeley-abc .*--prove" log'
duct doctor now >log 2>err
status=$?
duct doctor --json >log
check "doctor --json: an object a line" '[ $(grep -c "^{.*}$" log) = $(wc -l <log) ] && grep -q "\"name\": \"make\", \"present\": true" log'
duct doctor now >log 2>err
status=$?
check "doctor takes no argument" '[ $status = 2 ] && grep -q "takes no argument" err'

duct completion bash >duct.bash 2>err && . ./duct.bash
check "completion for bash" 'complete -p duct >log'
complete_words() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _duct; echo "${COMPREPLY[*]}" >log; }
check "... of strategies and filters" 'complete_words duct co && [ "$(cat log)" = "concolic completion cover" ]'
check "... of options" 'complete_words duct dft a.c --res && [ "$(cat log)" = --resume ]'
check "... of what they take" 'complete_words duct dft --search = rs && [ "$(cat log)" = "rss rss-md2u" ]'
check "... of each command its own" 'complete_words duct report x.db --sa && [ "$(cat log)" = --sarif ] &&
	complete_words duct cover --ap && [ "$(cat log)" = --append ] && complete_words duct plan a.c --ass && [ "$(cat log)" = "--assume-needs --assume" ] &&
	complete_words duct plan a.c --ti && [ -z "$(cat log)" ] && complete_words duct test a.c --fail && [ "$(cat log)" = "--fail-under --fail-on" ]'
check "... and of files otherwise" 'complete_words duct dft --store x && [ -z "$(cat log)" ]'
duct completion zsh >log 2>err
check "completion for zsh" 'grep -q "^#compdef duct" log && grep -q "plan) compadd .* --may-alias" log && grep -q "report) compadd .* --sarif" log'
duct completion fish >log 2>err
check "completion for fish" 'grep -q "^complete -c duct .* -l search -x -a .*cpgs" log && grep -q -e "-a .*dft.*test" log &&
	grep -q "from plan. -l may-alias$" log && grep -q "from report. -l sarif$" log && ! grep -q "from plan. -l time" log'
duct completion tcsh >log 2>err
status=$?
check "no other shell" '[ $status = 2 ] && grep -q "bash, zsh or fish" err'

echo 'int f(int *a) { int n = 0; for (int i = 0; i < 60; i++) if (a[i] > 5) n++; return n; }' >long.c
script -qec "duct concolic long.c --entry f --len a=60 --time 2 --keep all" /dev/null >log 2>err </dev/null
check "progress on a terminal: phase, time left, coverage, on one line" \
	'grep -q "duct: building.*duct: searching .*at most [01] s left  branches [0-9]*/4" log &&
	tr "\r" "\n" <log | sed "s/\x1b\[K//g" | awk "/^duct: / && length > 79 { exit 1 }"'

cat >net.c <<'E'
#include <arpa/inet.h>
#include <net/if.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
int f(int x)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0xc0000201) };
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	if (x == 1234 && connect(s, (struct sockaddr *)&to, sizeof to) == 0)
		abort();
	return x;
}
E
duct concolic net.c --entry f --quiet >log 2>err
check "runs have no network, or that is said" \
	'grep -q "^bounds:.*unconfined=network" log || grep -q "^failures: none" log && grep -q "^branches: 3 of 4 covered" log'
if unshare -rU sh -c 'echo 0 >/proc/sys/user/max_net_namespaces' 2>/dev/null; then
	unshare -rU sh -c 'echo 0 >/proc/sys/user/max_net_namespaces; duct concolic net.c --entry f --quiet' >log 2>err
	check "... where namespaces are not allowed" 'grep -q "^bounds:.*unconfined=network" log'
fi
finish
