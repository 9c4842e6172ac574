#goals 1 cutpoints-0.2
#meta criterion all-uses
#meta protocol default
#meta scope inter
#meta entry f
unit	1	f753603b1f50d233	x.c
outcome	1	1	1	0
outcome	2	1	1	1
outcome	3	1	2	2
outcome	4	1	2	3
outcome	5	1	3	4
outcome	6	1	3	5
outcome	7	1	4	6
outcome	8	1	4	7
outcome	9	1	5	8
outcome	10	1	5	9
outcome	11	1	6	10
outcome	12	1	6	11
outcome	13	1	7	12
outcome	14	1	7	13
outcome	15	1	8	14
outcome	16	1	8	15
outcome	17	1	9	16
outcome	18	1	9	17
outcome	19	1	10	18
outcome	20	1	10	19
outcome	21	1	11	20
outcome	22	1	11	21
end	23
