/* io/export.h - results for other programs: animated glTF 2.0, and VTK files for ParaView.
 *
 * Both show the bodies by the shapes of the result's scene, planar ones as thin plates, springs as
 * rods.  Frames of long runs are chosen as for the report (io/report_frames.h); a frame in which a
 * body is nowhere (NaN) is left out.  Elastic beams are bent, their coordinates times a factor, 0:
 * as they are at rest. */
#ifndef SP_IO_EXPORT_H
#define SP_IO_EXPORT_H

#include "specht/result.h"

#include <stdio.h>

/* What was written. */
typedef struct sp_export_extent {
    size_t frames_in, frames, bodies, triangles, files;
} sp_export_extent;

/* glTF as one binary file (.glb), or as JSON with the numbers inside it (.gltf).  Nodes carry the
 * names of the bodies; lengths are metres, z is up in space and turned to y as glTF wants it.
 * Beams are skins, whose joints are the sections of the beam. */
sp_status sp_export_gltf(sp_result *result, FILE *file, bool binary, size_t frames,
                         double deformation, sp_export_extent *extent, sp_error *err);

/* NAME.pvd and NAME_00000.vtp ... in a folder that is there: surfaces with the number of the body;
 * and, where the result has contacts, NAME_contacts.pvd likewise: points with state, gap, force. */
sp_status sp_export_vtk(sp_result *result, const char *folder, const char *name, size_t frames,
                        double deformation, sp_export_extent *extent, sp_error *err);

#endif
