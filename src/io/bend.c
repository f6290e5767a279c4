#include "io/bend.h"

#include "io/pose.h"
#include "io/result_h5.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Are there stations, in order, and are all coordinates recorded? */
static bool is_known(sp_result *result, const sp_scene_flex *flex)
{
    const size_t width = sp_result_width(result, SP_DATA_Q);
    bool known = flex->n_station >= 2 && flex->n_mode > 0;
    for (int i = 1; known && i < flex->n_station; i++) {
        known = flex->x[i] > flex->x[i - 1];
    }
    for (int k = 0; known && k < flex->n_mode; k++) {
        known = (size_t)flex->mode[k].q < width;
    }
    return known;
}

sp_status sp_bend_gather(sp_result *result, const sp_frames *frames, const sp_scene_flex *flex,
                         double **e, sp_error *err)
{
    *e = NULL;
    if (!is_known(result, flex)) {
        return SP_OK;
    }
    const size_t n = (size_t)flex->n_mode;
    size_t *column = malloc(n * sizeof *column);
    double *value = malloc((frames->n * n + 1) * sizeof *value);
    sp_status status =
        column && value ? SP_OK : SP_FAIL(err, SP_E_MEMORY, "out of memory for elastic beams");
    for (size_t k = 0; status == SP_OK && k < n; k++) {
        column[k] = (size_t)flex->mode[k].q;
    }
    if (status == SP_OK) {
        status = sp_frames_gather(result, frames, SP_DATA_Q, n, column, value, err);
    }
    free(column);
    if (status != SP_OK) {
        free(value);
        return status;
    }
    *e = value;
    return SP_OK;
}

void sp_bend_turn(const double angle[3], double turn[4])
{
    const double size = sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]);
    const double ratio = size > 0.0 ? sin(0.5 * size) / size : 0.5;
    turn[0] = cos(0.5 * size);
    for (int k = 0; k < 3; k++) {
        turn[k + 1] = ratio * angle[k];
    }
}

int sp_bend_station(const sp_scene_flex *flex, double x, double *part)
{
    int i = 0;
    while (i + 2 < flex->n_station && flex->x[i + 1] <= x) {
        i++;
    }
    const double s = (x - flex->x[i]) / (flex->x[i + 1] - flex->x[i]);
    *part = s > 0.0 ? fmin(s, 1.0) : 0.0;
    return i;
}

/* f = R e_x - e_x - theta x e_x: how the axis goes on beyond the linear part. */
static void find_slope(const sp_section *section, double f[3])
{
    double turn[4], r[3];
    sp_bend_turn(section->angle, turn);
    sp_pose_turn(turn, (const double[3]){1.0, 0.0, 0.0}, r);
    f[0] = r[0] - 1.0;
    f[1] = r[1] - section->angle[2];
    f[2] = r[2] + section->angle[1];
}

/* Add the integral of f from the place where the frame is, by the trapezoidal rule: first from the
 * beginning, then without its value at that place. */
static void follow(const sp_scene_flex *flex, sp_section *section)
{
    double part, sum[3] = {0.0, 0.0, 0.0}, before[3], f[3], origin[3];
    const int i = sp_bend_station(flex, flex->from, &part);
    find_slope(&section[0], before);
    memset(origin, 0, sizeof origin);
    for (int s = 1; s < flex->n_station; s++) {
        const double half = 0.5 * (flex->x[s] - flex->x[s - 1]);
        find_slope(&section[s], f);
        for (int k = 0; k < 3; k++) {
            const double more = half * (before[k] + f[k]);
            origin[k] = s == i + 1 ? sum[k] + part * more : origin[k];
            sum[k] += more;
            section[s].at[k] += sum[k];
            before[k] = f[k];
        }
    }
    for (int s = 0; s < flex->n_station; s++) {
        for (int k = 0; k < 3; k++) {
            section[s].at[k] -= origin[k];
        }
    }
}

void sp_bend_sections(const sp_scene_flex *flex, const double *e, double factor,
                      sp_section *section)
{
    for (int s = 0; s < flex->n_station; s++) {
        section[s] = (sp_section){.at = {flex->x[s], 0.0, 0.0}};
    }
    for (int k = 0; k < flex->n_mode; k++) {
        const sp_scene_mode *mode = &flex->mode[k];
        const double size = factor * e[k];
        for (int s = 0; s < flex->n_station && isfinite(size); s++) {
            if (mode->along >= 0) {
                section[s].at[mode->along] += size * mode->way[s];
            }
            if (mode->about >= 0) {
                section[s].angle[mode->about] += size * mode->turn[s];
            }
        }
    }
    follow(flex, section);
}

void sp_bend_point(const sp_scene_flex *flex, const sp_section *section, const double rest[3],
                   double bent[3])
{
    double part, at[3], angle[3], turn[4];
    const int i = sp_bend_station(flex, rest[0], &part);
    const double on = flex->x[i] + part * (flex->x[i + 1] - flex->x[i]);
    for (int k = 0; k < 3; k++) {
        at[k] = (1.0 - part) * section[i].at[k] + part * section[i + 1].at[k];
        angle[k] = (1.0 - part) * section[i].angle[k] + part * section[i + 1].angle[k];
    }
    sp_bend_turn(angle, turn);
    sp_pose_turn(turn, (const double[3]){rest[0] - on, rest[1], rest[2]}, bent);
    for (int k = 0; k < 3; k++) {
        bent[k] += at[k];
    }
}
