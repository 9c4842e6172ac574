# The verdicts of prove about a program, for scripts that read this with `.`.

# The goals are outcomes alone: no pair is asked about.
# judge UNIT...: the outcomes that are infeasible, from f on, as lines of their conditions and t or f. GIVEN: what is given; TIME: seconds; STAGES: only these
judge() {
	duct cfg-dump "$@" >x.flow && defuse -s inter -e f x.flow >p && awk '/^#/; END { print "end\t0" }' p >none &&
		cutpoints -b -f x.flow none >g && prove ${GIVEN:+-g "$GIVEN"} ${TIME:+-t "$TIME"} ${STAGES:+-s "$STAGES"} -f x.flow g >v ||
		{ echo failed; return; }
	awk -F'\t' 'FILENAME == "x.flow" && $1 == "branch" { line[$6] = $8 "t"; line[$6 + 1] = $8 "f" }
		FILENAME == "g" && $1 == "outcome" { of["o" $2] = line[$5] }
		$1 == "verdict" && $5 == "infeasible" && $4 in of { print of[$4] }' x.flow g v | sort | tr '\n' ' '
	echo
}
