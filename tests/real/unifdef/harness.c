/* unifdef with some symbols set. */
#undef main
int unifdef_main(int argc, char **argv);

int main(void)
{
	char name[] = "unifdef", a[] = "-DA", b[] = "-DB=2", c[] = "-UC", k[] = "-k";
	char *argv[] = { name, a, b, c, k, 0 };

	return unifdef_main(5, argv);
}
