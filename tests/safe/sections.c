/* Reads the models of object files in both ways: "read", or the message. */
#include "lib/flow/flow.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *error[2] = { NULL, NULL };
		struct flow *fl[2] = { flow_read_program(argv[i], &error[0]), flow_read_whole(argv[i], &error[1]) };

		for (int k = 0; k < 2; k++) {
			printf("%s: %s\n", argv[i], fl[k] ? "read" : error[k] ? error[k] : "no message");
			flow_free(fl[k]);
			free(error[k]);
		}
	}
	return 0;
}
