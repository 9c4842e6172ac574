/* Enumerations among inputs and results: with tag, by a typedef, without a name, negative, in arrays; names that tests cannot use. */
enum colour { RED, GREEN, BLUE, AZURE = BLUE, DARK = -1 };
typedef enum { LOW = 1, HIGH = 70000 } level;
enum { CLOSED, OPEN } door;
enum masked { MASKED, SHOWN };
#define MASKED 5
struct s { enum colour c; level l; enum inner { IN, OUT } i[2]; };
enum colour last;

enum colour next(enum colour c, level l, struct s *p, enum masked m, int GREEN)
{
	enum here { RED, BLUE };

	last = c == GREEN ? AZURE : DARK;
	if (l == HIGH && p->i[1] == OUT && door == OPEN && m == SHOWN) {
		p->c = AZURE;
		p->l = (level)9;
		return c == 8 ? (enum colour)77 : DARK;
	}
	return c == AZURE ? (enum colour)BLUE : (enum colour)RED;
}
