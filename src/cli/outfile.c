#define _POSIX_C_SOURCE 200809L
#include "cli/outfile.h"

#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Choose the name to write to meanwhile; a link is followed, not replaced. */
static sp_status choose_part(sp_outfile *out, sp_error *err)
{
    struct stat info;
    const bool exists = stat(out->path, &info) == 0;
    out->part[0] = '\0';
    if (exists && !S_ISREG(info.st_mode)) {
        return SP_OK;
    }
    if (exists && access(out->path, W_OK) != 0) {
        return SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", out->path, strerror(errno));
    }
    if (strlen(out->path) > SP_OUTFILE_PATH) {
        return SP_FAIL(err, SP_E_IO, "cannot write '%.200s...': name too long", out->path);
    }
    struct stat link;
    if (lstat(out->path, &link) == 0 && S_ISLNK(link.st_mode)) {
        return SP_OK; /* written through the link, in place */
    }
    snprintf(out->part, sizeof out->part, "%s.part-%ld", out->path, (long)getpid());
    return SP_OK;
}

sp_status sp_outfile_open(sp_outfile *out, const char *path, sp_error *err)
{
    out->path = path && strcmp(path, "-") != 0 ? path : NULL;
    out->file = stdout;
    if (!out->path) {
        return SP_OK;
    }
    SP_TRY(choose_part(out, err));
    out->file = fopen(out->part[0] ? out->part : out->path, "w");
    return out->file ? SP_OK
                     : SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", out->path, strerror(errno));
}

sp_status sp_outfile_close(sp_outfile *out, bool keep, sp_error *err)
{
    if (!out->path) {
        return SP_OK;
    }
    const bool whole = fclose(out->file) == 0;
    const bool named = whole && keep && (!out->part[0] || rename(out->part, out->path) == 0);
    const int why = errno;
    if (!named && out->part[0]) {
        unlink(out->part);
    }
    return named || !keep
               ? SP_OK
               : SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", out->path, strerror(why));
}
