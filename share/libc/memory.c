/* memcpy, memmove, memset and similar functions. They are not woven: the compiler calls them for
 * copies of structs whose shadow woven code has copied already. The runtime's functions tell such
 * calls from the program's own by the token (lib/protocol/abi.h, "calls"); the address of the
 * function that was called is the token, given in a spare register. */

#define BLOCK(name, function, spare) \
	__asm__(".pushsection .text." name ",\"ax\",@progbits\n" \
	        ".weak " name "\n.hidden " name "\n.type " name ",@function\n" \
	        ".globl duct_model_" name "\n.hidden duct_model_" name "\n" \
	        ".type duct_model_" name ",@function\n" name ":\n" \
	        "duct_model_" name ":\n" \
	        "\tlea duct_model_" name "(%rip), %" spare "\n" \
	        "\tjmp " function "\n" \
	        ".size " name ", . - " name "\n" \
	        ".size duct_model_" name ", . - duct_model_" name "\n" \
	        ".popsection\n")

BLOCK("memcpy", "duct_block_memcpy", "rcx");
BLOCK("memmove", "duct_block_memmove", "rcx");
BLOCK("mempcpy", "duct_block_mempcpy", "rcx");
BLOCK("memset", "duct_block_memset", "rcx");
BLOCK("bzero", "duct_block_bzero", "rdx");
BLOCK("explicit_bzero", "duct_block_bzero", "rdx");
