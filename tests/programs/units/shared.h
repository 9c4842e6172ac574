/* Shared by main.c and other.c. */
static inline int clamp(int x)
{
	return x > 100 ? 100 : x;
}
int other(int x);
