/* support/folder.h - a folder of its own for the files of a test program: set-up and tear-down of a
 * group of tests, and paths in it. */
#ifndef TEST_SUPPORT_FOLDER_H
#define TEST_SUPPORT_FOLDER_H

/* cmocka's set-up and tear-down: the folder is made, and removed with its files. */
int folder_make(void **ctx);
int folder_remove(void **ctx);

/* Take one that is there, to keep the files. */
void folder_take(const char *path);

/* The path of a file in it; the last four stay. */
const char *in_folder(const char *name);

/* How many files it has, hidden ones apart; remove these. */
int folder_count(void);
void folder_empty(void);

#endif
