/* A reader of tables that tells how far their rows depend on their columns, written anew after what
 * the paper on hybrid data-flow testing tells of totinfo: "ROWS COLUMNS" and so many counts, in one
 * text. */
#define MOST 9

static int read_number(const char **s, int *value)
{
	int n = 0, sign = 1;

	while (**s == ' ' || **s == '\n')
		++*s;
	if (**s == '#') { /* a remark */
		while (**s != '\0' && **s != '\n')
			++*s;
		return read_number(s, value);
	}
	if (**s == '-') {
		sign = -1;
		++*s;
	}
	*value = 0;
	for (; **s >= '0' && **s <= '9' && n < 4; ++*s, n++)
		*value = *value * 10 + (**s - '0');
	*value *= sign;
	return n > 0;
}

/* -1 syntax, -2 too large, -3 a negative count, -4 a row or column without counts; else the sum of
 * squares of what the counts differ from what rows and columns make expect, in hundredths of the
 * total. */
int statistics(const char *text)
{
	int rows, columns, count[MOST], row[MOST] = { 0 }, column[MOST] = { 0 }, total = 0, degrees,
	                                sum = 0;

	if (!read_number(&text, &rows) || !read_number(&text, &columns))
		return -1;
	if (rows <= 1 || columns <= 1 || rows * columns > MOST)
		return -2;
	for (int i = 0; i < rows * columns; i++) {
		if (!read_number(&text, &count[i]))
			return -1;
		if (count[i] < 0)
			return -3;
		row[i / columns] += count[i];
		column[i % columns] += count[i];
		total += count[i];
	}
	if (total == 0)
		return -4;
	degrees = (rows - 1) * (columns - 1);
	for (int i = 0; i < rows; i++)
		if (row[i] == 0)
			degrees -= columns - 1;
	for (int k = 0; k < columns; k++)
		if (column[k] == 0)
			degrees -= rows - 1;
	if (degrees <= 0)
		return -4;
	for (int i = 0; i < rows * columns; i++) {
		int expected = row[i / columns] * column[i % columns] / total,
		    by = count[i] - expected;

		if (expected > 0)
			sum += 100 * by * by / expected;
	}
	return sum / degrees;
}
