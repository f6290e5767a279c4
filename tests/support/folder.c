#define _GNU_SOURCE
#include "support/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[256];

int folder_make(void **ctx)
{
    (void)ctx;
    snprintf(folder, sizeof folder, "/tmp/specht_test_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

void folder_take(const char *path)
{
    snprintf(folder, sizeof folder, "%s", path);
}

const char *in_folder(const char *name)
{
    static char path[4][512];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

int folder_count(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        n += e->d_name[0] != '.';
    }
    closedir(d);
    return n;
}

void folder_empty(void)
{
    DIR *d = opendir(folder);
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        if (e->d_name[0] != '.') {
            unlinkat(dirfd(d), e->d_name, 0);
        }
    }
    closedir(d);
}

int folder_remove(void **ctx)
{
    (void)ctx;
    folder_empty();
    return rmdir(folder);
}
