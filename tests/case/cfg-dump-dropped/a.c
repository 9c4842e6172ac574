int folded(int a)
{
	int r = 0;
	if (0) r++;
	if (1) r += 2;
	if (0 && a) r += 4;
	if (1 || a) r += 8;
	if (1 && a) r += 16;
	if (0 || a) r += 32;
	if (a && 0) r += 64;
	if (a || 1) r += 128;
	if (sizeof(int) == 4 && a) r += 256;
	r += 0 ? a : 3;
	r += (1 && a) + (a && 1) + (0 || a);
	while (0) r++;
	do r++; while (0);
	if (sizeof(a ? 1 : 2) == 4) r++;
	return r;
}
