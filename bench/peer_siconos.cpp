/* peer_siconos.cpp - the slider-crank with clearance, stepped by Siconos.
 *
 *     peer_siconos [steps [repetitions [lemke|nsgs|enum [step size]]]]
 *
 * Three Lagrangian coordinates, four corner relations, Newton impact with Coulomb friction,
 * MoreauJeanOSI with theta = 1/2, one solve per step, no output.  README.md lists other settings.
 */
#include "bench.h"
#include "slider_crank_plain.h"

#include <SiconosKernel.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace
{

constexpr double m11 = SC_J1 + (SC_M1 / 4 + SC_M2 + SC_M3) * SC_L1 * SC_L1;
constexpr double m22 = SC_J2 + (SC_M2 / 4 + SC_M3) * SC_L2 * SC_L2;
constexpr double m12 = (SC_M2 / 2 + SC_M3) * SC_L1 * SC_L2;
constexpr double k1 = (SC_M1 / 2 + SC_M2 + SC_M3) * SC_G * SC_L1;
constexpr double k2 = (SC_M2 / 2 + SC_M3) * SC_G * SC_L2;

/* M(q), column-major. */
void mass(unsigned int, double *q, double *M, unsigned int, double *)
{
    std::memset(M, 0, 9 * sizeof *M);
    M[0] = m11;
    M[1] = M[3] = m12 * std::cos(q[0] - q[1]);
    M[4] = m22;
    M[8] = SC_J3;
}

/* -h(q, u): Siconos moves these forces to the side of the inertia. */
void forces(unsigned int, double *q, double *u, double *F, unsigned int, double *)
{
    const double m = m12 * std::sin(q[0] - q[1]);
    F[0] = m * u[1] * u[1] + k1 * std::cos(q[0]);
    F[1] = -m * u[0] * u[0] + k2 * std::cos(q[1]);
    F[2] = 0.0;
}

/* A corner of the slider at its guide; sigma = +1 upper guide, kappa as in slider_crank_plain.c. */
class Corner : public LagrangianScleronomousR
{
    double sigma, kappa;

  public:
    Corner(double sigma_, double kappa_) : sigma(sigma_), kappa(kappa_)
    {
        _jachq = std::make_shared<SimpleMatrix>(2, 3);
    }

    /* y = (g_N, g_T) */
    void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override
    {
        const double th1 = q.getValue(0), th2 = q.getValue(1), th3 = q.getValue(2);
        const double s3 = std::sin(th3), c3 = std::cos(th3);
        const double height = SC_L1 * std::sin(th1) + SC_L2 * std::sin(th2);
        const double reach = SC_L1 * std::cos(th1) + SC_L2 * std::cos(th2);
        y.setValue(0, SC_B + SC_C - SC_B * c3 - sigma * height + kappa * SC_A * s3);
        y.setValue(1, reach - sigma * (kappa * SC_A * c3 + SC_B * s3));
    }

    /* rows w_N, w_T */
    void computeJachq(const BlockVector &q, BlockVector &) override
    {
        const double th1 = q.getValue(0), th2 = q.getValue(1), th3 = q.getValue(2);
        const double s3 = std::sin(th3), c3 = std::cos(th3);
        _jachq->setValue(0, 0, -sigma * SC_L1 * std::cos(th1));
        _jachq->setValue(0, 1, -sigma * SC_L2 * std::cos(th2));
        _jachq->setValue(0, 2, kappa * SC_A * c3 + SC_B * s3);
        _jachq->setValue(1, 0, -SC_L1 * std::sin(th1));
        _jachq->setValue(1, 1, -SC_L2 * std::sin(th2));
        _jachq->setValue(1, 2, sigma * (kappa * SC_A * s3 - SC_B * c3));
    }
};

struct Machine {
    SP::LagrangianDS ds;
    std::shared_ptr<TimeStepping> simulation;
};

/* The machine at its start, ready to step. */
Machine build(long steps, double dt, int solver)
{
    auto q = std::make_shared<SiconosVector>(3), u = std::make_shared<SiconosVector>(3);
    q->zero();
    u->setValue(0, SC_U1);
    u->setValue(1, SC_U2);
    u->setValue(2, SC_U3);
    auto ds = std::make_shared<LagrangianDS>(q, u);
    ds->setComputeMassFunction(mass);
    ds->setComputeFGyrFunction(forces);

    const double t_end = static_cast<double>(steps + 1) * dt;
    auto nsds = std::make_shared<NonSmoothDynamicalSystem>(0.0, t_end);
    nsds->insertDynamicalSystem(ds);
    auto law = std::make_shared<NewtonImpactFrictionNSL>(SC_EPS_N, 0.0, SC_MU, 2);
    const double sigma[4] = {1.0, 1.0, -1.0, -1.0}, kappa[4] = {1.0, -1.0, -1.0, 1.0};
    for (int i = 0; i < 4; i++) {
        auto corner = std::make_shared<Corner>(sigma[i], kappa[i]);
        nsds->link(std::make_shared<Interaction>(law, corner), ds);
    }

    auto clock = std::make_shared<TimeDiscretisation>(0.0, dt);
    auto simulation =
        std::make_shared<TimeStepping>(nsds, clock, std::make_shared<MoreauJeanOSI>(0.5),
                                       std::make_shared<FrictionContact>(2, solver));
    simulation->setNewtonOptions(SICONOS_TS_LINEAR);
    simulation->initialize();
    return {ds, simulation};
}

/* The solver of that name, 0 if there is none. */
int solver_named(const char *name)
{
    return !std::strcmp(name, "lemke")  ? SICONOS_FRICTION_2D_LEMKE
           : !std::strcmp(name, "nsgs") ? SICONOS_FRICTION_2D_NSGS
           : !std::strcmp(name, "enum") ? SICONOS_FRICTION_2D_ENUM
                                        : 0;
}

} // namespace

int main(int argc, char **argv)
{
    const long steps = bench_argument(argc, argv, 1, 200000);
    const long repetitions = bench_argument(argc, argv, 2, 3);
    const int solver = solver_named(argc > 3 ? argv[3] : "lemke");
    const double dt = argc > 4 ? std::strtod(argv[4], nullptr) : SC_DT;
    if (steps < 0 || repetitions < 0 || !solver || !(dt > 0.0)) {
        std::fprintf(stderr, "usage: peer_siconos [steps [repetitions [lemke|nsgs|enum [dt]]]]\n");
        return 2;
    }
    bench_result r = {"siconos", steps, 0.0, 0.0};
    std::vector<double> seconds;
    double angle[3] = {0.0, 0.0, 0.0};
    for (long k = 0; k < repetitions; k++) {
        Machine machine = build(steps, dt, solver);
        const double start = bench_now();
        for (long i = 0; i < steps; i++) {
            machine.simulation->computeOneStep();
            machine.simulation->nextStep();
        }
        seconds.push_back(bench_now() - start);
        const SiconosVector &q = *machine.ds->q();
        r.checksum = q.getValue(0) + q.getValue(1) + q.getValue(2);
        for (unsigned int i = 0; i < 3; i++) {
            angle[i] = q.getValue(i);
        }
    }
    r.seconds = bench_median(seconds.data(), static_cast<int>(repetitions));
    if (argc > 4) { /* the state at the end, for error against time */
        std::printf("{\"peer\":\"siconos\",\"steps\":%ld,\"seconds\":%.9g,\"angles\":[%.17g,%.17g,"
                    "%.17g]}\n",
                    steps, r.seconds, angle[0], angle[1], angle[2]);
        return 0;
    }
    bench_report(&r);
    return 0;
}
