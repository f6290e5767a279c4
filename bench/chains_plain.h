/* chains_plain.h - a chain of links with elastic plates on two round pulleys as hand-written loops:
 * the speed a program made for this machine alone can reach. */
#ifndef SP_CHAINS_PLAIN_H
#define SP_CHAINS_PLAIN_H

enum { PLAIN_LINKS_MOST = 1000 };

/* The machine of 63 links; longer chains have larger pulleys, further apart, which turn slower. */
#define CHAIN_PITCH    9.85e-3 /* m                                                    */
#define CHAIN_APART    0.155   /* m between the pulleys, per 63 links                  */
#define CHAIN_LOAD     120.0   /* N m on the driven pulley after CHAIN_RAMP, likewise  */
#define CHAIN_PLAY     2e-5    /* m by which the pulleys are smaller than pins stand   */
#define CHAIN_RPM      1500.0  /* of the driving pulley, over links/63                 */
#define CHAIN_RAMP     0.02    /* s                                                    */
#define CHAIN_TENSION  5700.0  /* N on the carriage                                    */
#define CHAIN_MU       0.47
#define CHAIN_M_LINK   0.015 /* kg, and kg m^2 about the middle of a link            */
#define CHAIN_J_LINK   4e-7
#define CHAIN_M_PULLEY 8.0 /* kg: driven pulley and its carriage                   */
#define CHAIN_J_PULLEY 8e-3
#define CHAIN_SLIDE    2e4   /* N s/m, damping of the carriage                       */
#define CHAIN_PLATE    8e7   /* N/m between pins of neighbours, in both directions   */
#define CHAIN_PLATE_D  800.0 /* N s/m                                                */
#define CHAIN_HINGE_D  2e-4  /* N m s/rad                                            */

typedef struct plain_chain plain_chain;

/* n links at speed, the load not there yet; NULL: no memory. */
plain_chain *plain_chain_new(int n, double dt);
void plain_chain_free(plain_chain *c);

/* One step: at velocities of its begin, or linearly implicit.   The schemes are described at the
 * top of the source file. */
void plain_chain_explicit(plain_chain *c);
void plain_chain_implicit(plain_chain *c);

/* Place of the carriage [m], speed of the driven pulley [rad/s], contacts that push in the last
 * step, and the largest part of a contact law that is broken in it [m/s]. */
typedef struct plain_chain_end {
    double place, speed, defect;
    int contacts;
} plain_chain_end;
plain_chain_end plain_chain_look(const plain_chain *c);

/* Place and angle of the middle of link i, their rates; radius of the pulleys and their distance
 * [m], speed of the driving one [rad/s], the load at its full height [N m]. */
void plain_chain_link(const plain_chain *c, int i, double q[3], double u[3]);
typedef struct plain_chain_sizes {
    double radius, apart, turn, load;
} plain_chain_sizes;
plain_chain_sizes plain_chain_size(const plain_chain *c);

#endif
