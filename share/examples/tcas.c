/* A collision avoidance advisory, in the manner of the subject "tcas" of Su et al. (hybrid
 * data-flow testing), Table 2: given own and the other aircraft's altitudes, vertical
 * separations and what the other intends, advise to climb, to descend, or neither.
 *
 * duct: concolic --entry advise --search dfs
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#include <stdbool.h>

enum advisory { UNRESOLVED, UPWARD, DOWNWARD };
enum intent { NO_INTENT, DO_NOT_CLIMB, DO_NOT_DESCEND };

#define MAX_ALTITUDE_DIFFERENCE 600
#define MIN_SEPARATION 300
#define CLIMB_BONUS 100

struct aircraft {
	int altitude;
	int rate;
	bool valid;
};

static const int threshold[4] = { 400, 500, 640, 740 };

static int separation_needed(unsigned layer)
{
	return threshold[layer & 3];
}

static int upward_preference(bool inhibit, int up)
{
	return inhibit ? up + CLIMB_BONUS : up;
}

enum advisory advise(struct aircraft own, struct aircraft other, unsigned layer, short up,
                     short down, bool inhibit, unsigned char intent)
{
	bool below = own.altitude < other.altitude;
	bool climb, descend, prefer;

	if (!own.valid || own.rate > MAX_ALTITUDE_DIFFERENCE || !other.valid)
		return UNRESOLVED;
	prefer = upward_preference(inhibit, up) > down;
	if (prefer) {
		climb = !below || (below && down < separation_needed(layer));
		descend = below && up >= MIN_SEPARATION && down >= separation_needed(layer);
	} else {
		climb = !below && up >= separation_needed(layer);
		descend = below || (!below && up >= separation_needed(layer));
	}
	if (intent == DO_NOT_CLIMB)
		climb = false;
	else if (intent == DO_NOT_DESCEND)
		descend = false;
	if (climb == descend)
		return UNRESOLVED;
	return climb ? UPWARD : DOWNWARD;
}
