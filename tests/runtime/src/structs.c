/* Structs copied from and to symbolic indices, members written at them.
 * duct: --entry look
 * expect: covered=10 infeasible=0 failures=0 */
struct s { int a; char c[5]; short d; };
struct s arr[6] = { {1,"abc",3}, {4,"def",5}, {6,"ghi",7}, {8,"jkl",9}, {10,"mno",11}, {12,"pqr",13} };
int look(unsigned i, unsigned k, short v)
{
	struct s t;
	if (i >= 6 || k >= 6) return -1;
	arr[k].d = v;
	t = arr[i];
	if (t.d == 1000)
		return 1;
	if (t.c[1] == 'k')
		return 2;
	arr[k] = t;
	if (arr[3].a == 12)
		return 3;
	return 0;
}
