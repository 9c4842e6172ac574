/* Reads all tokens of a text with stb_c_lexer.h, Sean Barrett's lexer for C-like languages
 * (Debian package libstb-dev), as that header comes.
 *
 * The text is LENGTH bytes of any value. As the lexer's documentation asks, it gets a
 * pointer to the text and one to its end. The text is followed by one NUL, for strtol and
 * strtod, and then by a page that cannot be read; the buffer for strings of ROOM bytes is
 * followed by one that cannot be written. So whoever leaves them dies of it.
 *
 * duct: concolic --entry lex_text --len text=6 --search cfg -- -I/usr/include/stb
 */
#define STB_C_LEXER_IMPLEMENTATION
#include "stb_c_lexer.h"

#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

#define PAGE 4096
#define LENGTH 6
#define ROOM 4

/* The last n bytes before a page that cannot be touched. */
static char *guarded(size_t n)
{
	char *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + PAGE, PAGE, PROT_NONE) != 0)
		return NULL;
	return p + PAGE - n;
}

/* Number of tokens, or -1 when there is one that the lexer refuses. */
int lex_text(const char *text)
{
	char *copy = guarded(LENGTH + 1), *room = guarded(ROOM);
	stb_lexer lexer;
	int tokens = 0, i;

	if (copy == NULL || room == NULL)
		return -2;
	for (i = 0; i < LENGTH; i++)
		copy[i] = text[i];
	stb_c_lexer_init(&lexer, copy, copy + LENGTH, room, ROOM);
	while (stb_c_lexer_get_token(&lexer)) {
		if (lexer.token == CLEX_parse_error)
			return -1;
		assert(lexer.where_firstchar <= lexer.where_lastchar);
		tokens++;
	}
	return tokens;
}
