#pairs 1 defuse-0.2
#meta criterion all-uses
#meta protocol default
#meta scope inter
#meta entry f
unit	1	f753603b1f50d233	x.c
func	1	1	1	count
def	1	1	1	access	x.c	1	22	n
use	1	1	5	access	x.c	4	10	n
pair	1	1	1	p:true	0	4963dd5a715e2011	n
pair	2	1	1	p:false	1	eb750eee4d918779	n
use	2	1	16	access	x.c	4	36	n
pair	3	1	2	p:true	4	bcccca528145b7bd	n
pair	4	1	2	p:false	5	63b0b711f20f2845	n
use	3	1	20	access	x.c	4	44	n
pair	5	1	3	c	0	532ef54e849e49c9	n
use	4	1	23	access	x.c	4	52	n
pair	6	1	4	c	0	33ec7096db748673	n
use	5	1	41	access	x.c	5	22	n
pair	7	1	5	p:true	8	8d3765400c6f531c	n
pair	8	1	5	p:false	9	72a2ce2944ef2f57	n
def	2	1	2	access	x.c	3	6	c
use	6	1	32	access	x.c	4	61	c
pair	9	2	6	c	0	3f9ec572af726a5a	c
use	7	1	44	access	x.c	5	31	c
pair	10	2	7	c	0	592a73212c32b1b5	c
def	3	1	3	access	x.c	3	13	k
use	8	1	8	access	x.c	4	22	k
pair	11	3	8	c	0	e28507bcfab833dd	k
pair	12	3	8	p:true	2	c727cefc5f3e2d81	k
pair	13	3	8	p:false	3	dbaf0e4ecd4b476b	k
use	9	1	36	access	x.c	5	9	k
pair	14	3	9	p:true	6	b153ef3089b5db30	k
pair	15	3	9	p:false	7	bd0b5fe44a88fb03	k
use	10	1	39	access	x.c	5	18	k
pair	16	3	10	c	0	f33512b6fbbc5a07	k
def	4	1	10	access	x.c	4	22	k
pair	17	4	8	c	0	de184614af0a4036	k
pair	18	4	8	p:true	2	fca56e3a340b7f0f	k
pair	19	4	8	p:false	3	c7fa242bcd9db728	k
pair	20	4	9	p:true	6	a917fdf94fe2ce8f	k
pair	21	4	9	p:false	7	059c3a39e0f23100	k
pair	22	4	10	c	0	a24fa10c6f1feb16	k
def	5	1	27	access	x.c	4	34	n
pair	23	5	1	p:true	0	385d71b6f283f55d	n
pair	24	5	1	p:false	1	5cfcbddcfc2d75f2	n
pair	25	5	2	p:true	4	b2ad0303867d8858	n
pair	26	5	2	p:false	5	479ba9db6e491b7f	n
pair	27	5	3	c	0	808d6d0e74c748e9	n
pair	28	5	4	c	0	813be1a097fd2615	n
use	11	1	28	access	x.c	4	69	n
pair	29	5	11	c	0	dfc130ddb5709733	n
pair	30	5	5	p:true	8	920fd5bbf70d8d86	n
pair	31	5	5	p:false	9	ecc733e2f93d7c4f	n
def	6	1	34	access	x.c	4	61	c
pair	32	6	6	c	0	d81523a9b0baad86	c
pair	33	6	7	c	0	d54a0b16cfa22e5f	c
def	7	1	50	result	x.c	5	2	count()
func	2	1	2	f
use	12	2	55	result	x.c	9	17	count()
pair	34	7	12	c	0	7ecbcca061d0ffb6	count()
def	8	2	51	access	x.c	7	22	n
use	13	2	53	access	x.c	9	23	n
pair	35	8	13	c	0	941ca2f99b537e34	n
def	9	2	52	access	x.c	9	6	g
use	14	2	60	access	x.c	10	16	g
pair	36	9	14	c	0	79754e648697f94e	g
use	15	2	67	access	x.c	11	17	g
pair	37	9	15	c	0	a06bb6e4fecea14e	g
use	16	2	74	access	x.c	12	16	g
pair	38	9	16	c	0	3c94c21b81fe5f8a	g
use	17	2	81	access	x.c	13	17	g
pair	39	9	17	c	0	02b3eb928df17b9b	g
use	18	2	88	access	x.c	14	15	g
pair	40	9	18	c	0	7e025da75440bf2d	g
use	19	2	95	access	x.c	15	17	g
pair	41	9	19	c	0	36d407f5c81fcb64	g
use	20	2	99	access	x.c	16	9	g
pair	42	9	20	c	0	9a85fca5ad31dae2	g
def	10	2	55	argument	x.c	9	17	n
pair	43	10	1	p:true	0	3504e998b16df062	n
pair	44	10	1	p:false	1	f7c121f2827cebd7	n
pair	45	10	2	p:true	4	a204981d6fdc6d54	n
pair	46	10	2	p:false	5	e912911fccfbbde0	n
pair	47	10	3	c	0	4d8b9ab6a36b9d60	n
pair	48	10	4	c	0	d25fc5cb538db1ff	n
pair	49	10	5	p:true	8	e2a9fc866b5d136a	n
pair	50	10	5	p:false	9	071e4006026cd6d0	n
def	11	2	56	access	x.c	9	13	r
use	21	2	57	access	x.c	10	6	r
pair	51	11	21	p:true	10	1ab71b81068c4710	r
pair	52	11	21	p:false	11	af3ce8af1493c954	r
use	22	2	64	access	x.c	11	6	r
pair	53	11	22	p:true	12	d037767640cf6ab6	r
pair	54	11	22	p:false	13	bd3981962b0629bb	r
use	23	2	71	access	x.c	12	6	r
pair	55	11	23	p:true	14	52afadfdcdb34738	r
pair	56	11	23	p:false	15	840f14719acdf21d	r
use	24	2	78	access	x.c	13	6	r
pair	57	11	24	p:true	16	2c860027857fc2c1	r
pair	58	11	24	p:false	17	9fb0e62f5f3e788e	r
use	25	2	85	access	x.c	14	6	r
pair	59	11	25	p:true	18	bc750e1acff4617a	r
pair	60	11	25	p:false	19	bdf4aed6b101e2ce	r
use	26	2	92	access	x.c	15	6	r
pair	61	11	26	p:true	20	37dc3c6a82338df9	r
pair	62	11	26	p:false	21	90e546d0ff8c6ec7	r
def	12	2	62	access	x.c	10	16	g
pair	63	12	15	c	0	ce7b9c654a435d15	g
pair	64	12	16	c	0	124a0aac38759d15	g
pair	65	12	17	c	0	cdf01b7e6997be66	g
pair	66	12	18	c	0	1e0475aef7132882	g
pair	67	12	19	c	0	88766397407a8428	g
pair	68	12	20	c	0	4e681d14df78a3dd	g
def	13	2	69	access	x.c	11	17	g
pair	69	13	16	c	0	c2ec6b18aa3907ae	g
pair	70	13	17	c	0	e6a10212005ca19c	g
pair	71	13	18	c	0	3a647234fe52a7a0	g
pair	72	13	19	c	0	0a9839a81c966678	g
pair	73	13	20	c	0	acb1aa2ce6896414	g
def	14	2	76	access	x.c	12	16	g
pair	74	14	17	c	0	5bb1f07e262c023c	g
pair	75	14	18	c	0	20da5b5fcf3e066a	g
pair	76	14	19	c	0	358761bf6c162da9	g
pair	77	14	20	c	0	3ba73830b7022c2f	g
def	15	2	83	access	x.c	13	17	g
pair	78	15	18	c	0	6ee34e813e7bd1e6	g
pair	79	15	19	c	0	fabe88f1665c6986	g
pair	80	15	20	c	0	9f3e2de0706abf4e	g
def	16	2	90	access	x.c	14	15	g
pair	81	16	19	c	0	88e9ef99d05813aa	g
pair	82	16	20	c	0	600e59209b32e8f1	g
def	17	2	97	access	x.c	15	17	g
pair	83	17	20	c	0	edf962cd09357261	g
end	129
