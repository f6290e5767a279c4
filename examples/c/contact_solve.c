/* One contact problem with friction, made from numbers, solved and certified: two points of 2 kg
 * that hit a floor with 3 m/s, the first along it with 1 m/s, which sticks, the second with 5 m/s,
 * which slides on.
 *
 *     cc contact_solve.c $(pkg-config --cflags --libs specht) -o contact_solve && ./contact_solve
 */
#include <specht/specht.h>

#include <stdio.h>

int main(void)
{
    enum { DIM = 3, CONTACTS = 2, N = DIM * CONTACTS }; /* a normal row and two tangential ones */
    const double mu[CONTACTS] = {0.5, 0.5};
    const double c[N] = {-3.0, 1.0, 0.0, -3.0, 4.0, 3.0}; /* velocities without percussions, m/s */
    double G[N * N] = {0.0}, P[N];                        /* G = W' M^-1 W, 1/kg; P, N s         */
    for (int i = 0; i < N; i++) {
        G[N * i + i] = 1.0 / 2.0;
    }

    sp_error err;
    sp_contact_problem *problem;
    sp_problem_answer answer;
    const sp_problem_options options = sp_problem_options_default();
    if (sp_problem_make(DIM, CONTACTS, mu, G, c, &problem, &err) != SP_OK ||
        sp_problem_solve(problem, &options, P, &answer, &err) != SP_OK) {
        fprintf(stderr, "contact_solve: %s\n", err.text);
        return 1;
    }
    for (int i = 0; i < CONTACTS; i++) {
        const double *p = P + DIM * i, *v = c + DIM * i;
        printf("contact %d: P = (%.3f, %.3f, %.3f) N s, leaves with (%.3f, %.3f, %.3f) m/s\n",
               i + 1, p[0], p[1], p[2], v[0] + p[0] / 2.0, v[1] + p[1] / 2.0, v[2] + p[2] / 2.0);
    }
    printf("residual %.1e by the certificate, friction takes %.3f J (%s)\n",
           answer.certificate.scaled, -answer.certificate.work, answer.path);
    sp_problem_certificate frictionless;
    for (int i = 0; i < N; i++) { /* percussions of one's own can be judged, too */
        P[i] = i % DIM == 0 ? P[i] : 0.0;
    }
    if (sp_problem_certify(problem, P, &frictionless, &err) == SP_OK) {
        printf("without friction the residual would be %.2f\n", frictionless.scaled);
    }
    sp_problem_free(problem);
    return answer.verdict == SP_PROBLEM_SOLVED ? 0 : 1;
}
