/* hash: SHA-256 of a sequence of pieces, each preceded by its length. Whole blocks are hashed by the
 * processor's own instructions where it has them: a question is some hundred kilobytes. */
#include "lib/store/db.h"

#include <string.h>

enum { BLOCK = 64 };

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

/* clang-format off */
static const uint32_t round_constant[64] __attribute__((aligned(16))) = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
/* clang-format on */

static bool has_instructions(void)
{
	unsigned a, b = 0, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 29 & 1
	    && __builtin_cpu_supports("sse4.1");
}

/* The 16 groups of four rounds of a block; ab and cd are the state as these instructions keep it.
 */
__attribute__((target("sha,sse4.1"))) static void rounds(__m128i *ab, __m128i *cd, __m128i m[4])
{
	for (int i = 0; i < 16; i++) {
		__m128i k = _mm_load_si128((const __m128i *)round_constant + i), next;

		k = _mm_add_epi32(m[i & 3], k);
		*cd = _mm_sha256rnds2_epu32(*cd, *ab, k);
		*ab = _mm_sha256rnds2_epu32(*ab, *cd, _mm_shuffle_epi32(k, 0x0e));
		next = _mm_add_epi32(_mm_sha256msg1_epu32(m[i & 3], m[(i + 1) & 3]),
		    _mm_alignr_epi8(m[(i + 3) & 3], m[(i + 2) & 3], 4));
		m[i & 3] = _mm_sha256msg2_epu32(next, m[(i + 3) & 3]);
	}
}

__attribute__((target("sha,sse4.1"))) static void add_block(uint32_t state[8], const uint8_t *p)
{
	const __m128i big = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
	__m128i first = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1),
	        last = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state + 1), 0x1b);
	__m128i ab = _mm_alignr_epi8(first, last, 8), cd = _mm_blend_epi16(last, first, 0xf0);
	__m128i old_ab = ab, old_cd = cd, m[4];

	for (int i = 0; i < 4; i++)
		m[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)p + i), big);
	rounds(&ab, &cd, m);
	first = _mm_shuffle_epi32(_mm_add_epi32(ab, old_ab), 0x1b);
	last = _mm_shuffle_epi32(_mm_add_epi32(cd, old_cd), 0xb1);
	_mm_storeu_si128((__m128i *)state, _mm_blend_epi16(first, last, 0xf0));
	_mm_storeu_si128((__m128i *)state + 1, _mm_alignr_epi8(last, first, 8));
}
#else
static bool has_instructions(void)
{
	return false;
}
static void add_block(uint32_t state[8], const uint8_t *p)
{
	(void)state;
	(void)p;
}
#endif

static void add(SHA2_CTX *sha, const uint8_t *p, size_t n)
{
	static int quick = -1;
	size_t at = sha->bitcount[0] / 8 % BLOCK;

	if (quick < 0)
		quick = has_instructions();
	if (!quick) {
		SHA256Update(sha, p, n);
		return;
	}
	sha->bitcount[0] += (uint64_t)n * 8;
	while (n) {
		size_t some = n < BLOCK - at ? n : BLOCK - at;

		memcpy(sha->buffer + at, p, some);
		p += some;
		n -= some;
		at = (at + some) % BLOCK;
		if (!at)
			add_block(sha->state.st32, sha->buffer);
	}
}

void store_hash_begin(struct store_hash *h)
{
	SHA256Init(&h->sha);
}

void store_hash_add(struct store_hash *h, const void *data, size_t n)
{
	uint64_t length = n;

	add(&h->sha, (const uint8_t *)&length, sizeof length);
	add(&h->sha, data, n);
}

void store_hash_text(struct store_hash *h, const char *s)
{
	store_hash_add(h, s ? s : "", s ? strlen(s) : 0);
}

void store_hash_print(const struct store_hash *h, char text[STORE_HASH_TEXT])
{
	SHA2_CTX last = h->sha;

	SHA256End(&last, text);
}
