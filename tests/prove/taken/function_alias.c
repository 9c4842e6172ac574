static int g;
static void real(void)
{
	if (g == 0) /* taken */
		g = 5;
}
void other(void) __attribute__((alias("real")));
int main(void)
{
	other();
	if (g == 5) /* taken */
		return 1;
	return 0;
}
