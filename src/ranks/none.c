/* ranks/none.c - without MPI; under mpirun the program that has it takes over. */
#define _POSIX_C_SOURCE 200809L
#include "ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

/* How many ranks mpirun started, 1 without it. */
static long count_ranks(void)
{
    static const char *const name[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (int k = 0; k < 2; k++) {
        const char *text = getenv(name[k]);
        if (text) {
            return strtol(text, NULL, 10);
        }
    }
    return 1;
}

bool sp_ranks_begin(int *argc, char ***argv)
{
    char path[PATH];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof "-mpi");
    (void)argc;
    if (count_ranks() < 2) {
        return true;
    }
    if (n > 0) {
        memcpy(path + n, "-mpi", sizeof "-mpi");
        execv(path, *argv);
    }
    fprintf(stderr, "specht: studies on several ranks need the program specht-mpi beside this one, "
                    "which is built where MPI is (Debian: libopenmpi-dev); job arrays work without "
                    "it (--shard)\n");
    return false;
}

int sp_ranks_end(int code)
{
    return code;
}

const struct sp_crew_kind *sp_ranks_crew(void)
{
    return NULL;
}

bool sp_ranks_serve(sp_study *study, const sp_stiff_driver *stiff)
{
    (void)study;
    (void)stiff;
    return false;
}
