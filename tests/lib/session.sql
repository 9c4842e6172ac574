INSERT INTO program VALUES (1, 'h', 'max.c');
INSERT INTO question VALUES (1, 'q', 'entry max');
INSERT INTO function VALUES (1, 1, 'max.c', 'f', 'max', 'max.c', 1, 5, '');
INSERT INTO branch VALUES (1, 1, 1, 'true', NULL, 'a < b', 'max.c', 2, 6, 'max.c', 1, 0, NULL, 0, 'max.c', 2, 6), (2, 1, 1, 'false', NULL, 'a < b', 'max.c', 2, 6, 'max.c', 1, 1, NULL, 0, 'max.c', 2, 6), (3, 1, 2, 'case', 7, 'a', 'max.c', 3, 6, 'max.c', 2, 2, NULL, 0, 'max.c', 3, 6), (4, 1, 2, 'default', NULL, 'a', 'max.c', 3, 6, 'max.c', 2, 3, NULL, 0, 'max.c', 3, 6);
INSERT INTO session VALUES (1, 1, 1, 'concolic', 'dfs', 'max', '1', 'plan 1
e	max	int %s	i	0
p	a	int %s		0
i	a		i4	0
p	b	int %s		0
i	b		i4	0
x	max			0
', 'b: any
', 0, 'time', 0, NULL);
INSERT INTO parameter VALUES (1, 'source', 1, 'max.c'), (1, 'bound', 1, 'depth=9'), (1, 'parameter', 1, 'option check=div,overflow');
INSERT INTO objective VALUES (1, 'branch', 1, 'covered', 'test 1', 2), (1, 'branch', 2, 'infeasible', 'exhaustion', 0), (1, 'branch', 3, 'unknown', '', 0), (1, 'branch', 4, 'unknown', '', 0);
INSERT INTO figure VALUES (1, 'runs', 3), (1, 'asked', 4), (1, 'conjuncts', 6), (1, 'seconds', 1.5);
INSERT INTO test VALUES (1, 1, 1, 1, 'first', 'exit', NULL, NULL, 0, 0, 0, 4, 0, 1, x'', '[["a","i",32,"3"],["b","i",32,"4"]]', '[1]', '[3,1]', 'overflow at max.c:3:9', '[]'), (2, 1, 2, 3, 'solved', 'assert', 'a > 0 "*/', 'max.c', 4, 0, 0, NULL, 1, 1, x'', '[["a","i",32,"fffffffe"],["b","i",32,"0"]]', '[]', '[]', NULL, '[]');
INSERT INTO pair VALUES (1, 1, 'default intra', '00000000000000a1', 2, 'a', 'p:true', 'max.c', 1, 13, 'max.c', 2, 6, '1-2'), (2, 1, 'default intra', '00000000000000a2', 3, 'a', 'p:false', 'max.c', 1, 13, 'max.c', 2, 6, '1-2'), (3, 1, 'default intra', '00000000000000a3', 1, 'a', 'c', 'max.c', 1, 13, 'max.c', 3, 9, NULL), (4, 1, 'default intra', '00000000000000a4', 4, 'b@4', 'c', 'max.c', 1, 20, 'max.c', 4, 3, NULL);
INSERT INTO objective VALUES (1, 'pair', 1, 'covered', 'test 1', 2), (1, 'pair', 2, 'infeasible', 'exhaustion', 0), (1, 'pair', 3, 'covered', 'test 1', 1), (1, 'pair', 4, 'unknown', 'not reached: the definition at max.c:1:20', 0);
INSERT INTO failure VALUES (1, 1, 'assert', 'max.c', 4, 'max', 'a > 0 "*/', 2, 1);
INSERT INTO lost VALUES (1, 1, 'float', 'max.c', 3, 2);
INSERT INTO place VALUES (1, 1, 'overflow', 'max', 'max.c', 3, 9, 'found', 1, 2), (1, 2, 'div', 'max', 'max.c', 4, 3, 'safe', 0, 0), (1, 3, 'overflow', 'max', 'max.c', 4, 5, 'unknown', 0, 0);
PRAGMA application_id = 1685414772; PRAGMA user_version = 11;
