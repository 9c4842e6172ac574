#!/bin/sh
# Facts about the results of library functions (lib/clib, column `gives`): of each pair of conditions one is infeasible
# because of it, the other one is at its edge and is not.
. "$ROOT/tests/lib/tap.sh"
. "$ROOT/tests/lib/judge.sh"
TIME=20
# only NAME LIST: exactly these outcomes of the body, whose first line is line 9, are infeasible
only() {
	{ printf '#include <%s.h>\n' ctype limits stddef stdint stdio stdlib string unistd; cat; } >x.c
	want=$2
	check "$1" '[ "$(judge x.c)" = "$want " ] || { judge x.c; false; }'
}

only "bytes of streams, and characters that were written" "11t 13t 14t 16t" <<'EOF'
int f(FILE *s, int n) {
	int c = getc(s), d = putc(n, s);
	if (c == 256) return 1;
	if (c == 255 || c == -1) return 2;
	if (c < -1) return 3;
	if (n == 300 && d == 300) return 4;
	if (n == 300 && d == 44) return 5;
	if (d == 256) return 6;
	return 0;
}
EOF
only "lengths" "11t 13t 16t 18t" <<'EOF'
int f(const char *s) {
	char b[8]; strncpy(b, s, 8);
	if (strlen(b) >= 8) return 1;
	if (strlen(b) == 7) return 2;
	if (b[0] && strlen(b) == 0) return 3;
	int k = strlen(s);
	if (k < 0) return 4;
	if (strlen(s) + 1 == 0) return 5;
	if (strnlen(s, 9) == 9) return 6;
	if (strnlen(s, 9) > 9) return 7;
	return 0;
}
EOF
only "places of characters" "13t 15t" <<'EOF'
int f(const char *s, int n) {
	char b[8]; strncpy(b, s, 8);
	char *p = strchr(b, n), *q = strrchr(b, 'x');
	if (p == b && b[0] == 0 && n == 256) return 1;
	if (p && !b[0] && n == 1) return 2;
	if (b[0] == 'y' && n == 256 + 'y')
		if (p != b) return 3;
	if (!p && b[0]) return 4;
	if (p > b + 1) return 5;
	if (q == b + 7) return 6;
	return 0;
}
EOF
only "comparisons" "12t 13t 15f 16t 16t 19t" <<'EOF'
int f(const char *s, const char *t, size_t n) {
	char a[8], b[8]; memcpy(a, s, 8); memcpy(b, t, 8);
	int c = strcmp(a, b), d = memcmp(a, b, n), e = strncmp(a, b, n);
	if (a[0] != b[0] && c == 0) return 1;
	if ((unsigned char)a[0] < (unsigned char)b[0] && c > 0) return 2;
	if (a[0] < b[0] && c > 0) return 3;
	if (a[0] != b[0] && d == 0 && e == 0) return 4;
	if (n == 0 && (d || e)) return 5;
	if (c == 7 || c == INT_MIN) return 6;
	if (!a[0] && !b[0] && d) return 7;
	if (!a[0] && !b[0] && e) return 8;
	return 0;
}
EOF
only "classes of characters, by macros and by functions" "10t 12t 14t 16t 18t" <<'EOF'
int f(int c) {
	if (isdigit(c) && c == 'a') return 1;
	if (isdigit(c) && c == '9') return 2;
	if (isspace(c) && c == EOF) return 3;
	if (isalpha(c) && c == 200) return 4;
	if ((isupper)(c) && c == 'z') return 5;
	if ((isupper)(c) && (isxdigit)(c)) return 6;
	if (c >= 0 && c < 128 && isalpha(c) && !isupper(c) && !islower(c)) return 7;
	if (c >= 0 && c < 256 && isalpha(c) && !isupper(c) && !islower(c)) return 8;
	if (toupper(c) == 'a' && c < 128 && c >= -1) return 9;
	if (tolower(c) == 'x' && (c == 'X' || c == 200)) return 10;
	return 0;
}
EOF
only "characters above 127, and Turkish letters: locales decide, but not about digits" "11t 13t 15t 17t 18t" <<'EOF'
int f(int c, char d) {
	if (c > 127 && c < 256 && isalpha(c)) return 1;
	if (c > 127 && c < 256 && isdigit(c)) return 2;
	if (d < 0 && (isspace)(d)) return 3;
	if (d < -1 && (isxdigit)(d)) return 4;
	if (c == 'i' && toupper(c) != 'I') return 5;
	if (c == 'i' && toupper(c) == 'i') return 6;
	if (c == 'I' && tolower(c) != 'i') return 7;
	if (c > 0 && c < 128 && isdigit(c) && tolower(c) == 200) return 8;
	if (c == 'j' && toupper(c) != 'J') return 9;
	if (c == 'j' && toupper(d) == 'j') return 10;
	return 0;
}
EOF
only "lengths of printed text" "11t 13t 15t 19t" <<'EOF'
int f(int n, const char *s, size_t size) {
	char b[64], a[4]; memcpy(a, s, 4);
	if (snprintf(b, 64, "%d", n) > 11) return 1;
	if (snprintf(b, 64, "%d", n) == 11) return 2;
	if (snprintf(b, 64, "%5x:%c", n, n) < 7) return 3;
	if (snprintf(b, 64, "%.4s", a) == 4) return 4;
	if (sprintf(b, "%s%%", a) > 4) return 5;
	if (snprintf(b, 64, "%s", s) < 0) return 6;
	if (snprintf(b, size, "x") < 0) return 7;
	if (snprintf(b, 64, "%.0d", n) == 0) return 8;
	if (sprintf(b, "%ld,", (long)n) == 1) return 9;
	if (snprintf(b, 64, "%g", (double)n) > 99) return 10;
	return 0;
}
EOF
only "counts, codes and arguments that come back" "11t 13t 16t 18t 20t 22t 23t 24t" <<'EOF'
int f(int fd, unsigned n, FILE *s, int x) {
	static char b[64];
	if (n < 9 && read(fd, b, n) > 8) return 1;
	if (n < 9 && read(fd, b, n) == -1) return 2;
	if (read(fd, b, n) < -1) return 3;
	if (read(fd, b, (size_t)-2) == -5) return 4;
	if (fread(b, 4, 9, s) == 9) return 5;
	if (fread(b, 4, 9, s) > 9) return 6;
	if (abs(x) == INT_MIN) return 7;
	if (x != INT_MIN && abs(x) < 0) return 8;
	char *p = fgets(b, 64, s);
	if (p && p != b) return 9;
	if (!p) return 10;
	if (strcpy(b + 1, "x") != b + 1) return 11;
	if (rand() < 0) return 12;
	if (fclose(s) == 1) return 13;
	return x;
}
EOF
finish
