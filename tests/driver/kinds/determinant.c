/* Products of 32-bit numbers. Outcomes: 6 */
int det3(int a, int b, int c, int d, int e, int f, int g, int h, int i) {
	int det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
	if (det == 0) return 0;
	if (det == 1) return 1;
	if (det == -17) return 2;
	return 3;
}
