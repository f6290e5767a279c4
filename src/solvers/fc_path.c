#include "solvers/fc_path.h"

#include "solvers/fc.h"

#include <string.h>

int sp_fc_path_add(char *path, int at, const char *name, int count)
{
    char digits[12];
    const int length = count ? (int)strlen(name) : 0;
    int n = 0;
    if (count == 0 || at + length + (int)sizeof digits + 4 > SP_FC_PATH) {
        return at;
    }
    for (int rest = count; rest > 0; rest /= 10) {
        digits[n++] = (char)('0' + rest % 10);
    }
    if (at > 0) {
        path[at++] = ',';
        path[at++] = ' ';
    }
    memcpy(path + at, name, (size_t)length);
    at += length;
    path[at++] = ' ';
    while (n > 0) {
        path[at++] = digits[--n];
    }
    path[at] = '\0';
    return at;
}
