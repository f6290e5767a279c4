#include "support/svd.h"

#include <math.h>

/* Make columns a and b of A (m x n) orthogonal, the same rotation on V; returns |cosine| before. */
static double rotate(int m, int n, double *A, double *V, int a, int b)
{
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (int i = 0; i < m; i++) {
        aa += A[i * n + a] * A[i * n + a];
        bb += A[i * n + b] * A[i * n + b];
        ab += A[i * n + a] * A[i * n + b];
    }
    if (ab == 0.0 || !(aa > 0.0) || !(bb > 0.0)) {
        return 0.0;
    }
    const double zeta = (bb - aa) / (2.0 * ab);
    const double t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta));
    const double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    for (int i = 0; i < m + n; i++) {
        double *row = i < m ? A + i * n : V + (i - m) * n;
        const double xa = row[a], xb = row[b];
        row[a] = c * xa - s * xb;
        row[b] = s * xa + c * xb;
    }
    return fabs(ab) / sqrt(aa * bb);
}

int svd_solve(int m, int n, double *A, const double *b, double *x, double tol, double *work)
{
    double *V = work, *sigma = work + n * n, big = 0.0;
    for (int i = 0; i < n * n; i++) {
        V[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    double cosine = 1.0;
    for (int sweep = 0; sweep < 60 && cosine > 1e-15; sweep++) {
        cosine = 0.0;
        for (int i = 0; i < n - 1; i++) {
            for (int j = i + 1; j < n; j++) {
                const double now = rotate(m, n, A, V, i, j);
                cosine = now > cosine ? now : cosine;
            }
        }
    }
    for (int j = 0; j < n; j++) { /* A = U diag(sigma) V', columns of A are now sigma_j u_j */
        double sum = 0.0;
        for (int i = 0; i < m; i++) {
            sum += A[i * n + j] * A[i * n + j];
        }
        sigma[j] = sqrt(sum);
        big = sigma[j] > big ? sigma[j] : big;
        x[j] = 0.0;
    }
    int rank = 0;
    for (int j = 0; j < n; j++) {
        if (!(sigma[j] > tol * big)) {
            continue;
        }
        double dot = 0.0;
        for (int i = 0; i < m; i++) {
            dot += A[i * n + j] * b[i];
        }
        dot /= sigma[j] * sigma[j];
        for (int k = 0; k < n; k++) {
            x[k] += dot * V[k * n + j];
        }
        rank++;
    }
    return rank;
}
