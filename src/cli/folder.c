#define _POSIX_C_SOURCE 200809L
#include "cli/folder.h"

#include <string.h>
#include <unistd.h>

void sp_cli_program_folder(char *folder, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    folder[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
}
