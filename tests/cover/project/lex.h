enum token { END, NUMBER, PLUS, MINUS, TIMES, OPEN, CLOSE, WRONG };
struct lexer { const char *at; long value; };
enum token lex_next(struct lexer *l);
