/* folder: removes folders with all that is in them. */
#ifndef DUCT_FOLDER_H
#define DUCT_FOLDER_H

#include <stdbool.h>

/* Removes all that is in an open folder but the names that `keeps` holds; was there anything? No
 * link is followed, and depth and modes are no hindrance. */
bool folder_empty(int fd, bool (*keeps)(const void *with, const char *name), const void *with);
void folder_remove(const char *path);

#endif
