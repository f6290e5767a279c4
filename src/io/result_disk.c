#define _GNU_SOURCE
#include "io/result_disk.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct disk_file {
    H5FD_t head; /* HDF5 owns it and wants it first */
    int fd;
    haddr_t eoa, eof;
    sp_disk *disk;
    dev_t device;
    ino_t inode;
} disk_file;

/* Byte far behind every file that a writer locks for as long as it lives. */
#define LIVE_BYTE ((off_t)1 << 62)

#if defined(F_OFD_SETLK)
enum { LOCK_SET = F_OFD_SETLK, LOCK_GET = F_OFD_GETLK };
#else
enum { LOCK_SET = F_SETLK, LOCK_GET = F_GETLK };
#endif

/* Say to other processes that a writer is alive; file systems without locks cannot. */
static void lock_live(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LIVE_BYTE, .l_len = 1};
    (void)fcntl(fd, LOCK_SET, &lock);
}

bool sp_disk_live(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LIVE_BYTE, .l_len = 1};
    if (fd < 0) {
        return false;
    }
    const bool live = fcntl(fd, LOCK_GET, &lock) == 0 && lock.l_type != F_UNLCK;
    close(fd);
    return live;
}

/* Open the file.  HDF5 tries without H5F_ACC_CREAT first, to see whether it is there. */
static H5FD_t *disk_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr)
{
    (void)maxaddr;
    sp_disk *const *config = H5Pget_driver_info(fapl);
    disk_file *f = calloc(1, sizeof *f);
    struct stat info;
    if (!config || !f) {
        free(f);
        return NULL;
    }
    const bool create = (flags & H5F_ACC_CREAT) != 0;
    const int mode = (*config)->patch ? O_RDONLY : O_RDWR | (create ? O_CREAT | O_EXCL : 0);
    f->disk = *config;
    f->fd = open(name, mode | O_CLOEXEC, 0666);
    if (f->fd < 0 || fstat(f->fd, &info) != 0) {
        f->disk->error = create ? errno : 0;
        if (f->fd >= 0) {
            close(f->fd);
        }
        free(f);
        return NULL;
    }
    f->eof = (haddr_t)info.st_size;
    f->device = info.st_dev;
    f->inode = info.st_ino;
    if (!f->disk->patch) {
        lock_live(f->fd);
    }
    return &f->head;
}

static herr_t disk_close(H5FD_t *file)
{
    disk_file *f = (disk_file *)file;
    if (close(f->fd) != 0 && f->disk->error == 0) {
        f->disk->error = errno;
    }
    free(f);
    return 0;
}

static int disk_compare(const H5FD_t *a, const H5FD_t *b)
{
    const disk_file *f = (const disk_file *)a, *g = (const disk_file *)b;
    if (f->device != g->device) {
        return f->device < g->device ? -1 : 1;
    }
    return f->inode == g->inode ? 0 : f->inode < g->inode ? -1 : 1;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    if (flags) {
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                 H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
                 H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    }
    return 0;
}

static haddr_t disk_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)file)->eoa;
}

static herr_t disk_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t addr)
{
    (void)type;
    ((disk_file *)file)->eoa = addr;
    return 0;
}

static haddr_t disk_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)file)->eof;
}

/* Read from a file; what is not there is zero. */
static bool read_bytes(int fd, uint64_t at, size_t size, void *buffer)
{
    for (char *to = buffer; size > 0;) {
        const ssize_t n = pread(fd, to, size, (off_t)at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return false;
        }
        if (n == 0) {
            memset(to, 0, size);
            break;
        }
        to += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* Write to a file; 0 or the errno. */
static int write_bytes(int fd, uint64_t at, size_t size, const void *buffer)
{
    for (const char *from = buffer; size > 0;) {
        const ssize_t n = pwrite(fd, from, size, (off_t)at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return n < 0 ? errno : ENOSPC;
        }
        from += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return 0;
}

/* Lay the patch over what was read. */
static void lay_over(const sp_disk_patch *p, uint64_t at, size_t size, unsigned char *buffer)
{
    const uint64_t low = at > p->at ? at : p->at;
    const uint64_t high = at + size < p->at + p->size ? at + size : p->at + p->size;
    if (low < high) {
        memcpy(buffer + (low - at), p->data + (low - p->at), (size_t)(high - low));
    }
}

static herr_t disk_read(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size,
                        void *buffer)
{
    (void)type;
    (void)dxpl;
    const disk_file *f = (const disk_file *)file;
    if (!read_bytes(f->fd, addr, size, buffer)) {
        return -1;
    }
    if (f->disk->patch) {
        lay_over(f->disk->patch, addr, size, buffer);
    }
    return 0;
}

/* Does [at, at + size) cross the end of a page? */
static bool crosses(uint64_t at, size_t size)
{
    return size > 0 && at / SP_DISK_PAGE != (at + size - 1) / SP_DISK_PAGE;
}

/* Write, unless an earlier write failed.  Tests let it fail, torn where a kill would tear it. */
static void put_bytes(disk_file *f, uint64_t at, size_t size, const void *buffer)
{
    sp_disk *d = f->disk;
    if (d->error != 0) {
        return;
    }
    if (++d->writes == d->fail_at) {
        if (crosses(at, size)) {
            write_bytes(f->fd, at, SP_DISK_PAGE - (size_t)(at % SP_DISK_PAGE), buffer);
        }
        d->error = EIO;
        return;
    }
    d->error = write_bytes(f->fd, at, size, buffer);
}

/* ---- journal ------------------------------------------------------------------------------- */

/* What stands at the start of the journal, in the order of the machine that wrote it. */
typedef struct journal_head {
    char sign[24];
    uint64_t at, size, sum;
    char free[16];
} journal_head;
_Static_assert(sizeof(journal_head) == SP_JOURNAL_HEAD, "the head of the journal");

static const char journal_sign[24] = "specht result journal 1";

/* A sum over place, size and data (FNV-1a). */
static uint64_t journal_sum(uint64_t at, uint64_t size, const unsigned char *data)
{
    return sp_hash(SP_HASH_BEGIN ^ at ^ (size << 32), data, (size_t)size);
}

/* Write anew across a page's end: journal, place, end of the journal.  Torn in the first, the old
 * bytes are whole; torn in the second, the journal is; the third is too small to be torn. */
static void put_journalled(disk_file *f, uint64_t at, size_t size, const void *buffer)
{
    sp_disk *d = f->disk;
    journal_head head = {.at = at, .size = size, .sum = journal_sum(at, size, buffer)};
    const uint64_t none = 0;
    memcpy(head.sign, journal_sign, sizeof head.sign);
    memcpy(d->buffer, &head, sizeof head);
    memcpy(d->buffer + sizeof head, buffer, size);
    put_bytes(f, d->journal, sizeof head + size, d->buffer);
    put_bytes(f, at, size, buffer);
    put_bytes(f, d->journal + offsetof(journal_head, size), sizeof none, &none);
}

static herr_t disk_write(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size,
                         const void *buffer)
{
    (void)type;
    (void)dxpl;
    disk_file *f = (disk_file *)file;
    const bool anew = f->disk->journal > 0 && addr < f->eof && crosses(addr, size) &&
                      size <= SP_JOURNAL_BYTES - SP_JOURNAL_HEAD;
    if (anew) {
        put_journalled(f, addr, size, buffer);
    } else {
        put_bytes(f, addr, size, buffer);
    }
    if (addr + size > f->eof) {
        f->eof = addr + size;
    }
    return 0;
}

static herr_t disk_truncate(H5FD_t *file, hid_t dxpl, hbool_t closing)
{
    (void)dxpl;
    (void)closing;
    disk_file *f = (disk_file *)file;
    if (f->eoa != f->eof && f->disk->error == 0) {
        if (ftruncate(f->fd, (off_t)f->eoa) != 0) {
            f->disk->error = errno;
        }
    }
    f->eof = f->eoa;
    return 0;
}

/* The open file, for sp_disk_start_journal. */
static herr_t disk_handle(H5FD_t *file, hid_t fapl, void **handle)
{
    (void)fapl;
    *handle = &((disk_file *)file)->fd;
    return 0;
}

static herr_t disk_lock(H5FD_t *file, hbool_t rw)
{
    (void)file;
    (void)rw;
    return 0;
}

static herr_t disk_unlock(H5FD_t *file)
{
    (void)file;
    return 0;
}

static const H5FD_class_t disk_class = {
#if H5_VERSION_GE(1, 13, 2)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)530,
#endif
    .name = "specht",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(sp_disk *),
    .open = disk_open,
    .close = disk_close,
    .cmp = disk_compare,
    .query = disk_query,
    .get_eoa = disk_get_eoa,
    .set_eoa = disk_set_eoa,
    .get_eof = disk_get_eof,
    .get_handle = disk_handle,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .lock = disk_lock,
    .unlock = disk_unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t sp_disk_use(hid_t fapl, sp_disk *disk)
{
    const hid_t driver = H5FDregister(&disk_class);
    if (driver >= 0 && H5Pset_driver(fapl, driver, &disk) < 0) {
        H5FDunregister(driver);
        return -1;
    }
    return driver;
}

bool sp_disk_start_journal(hid_t file, sp_disk *disk)
{
    hsize_t end = 0;
    unsigned char head[SP_JOURNAL_HEAD] = {0};
    int *fd = NULL;
    disk->buffer = malloc(SP_JOURNAL_BYTES);
    if (!disk->buffer || H5Fflush(file, H5F_SCOPE_LOCAL) < 0 || H5Fget_filesize(file, &end) < 0 ||
        H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&fd) < 0 ||
        H5Fincrement_filesize(file, SP_DISK_PAGE + SP_JOURNAL_BYTES) < 0) {
        return false;
    }
    disk->journal = (end + SP_DISK_PAGE - 1) / SP_DISK_PAGE * SP_DISK_PAGE;
    memcpy(head, journal_sign, sizeof journal_sign);
    disk->error =
        disk->error != 0 ? disk->error : write_bytes(*fd, disk->journal, sizeof head, head);
    return disk->error == 0;
}

void sp_disk_free(sp_disk *disk)
{
    free(disk->buffer);
    disk->buffer = NULL;
}

enum { JOURNAL_SEARCH = 64 << 20 }; /* the journal lies behind the names, hence near the start */

/* Where the journal of a file starts, 0: none. */
static uint64_t find_journal(int fd)
{
    char sign[sizeof journal_sign];
    for (uint64_t at = SP_DISK_PAGE; at < JOURNAL_SEARCH; at += SP_DISK_PAGE) {
        if (pread(fd, sign, sizeof sign, (off_t)at) != (ssize_t)sizeof sign) {
            return 0;
        }
        if (memcmp(sign, journal_sign, sizeof sign) == 0) {
            return at;
        }
    }
    return 0;
}

bool sp_disk_find_patch(const char *path, sp_disk_patch *patch)
{
    journal_head head;
    memset(patch, 0, sizeof *patch);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    const uint64_t journal = find_journal(fd);
    bool ok = journal == 0 || read_bytes(fd, journal, sizeof head, &head);
    if (ok && journal > 0 && head.size > 0 && head.size <= SP_JOURNAL_BYTES - SP_JOURNAL_HEAD) {
        patch->data = malloc((size_t)head.size);
        ok = patch->data && read_bytes(fd, journal + sizeof head, (size_t)head.size, patch->data);
        if (ok && journal_sum(head.at, head.size, patch->data) == head.sum) {
            patch->at = head.at;
            patch->size = (size_t)head.size;
        }
    }
    close(fd);
    return ok;
}

bool sp_disk_apply_patch(const char *path, const sp_disk_patch *patch)
{
    if (patch->size == 0) {
        return true;
    }
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    const uint64_t journal = fd < 0 ? 0 : find_journal(fd), none = 0;
    int error = fd < 0 ? errno : write_bytes(fd, patch->at, patch->size, patch->data);
    if (error == 0 && journal > 0) {
        error = write_bytes(fd, journal + offsetof(journal_head, size), sizeof none, &none);
    }
    if (fd >= 0) {
        close(fd);
    }
    errno = error;
    return error == 0;
}
