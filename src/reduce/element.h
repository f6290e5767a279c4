/* reduce/element.h - what stresses of small loads do to a part's stiffness; its surface. */
#ifndef SP_REDUCE_ELEMENT_H
#define SP_REDUCE_ELEMENT_H

#include "reduce/fe.h"

/* Whether all elements are of kinds and materials that sp_fe_geometric knows; why: what is not. */
bool sp_fe_has_stress(const sp_fe *fe, char *why, size_t size);

/* Geometric stiffness of n functions under n_load displacements, all nodal fields (n_node x 3):
 * Kg (n_load x n x n) = integral of sigma_ij d_i phi_k . d_j phi_l.   theory (93.9) */
bool sp_fe_geometric(const sp_fe *fe, int n_load, const double *load, int n, const double *phi,
                     double *Kg);

/* Triangles of faces that one element alone has, by nodes; how many. */
int sp_fe_surface(const sp_fe *fe, int **triangle);

#endif
