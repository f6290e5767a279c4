#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "cli/open.h"
#include "cli/page.h"
#include "cli/talk.h"
#include "io/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GLTF_FRAMES = 4000, VTK_FRAMES = 1000 }; /* by default */
#define FACTOR_MOST 1e6 /* of deformations: what they show is no machine beyond it */

/* What the command line asks for. */
typedef struct wishes {
    const char *gltf, *csv, *vtk, *frames, *factor;
    size_t n_frame; /* 0: not said */
    double deformation;
    bool quiet;
} wishes;

/* Say what was written. */
static void print_written(const wishes *w, const char *path, const sp_export_extent *extent)
{
    char frames[32], frames_in[32];
    if (w->quiet || strcmp(path, "-") == 0) {
        return;
    }
    sp_count_text((long long)extent->frames, frames, sizeof frames);
    sp_count_text((long long)extent->frames_in, frames_in, sizeof frames_in);
    printf("  %s   %s%s%s frames, %zu bodies, %zu triangles", path, frames,
           extent->frames < extent->frames_in ? " of " : "",
           extent->frames < extent->frames_in ? frames_in : "", extent->bodies, extent->triangles);
    printf(extent->files > 1 ? ", %zu files\n" : "\n", extent->files);
}

/* Does the name end like this? */
static bool ends_in(const char *name, const char *ending)
{
    const size_t n = strlen(name), k = strlen(ending);
    return n >= k && strcmp(name + n - k, ending) == 0;
}

/* --gltf */
static sp_status export_gltf(sp_result *result, const wishes *w, sp_error *err)
{
    sp_outfile out;
    sp_export_extent extent;
    const bool binary = ends_in(w->gltf, ".glb");
    if (!binary && !ends_in(w->gltf, ".gltf")) {
        return SP_FAIL(err, SP_E_INPUT,
                       "export: --gltf %s, expected a name that ends in .glb or "
                       ".gltf",
                       w->gltf);
    }
    SP_TRY(sp_outfile_open(&out, w->gltf, err));
    const sp_status status =
        sp_export_gltf(result, out.file, binary, w->n_frame > 0 ? w->n_frame : GLTF_FRAMES,
                       w->deformation, &extent, err);
    const sp_status closed = sp_outfile_close(&out, status == SP_OK, err);
    if (status == SP_OK && closed == SP_OK) {
        print_written(w, w->gltf, &extent);
    }
    return status == SP_OK ? closed : status;
}

/* --csv */
static sp_status export_csv(sp_result *result, const wishes *w, sp_error *err)
{
    const sp_texts all = {0};
    SP_TRY(sp_cli_write_csv(result, w->csv, &all, NULL, err));
    if (!w->quiet && strcmp(w->csv, "-") != 0) {
        printf("  %s   %zu frames, %d channels\n", w->csv, sp_result_about(result)->n_frame,
               sp_result_about(result)->n_channel);
    }
    return SP_OK;
}

/* --vtk */
static sp_status export_vtk(sp_result *result, const wishes *w, sp_error *err)
{
    char name[SP_CLI_PATH], list[2 * SP_CLI_PATH];
    struct stat info;
    sp_export_extent extent;
    if (!sp_cli_other_ending(sp_result_about(result)->path, false, "", name, sizeof name)) {
        return SP_FAIL(err, SP_E_INPUT, "export: the name of the result is too long");
    }
    const bool there = stat(w->vtk, &info) == 0;
    if (there && !S_ISDIR(info.st_mode)) {
        return SP_FAIL(err, SP_E_INPUT, "export: --vtk %s: is a file, expected a folder", w->vtk);
    }
    if (!there && mkdir(w->vtk, 0777) != 0) {
        return SP_FAIL(err, SP_E_IO, "export: cannot make the folder '%s': %s", w->vtk,
                       strerror(errno));
    }
    SP_TRY(sp_export_vtk(result, w->vtk, name, w->n_frame > 0 ? w->n_frame : VTK_FRAMES,
                         w->deformation, &extent, err));
    snprintf(list, sizeof list, "%s%s%s.pvd", w->vtk, ends_in(w->vtk, "/") ? "" : "/", name);
    print_written(w, list, &extent);
    return SP_OK;
}

/* The number behind --deformation; false if it is none. */
static bool read_factor(wishes *w)
{
    char *end;
    w->deformation = w->factor ? strtod(w->factor, &end) : 1.0;
    if (w->factor && (end == w->factor || *end != '\0' || !(w->deformation >= 0.0) ||
                      !(w->deformation <= FACTOR_MOST))) {
        sp_cli_complain("export: --deformation %s, expected a number from 0 to %g", w->factor,
                        FACTOR_MOST);
        return false;
    }
    return true;
}

/* Everything that is asked for. */
static sp_status export_all(sp_result *result, const wishes *w, sp_error *err)
{
    if (w->gltf) {
        SP_TRY(export_gltf(result, w, err));
    }
    if (w->csv) {
        SP_TRY(export_csv(result, w, err));
    }
    if (w->vtk) {
        SP_TRY(export_vtk(result, w, err));
    }
    return SP_OK;
}

/* specht export */
static int export_command(const sp_command *self, int argc, char **argv)
{
    wishes w = {0};
    const sp_option option[] = {
        {"gltf", 0, SP_OPTION_TEXT, "FILE", "animated glTF 2.0, FILE.glb or FILE.gltf", &w.gltf},
        {"csv", 0, SP_OPTION_TEXT, "FILE", "all channels as comma-separated values", &w.csv},
        {"vtk", 0, SP_OPTION_TEXT, "FOLDER", "a .pvd with .vtp files for ParaView", &w.vtk},
        {"frames", 0, SP_OPTION_TEXT, "N", "most frames (glTF 4000, VTK 1000; CSV has all)",
         &w.frames},
        {"deformation", 0, SP_OPTION_TEXT, "FACTOR",
         "elastic beams are bent by so much (1; 0: at rest)", &w.factor},
        {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing but warnings and errors", &w.quiet},
    };
    int code;
    sp_args args;
    sp_error err = {.status = SP_OK};
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1}, argc,
                      argv, &code)) {
        return code;
    }
    code = SP_EXIT_USAGE;
    if (!w.gltf && !w.csv && !w.vtk) {
        sp_cli_complain("export: say what to write: --gltf FILE, --csv FILE or --vtk FOLDER");
    } else if (read_factor(&w) && sp_cli_read_frames(self->name, w.frames, &w.n_frame)) {
        sp_result *result = sp_cli_open(args.word.item[0]);
        if (result) {
            code = sp_cli_finish(export_all(result, &w, &err), &err);
        }
        sp_result_free(result);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_export = {
    .name = "export",
    .purpose = "write a result for other programs: glTF, VTK (ParaView), CSV",
    .usage = "RESULT.h5 [options]",
    .example = "specht export slider_crank.h5 --gltf slider_crank.glb\n"
               "specht export slider_crank.h5 --vtk paraview/ --frames 200\n"
               "specht export spin_up.h5 --gltf spin_up.glb --deformation 10\n"
               "specht export slider_crank.h5 --csv slider_crank.csv",
    .notes =
        "Bodies are shown by their contours and joints, planar ones as thin plates, springs as\n"
        "rods or lines.  VTK files also hold the contact points with state, gap and force.\n"
        "Elastic beams are drawn bent, with all shapes on them and FACTOR times their deflection;\n"
        "other bodies stay where they are, even those that hang on a beam.",
    .run = export_command,
};
