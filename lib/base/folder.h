/* folder: removes a folder with all that is in it; links are not followed. */
#ifndef DUCT_FOLDER_H
#define DUCT_FOLDER_H

void folder_remove(const char *path);

#endif
