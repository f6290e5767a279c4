/* reduce/matrices.c - stiffness and mass of a part: CalculiX' own files, MatrixMarket, or by
 * running CalculiX. */
#define _POSIX_C_SOURCE 200809L
#include "reduce/fe.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- text -------------------------------------------------------------------------------------
 */

static sp_status at_line(sp_error *err, const char *file, long line, const char *what)
{
    return SP_FAIL(err, SP_E_INPUT, "%s:%ld: %s", file, line, what);
}

/* Lines "row column value", from 1 on, up to n unknowns. */
static sp_status read_entries(const char *file, const char *text, long line, int n, bool lower,
                              sp_triplets *t, sp_error *err)
{
    for (const char *at = text; *at; line++) {
        char *end;
        const long i = strtol(at, &end, 10), j = strtol(end, &end, 10);
        const char *before = end;
        const double x = strtod(end, &end);
        if (end == before || *end != '\n') {
            return at_line(err, file, line,
                           *end == '\0' ? "the file ends within a line: it was cut off"
                                        : "expected row, column and value");
        }
        if (i < 1 || j < 1 || i > n || j > n || (lower && j > i) || !isfinite(x)) {
            return at_line(err, file, line, "row, column or value out of range");
        }
        sp_triplets_add(t, (int)i - 1, (int)j - 1, x);
        at = end + 1;
    }
    return t->failed ? SP_E_MEMORY : SP_OK;
}

/* ---- CalculiX ---------------------------------------------------------------------------------
 */

/* "node.direction" per unknown: two integers, not a number with a fraction. */
static sp_status read_unknowns(const char *file, sp_fe *fe, sp_error *err)
{
    size_t n;
    char *text = sp_fe_load(file, &n, err);
    if (!text) {
        return SP_E_INPUT;
    }
    int count = 0;
    for (const char *c = text; *c; c++) {
        count += *c == '\n';
    }
    fe->n = count;
    fe->node = SP_NEW(fe->arena, int, count);
    fe->dir = SP_NEW(fe->arena, int, count);
    sp_status status = fe->node && fe->dir ? SP_OK : SP_E_MEMORY;
    const char *at = text;
    for (int k = 0; status == SP_OK && k < count; k++) {
        char *end;
        const long id = strtol(at, &end, 10), dir = *end == '.' ? strtol(end + 1, &end, 10) : 0;
        const int node = id > 0 && id < 2147483647L ? sp_fe_node(fe, (int)id) : -1;
        if (dir < 1 || dir > 3 || *end != '\n') {
            status = at_line(err, file, k + 1, "expected node.direction with direction 1 to 3");
        } else if (node < 0) {
            status = at_line(err, file, k + 1,
                             "a node that the mesh does not have: beams and shells "
                             "are expanded by CalculiX, use solids");
        } else {
            fe->node[k] = node;
            fe->dir[k] = (int)dir - 1;
        }
        at = end + 1;
    }
    free(text);
    return status;
}

static sp_status read_one(const char *file, sp_fe *fe, sp_sym *A, sp_error *err)
{
    size_t n;
    char *text = sp_fe_load(file, &n, err);
    sp_triplets t = {0};
    if (!text) {
        return SP_E_INPUT;
    }
    sp_status status = read_entries(file, text, 1, fe->n, false, &t, err);
    free(text);
    if (status == SP_OK && !sp_sym_of(fe->arena, fe->n, &t, A)) {
        status = SP_E_MEMORY;
    }
    sp_triplets_free(&t);
    return status;
}

/* Every unknown has a stiffness and a mass. */
static sp_status check_whole(const sp_fe *fe, const char *file, sp_error *err)
{
    const sp_sym *const both[2] = {&fe->K, &fe->M};
    for (int s = 0; s < 2; s++) {
        for (int j = 0; j < fe->n; j++) {
            double diagonal = 0.0;
            for (size_t e = both[s]->start[j]; e < both[s]->start[j + 1]; e++) {
                diagonal += both[s]->row[e] == j ? both[s]->value[e] : 0.0;
            }
            if (!(diagonal > 0.0)) {
                return SP_FAIL(
                    err, SP_E_INPUT, "%s: %s of node %d, direction %d is %g, expected > 0%s", file,
                    s ? "mass" : "stiffness", fe->id[fe->node[j]], fe->dir[j] + 1, diagonal,
                    diagonal < 0.0 ? ": negative stiffness"
                                   : ": the file was cut off, or the node is free");
            }
        }
    }
    return SP_OK;
}

sp_status sp_fe_read_calculix(const char *stem, sp_fe *fe, sp_error *err)
{
    char file[4096];
    snprintf(file, sizeof file, "%s.dof", stem);
    SP_TRY(read_unknowns(file, fe, err));
    snprintf(file, sizeof file, "%s.mas", stem);
    SP_TRY(read_one(file, fe, &fe->M, err));
    snprintf(file, sizeof file, "%s.sti", stem);
    SP_TRY(read_one(file, fe, &fe->K, err));
    if (fe->n < 6) {
        return SP_FAIL(err, SP_E_INPUT, "%s: %d unknowns, expected a part that is free to move",
                       file, fe->n);
    }
    return check_whole(fe, file, err);
}

/* ---- MatrixMarket -----------------------------------------------------------------------------
 */

static const char heading[] = "%%MatrixMarket matrix coordinate real symmetric";

static sp_status read_market(const char *file, sp_fe *fe, sp_sym *A, sp_error *err)
{
    size_t n;
    char *text = sp_fe_load(file, &n, err), *at = text;
    long line = 1, rows = 0, columns = 0, entries = 0;
    if (!text) {
        return SP_E_INPUT;
    }
    sp_triplets t = {0};
    sp_status status = SP_OK;
    if (strncmp(text, heading, strlen(heading)) != 0) {
        status = at_line(err, file, 1, "expected %%MatrixMarket matrix coordinate real symmetric");
    }
    while (*at == '%' && strchr(at, '\n')) {
        at = strchr(at, '\n') + 1;
        line++;
    }
    if (status == SP_OK && (sscanf(at, "%ld %ld %ld", &rows, &columns, &entries) != 3 ||
                            rows != columns || rows != 3L * fe->n_node || !strchr(at, '\n'))) {
        status = at_line(err, file, line,
                         "expected rows, columns and entries: x, y, z of each node of "
                         "the table, in its order");
    }
    if (status == SP_OK) {
        status = read_entries(file, strchr(at, '\n') + 1, line + 1, fe->n, true, &t, err);
    }
    free(text);
    if (status == SP_OK && !sp_sym_of(fe->arena, fe->n, &t, A)) {
        status = SP_E_MEMORY;
    }
    sp_triplets_free(&t);
    return status;
}

sp_status sp_fe_read_market(const char *K, const char *M, sp_fe *fe, sp_error *err)
{
    fe->n = 3 * fe->n_node;
    fe->node = SP_NEW(fe->arena, int, fe->n);
    fe->dir = SP_NEW(fe->arena, int, fe->n);
    if (!fe->node || !fe->dir) {
        return SP_E_MEMORY;
    }
    for (int k = 0; k < fe->n; k++) {
        fe->node[k] = k / 3;
        fe->dir[k] = k % 3;
    }
    SP_TRY(read_market(K, fe, &fe->K, err));
    SP_TRY(read_market(M, fe, &fe->M, err));
    return check_whole(fe, K, err);
}

/* ---- running CalculiX -------------------------------------------------------------------------
 */

static const char step[] = "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP\n";

static bool write_deck(const sp_fe *fe, const char *path)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(fe->deck, 1, fe->n_deck, f) == fe->n_deck && fputs(step, f) >= 0;
    return f && fclose(f) == 0 && ok;
}

/* Run `program job` in a folder, what it prints going to a file there; its exit code, -1: it did
 * not start. */
static int run_in(const char *folder, const char *program)
{
    const pid_t child = fork();
    if (child == 0) {
        const int log = chdir(folder) == 0 ? open("job.log", O_WRONLY | O_CREAT, 0600) : -1;
        if (log >= 0 && dup2(log, 1) >= 0 && dup2(log, 2) >= 0) {
            execlp(program, program, "job", (char *)NULL);
        }
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The first line with *ERROR of what CalculiX printed, or its last one. */
static void find_complaint(const char *folder, char *text, size_t size)
{
    char file[4096];
    size_t n;
    snprintf(file, sizeof file, "%s/job.log", folder);
    char *log = sp_fe_load(file, &n, NULL);
    const char *at = log ? strstr(log, "*ERROR") : NULL;
    text[0] = '\0';
    if (at) {
        snprintf(text, size, "%.*s", (int)strcspn(at, "\n"), at);
    }
    free(log);
}

static void clean(const char *folder)
{
    static const char *const end[] = {"inp", "log", "sti", "mas", "dof", "dat",
                                      "frd", "sta", "cvg", "12d", "eig", "con"};
    char file[4096];
    for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
        snprintf(file, sizeof file, "%s/job.%s", folder, end[k]);
        unlink(file);
    }
    snprintf(file, sizeof file, "%s/spooles.out", folder);
    unlink(file);
    rmdir(folder);
}

sp_status sp_fe_run_calculix(const char *program, sp_fe *fe, sp_error *err)
{
    const char *tmp = getenv("TMPDIR");
    char folder[1024], file[1100], why[300];
    snprintf(folder, sizeof folder, "%s/specht-reduce-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        return SP_FAIL(err, SP_E_IO, "'%s' cannot be made: %s", folder, strerror(errno));
    }
    snprintf(file, sizeof file, "%s/job.inp", folder);
    sp_status status = SP_OK;
    if (!write_deck(fe, file)) {
        status = SP_FAIL(err, SP_E_IO, "'%s' cannot be written: %s", file, strerror(errno));
    }
    const int code = status == SP_OK ? run_in(folder, program) : 0;
    snprintf(file, sizeof file, "%s/job.sti", folder);
    if (code == 127 || code == -1) {
        status =
            SP_FAIL(err, SP_E_INPUT,
                    "the finite-element program '%s' was not found; install it (Debian: "
                    "calculix-ccx), name it by --ccx, or give matrices: its own .sti, .mas and "
                    ".dof, or MatrixMarket files",
                    program);
    } else if (status == SP_OK && access(file, R_OK) != 0) {
        find_complaint(folder, why, sizeof why);
        status =
            SP_FAIL(err, SP_E_INPUT, "CalculiX wrote no matrices (exit code %d) %s", code, why);
    }
    if (status == SP_OK) {
        snprintf(file, sizeof file, "%s/job", folder);
        status = sp_fe_read_calculix(file, fe, err);
    }
    clean(folder);
    return status;
}

void sp_fe_scale(sp_fe *fe, double length, double stiffness, double mass)
{
    for (int i = 0; i < 3 * fe->n_node; i++) {
        fe->at[i] *= length;
    }
    for (size_t e = 0; e < fe->K.start[fe->n]; e++) {
        fe->K.value[e] *= stiffness;
    }
    for (size_t e = 0; e < fe->M.start[fe->n]; e++) {
        fe->M.value[e] *= mass;
    }
    for (int k = 0; k < fe->n_material; k++) {
        fe->material[k].young *= stiffness / length; /* N/m of a length -> N/m^2 */
        fe->material[k].density *= mass / (length * length * length);
    }
}
