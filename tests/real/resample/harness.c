/* Standard input: a byte for the channels, one for the quality, the two rates, samples of 16 bits. */
#include <stdio.h>

#include "speex_resampler.h"

int main(void)
{
	unsigned char head[6];
	short in[256], out[1024];
	spx_uint32_t n, m = 512;
	int error;
	SpeexResamplerState *s;

	if (fread(head, 1, 6, stdin) < 6)
		return 2;
	n = (spx_uint32_t)fread(in, sizeof *in, 256, stdin);
	s = speex_resampler_init(head[0] & 1 ? 1 : 2, head[2] | (spx_uint32_t)head[3] << 8,
		head[4] | (spx_uint32_t)head[5] << 8, head[1], &error);
	if (!s) {
		puts(speex_resampler_strerror(error));
		return 1;
	}
	if (head[0] & 2)
		speex_resampler_skip_zeros(s);
	if (head[0] & 4)
		speex_resampler_set_quality(s, head[1] / 2);
	n /= head[0] & 1 ? 1 : 2;
	printf("%d ", speex_resampler_process_interleaved_int(s, in, &n, out, &m));
	printf("%u %u\n", n, m);
	if (head[0] & 8)
		speex_resampler_set_rate(s, head[4] + 1, head[2] + 1);
	speex_resampler_destroy(s);
	return 0;
}
