#include "model/face.h"

#include <math.h>

static void beam_at_rest(const sp_face *f, double u, double v, sp_vec3 d[6])
{
    const sp_vec3 y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0}, off = f->across == 1 ? y : z;
    d[2] = f->across == 1 ? z : y;
    d[1] = (sp_vec3){1.0, 0.0, 0.0};
    d[0] = sp_axpy3(sp_axpy3(sp_scale3(u, d[1]), f->height, off), v, d[2]);
    d[3] = d[4] = d[5] = (sp_vec3){0.0, 0.0, 0.0};
}

static void plate_at_rest(const sp_face *f, double u, double v, sp_vec3 d[6])
{
    const sp_vec3 out = {cos(u), sin(u), 0.0}, around = {-out.y, out.x, 0.0};
    d[0] = sp_scale3(v, out);
    d[0].z = f->height + f->slope * (v - f->lo[1]);
    d[1] = sp_scale3(v, around);
    d[2] = (sp_vec3){out.x, out.y, f->slope};
    d[3] = sp_scale3(-v, out);
    d[4] = around;
    d[5] = (sp_vec3){0.0, 0.0, 0.0};
}

void sp_face_at_rest(const sp_face *f, double u, double v, sp_vec3 d[6])
{
    (f->round ? plate_at_rest : beam_at_rest)(f, u, v, d);
}

void sp_face_foot(const sp_face *f, sp_vec3 x, double *u, double *v)
{
    const double along = f->round ? atan2(x.y, x.x) : x.x;
    const double across = f->round ? hypot(x.x, x.y) : f->across == 1 ? x.z : x.y;
    *u = f->round ? along : fmin(fmax(along, f->lo[0]), f->hi[0]);
    *v = fmin(fmax(across, f->lo[1]), f->hi[1]);
}
