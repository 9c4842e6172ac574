/* run: an obligation on all sequences of choices, the last choice running fastest. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 64

/* Outside of what is restored between runs. */
struct state { jmp_buf back; unsigned char value[MOST]; unsigned size[MOST]; unsigned n, at; size_t bytes; char saved[]; };
static struct state *s;

extern char __data_start, _end;
extern int obligation(void);
extern void end_of_path(void);

static void answer(const char *text)
{
	puts(text);
	fflush(stdout);
	_exit(0);
}

static unsigned choose(unsigned size)
{
	if (s->at == MOST)
		answer("UNKNOWN");
	if (s->at == s->n) {
		s->value[s->n] = 0;
		s->size[s->n++] = size;
	}
	return s->value[s->at++];
}

unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)choose(256); }
_Bool __VERIFIER_nondet_bool(void) { return choose(2); }
unsigned short __VERIFIER_nondet_ushort(void) { answer("UNKNOWN"); return 0; }
unsigned __VERIFIER_nondet_uint(void) { answer("UNKNOWN"); return 0; }
unsigned long long __VERIFIER_nondet_ulonglong(void) { answer("UNKNOWN"); return 0; }
void end_of_path(void) { longjmp(s->back, 1); }
void reach_error(void) { answer("UNSAFE"); }

int main(void)
{
	size_t bytes = (size_t)(&_end - &__data_start);
	s = calloc(1, sizeof *s + bytes);
	s->bytes = bytes;
	memcpy(s->saved, &__data_start, bytes);
	alarm(20);                   /* no answer: its death is none */
	for (;;) {
		struct state *keep = s;
		s->at = 0;
		if (!setjmp(s->back))
			obligation();
		s->n = s->at;
		while (s->n && ++s->value[s->n - 1] == s->size[s->n - 1] % 256)
			s->n--;
		if (!s->n)
			answer("SAFE");
		memcpy(&__data_start, keep->saved, bytes);
	}
}
