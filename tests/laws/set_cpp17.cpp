// laws/set.h must read as C++17 too: it goes to GPU threads.
#define SP_SET_HEADER_ONLY
#include "laws/set.h"

int main()
{
    const sp_set planar = sp_set_planar(0.5);
    double x[2] = {2.0, -3.0};
    sp_set_project(&planar, x);
    return x[0] == 2.0 && x[1] == -1.0 && sp_set_dim(&planar) == 2 ? 0 : 1;
}
