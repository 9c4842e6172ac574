#verdicts 1 prove-0.2
question	1	782d282f1c4c09af	count
narrow	1	from any state
model	1	any	0	o1-10
invariant	1	1
verdict	1	1	o7	infeasible	states: 0 of loop heads, inductive
proof	1	states	1	1	cadical-sc2021	-
verdict	2	1	o4	infeasible	bounded: every run ends, none gets there
proof	2	bounded	33	0	cadical-sc2021	-
question	2	a56c740ae3c15e60	f
narrow	2	from the entry, globals as they are initialised
model	2	entry	50000	o1-3,o5-6,o8-22
verdict	3	2	o1	unknown	runs: a run to try, 2 steps
value	3	n	u	16	1
path	3	1:0 1:2 1:4
verdict	4	2	o2	unknown	runs: a run to try, 2 steps
value	4	n	u	16	0
path	4	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	5	2	o3	unknown	runs: a run to try, 2 steps
value	5	n	u	16	1
path	5	1:0 1:2 1:4
verdict	6	2	o5	unknown	runs: a run to try, 2 steps
value	6	n	u	16	1
path	6	1:0 1:2 1:4
verdict	7	2	o6	unknown	runs: a run to try, 2 steps
value	7	n	u	16	2
path	7	1:0 1:2 1:5
verdict	8	2	o8	unknown	runs: a run to try, 2 steps
value	8	n	u	16	0
path	8	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	9	2	o9	unknown	runs: a run to try, 2 steps
value	9	n	u	16	0
path	9	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	10	2	o11	unknown	runs: a run to try, 2 steps
value	10	n	u	16	0
path	10	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	11	2	o14	unknown	runs: a run to try, 2 steps
value	11	n	u	16	0
path	11	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	12	2	o16	unknown	runs: a run to try, 2 steps
value	12	n	u	16	0
path	12	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	13	2	o18	unknown	runs: a run to try, 2 steps
value	13	n	u	16	0
path	13	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	14	2	o20	unknown	runs: a run to try, 2 steps
value	14	n	u	16	0
path	14	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	15	2	o22	unknown	runs: a run to try, 2 steps
value	15	n	u	16	0
path	15	1:1 1:7 1:8 1:10 1:13 1:15 1:17 1:19 1:21
verdict	16	2	o12	unknown	runs: a run to try, 16 steps
value	16	n	u	16	fffffff6
path	16	1:0 1:2 1:5 1:0 1:2 1:4 1:0 1:2 1:5 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:1 1:7 1:8 1:11 1:13 1:14 1:16 1:19 1:21
verdict	17	2	o15	unknown	runs: a run to try, 16 steps
value	17	n	u	16	fffffff6
path	17	1:0 1:2 1:5 1:0 1:2 1:4 1:0 1:2 1:5 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:1 1:7 1:8 1:11 1:13 1:14 1:16 1:19 1:21
verdict	18	2	o17	unknown	runs: a run to try, 16 steps
value	18	n	u	16	fffffff6
path	18	1:0 1:2 1:5 1:0 1:2 1:4 1:0 1:2 1:5 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:0 1:2 1:4 1:1 1:7 1:8 1:11 1:13 1:14 1:16 1:19 1:21
verdict	19	2	o13	unknown	bounded: a run to try, 12 steps
value	19	n	u	16	d1b5
path	19	1:0 1:2 1:4 1:0 1:2 1:5 1:0 1:2 1:5 1:0 1:2 1:4 1:0 1:2 1:5 1:0 1:2 1:4 1:0 1:2 1:5 1:0 1:2 1:5 1:0 1:2 1:5 1:0 1:2 1:4 1:1 1:7 1:8 1:11 1:12 1:14 1:17 1:19 1:21
verdict	20	2	o10	infeasible	bounded: every run ends, none gets there
proof	20	bounded	18	0	cadical-sc2021	-
verdict	21	2	o19	infeasible	bounded: every run ends, none gets there
proof	21	bounded	18	0	cadical-sc2021	-
verdict	22	2	o21	infeasible	bounded: every run ends, none gets there
proof	22	bounded	18	0	cadical-sc2021	-
end	68
