/* Registers of a network card, printed by ethtool's ixgb.c: fields that do not depend on each other. The version
 * of the card is one that it knows. */
#include "internal.h"

int ixgb_dump_regs(struct ethtool_drvinfo *info, struct ethtool_regs *regs);

int dump(const u32 *value)
{
	static union { struct ethtool_regs regs; char room[sizeof(struct ethtool_regs) + 60 * sizeof(u32)]; } all;

	all.regs.version = 1u << 24;
	memcpy(all.regs.data, value, 60 * sizeof *value);
	return ixgb_dump_regs(NULL, &all.regs);
}
