#!/usr/bin/python3
"""Make the small contact problems beside this file, each in several forms.

    tests/data/problems/make_problems.py [folder]

slide   a mass of 2 kg slips over a floor in space, mu 0.2:   r = 2, -0.24, -0.32;  u = 0, 2.88, 3.84
stack   a mass of 1 kg on one of 2 kg in the plane, pushed by 0.3 N s, mu 0.5, all sticks:
        r = 3, -0.3, 1, -0.3;  u = 0
drive   a mass of 2 kg whose speed along the floor is held at 1 m/s, mu 0.25:  r = 2, -0.5;
        bilateral reaction 2.5
"""
import os
import sys

import h5py
import numpy as np

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


def slide():
    return 3, 0.5 * np.eye(3), [-1.0, 3.0, 4.0], [0.2]


def stack_global():
    M = np.diag([2.0, 2.0, 1.0, 1.0])
    H = np.array([[0, 1, 0, -1], [1, 0, -1, 0], [0, 0, 0, 1], [0, 0, 1, 0]], float)
    return 2, M, H, np.array([0, -2, 0.3, -1]), np.zeros(4), [0.5, 0.5]


def stack():
    dim, M, H, f, w, mu = stack_global()
    inverse = np.linalg.inv(M)
    return dim, H.T @ inverse @ H, H.T @ inverse @ f + w, mu


def numbers(values):
    return " ".join("%.17g" % v for v in values)


def dense(W):
    return ["0", "%d" % len(W), "%d" % len(W), "%d\t%d" % W.shape] + [numbers(column) for column in W.T]


def blocks(W, d):
    n = len(W) // d
    pairs = [(i, j) for i in range(n) for j in range(n) if W[d * i:d * i + d, d * j:d * j + d].any()]
    start = [sum(1 for i, _ in pairs if i < k) for k in range(n + 1)]
    size = "\t".join("%d" % (d * (k + 1)) for k in range(n))
    lines = ["1", "%d" % (d * n), "%d" % (d * n), "%d" % len(pairs), "%d" % n, "%d" % n, size, size,
             "%d" % (n + 1), "%d" % len(pairs), "\t".join(map(str, start)), "\t".join(str(j) for _, j in pairs)]
    for k, (i, j) in enumerate(pairs):
        lines += ["%d" % k] + ["%32.17g" % x for x in W[d * i:d * i + d, d * j:d * j + d].T.flat]
    return lines


def sparse(W, triplet=False):
    n, count = len(W), np.count_nonzero(W)
    head = "%d-by-%d, nzmax: %d nnz: %d" % (n, n, count, count)
    lines = ["2", "%d" % n, "%d" % n, "1" if triplet else "2", "A sparse matrix",
             "triplet: " + head if triplet else head + ", 1-norm: %g" % abs(W).sum(0).max()]
    at = 0
    for j in range(n):
        rows = np.nonzero(W[:, j])[0]
        if not triplet:
            lines.append("    col %d : locations %d to %d" % (j, at, at + len(rows) - 1))
        at += len(rows)
        lines += ["      %s%d : %.17g" % ("%d " % i if triplet else "", j if triplet else i, W[i, j]) for i in rows]
    return lines


def write_text(name, dim, matrix, q, mu, flag=""):
    with open(os.path.join(FOLDER, name), "w", encoding="ascii") as f:
        f.write("\n".join(["%d" % dim, "%d" % len(mu)] + matrix + [numbers(q), numbers(mu)]) + "\n" + flag)


def put_matrix(parent, name, A, form="csr", integer="i4", real="f8"):
    g = parent.create_group(name)
    rows, columns = np.nonzero(A)
    values = A[rows, columns]
    if form == "csc":
        order = np.lexsort((rows, columns))
        rows, columns, values = rows[order], columns[order], values[order]
        p, i, nz = np.searchsorted(columns, np.arange(A.shape[1] + 1)), rows, -1
    elif form == "csr":
        p, i, nz = np.searchsorted(rows, np.arange(A.shape[0] + 1)), columns, -2
    else:
        p, i, nz = columns, rows, len(values)
    for key, value in (("m", A.shape[0]), ("n", A.shape[1]), ("nz", nz), ("nzmax", len(values))):
        g.create_dataset(key, data=np.array([value], integer))
    g.create_dataset("p", data=p.astype(integer))
    g.create_dataset("i", data=i.astype(integer))
    g.create_dataset("x", data=values.astype(real))


def put_vectors(parent, real="f8", **vectors):
    g = parent.create_group("vectors")
    for name, value in vectors.items():
        g.create_dataset(name, data=np.array(value, real))


def write_local(name, dim, W, q, mu, V=None, R=None, s=None, libver="earliest", integer="i4", real="f8", form="csr"):
    with h5py.File(os.path.join(FOLDER, name), "w", libver=libver) as f:
        g = f.create_group("fclib_local")
        g.create_dataset("spacedim", data=np.array([dim], integer))
        put_matrix(g, "W", W, form, integer, real)
        vectors = {"q": q, "mu": mu}
        if V is not None:
            put_matrix(g, "V", V, form)
            put_matrix(g, "R", R, form)
            vectors["s"] = s
        put_vectors(g, real, **vectors)


def write_global(name, dim, M, H, f_, w, mu, G=None, b=None, libver="earliest", form="triplet"):
    with h5py.File(os.path.join(FOLDER, name), "w", libver=libver) as f:
        g = f.create_group("fclib_global")
        g.create_dataset("spacedim", data=np.array([dim], "i4"))
        put_matrix(g, "M", M, form)
        put_matrix(g, "H", H, form)
        vectors = {"f": f_, "w": w, "mu": mu}
        if G is not None:
            put_matrix(g, "G", G, form)
            vectors["b"] = b
        put_vectors(g, **vectors)


def main():
    dim, W, q, mu = slide()
    write_text("slide_dense.dat", dim, dense(W), q, mu, "1\n")
    write_text("slide_blocks.dat", dim, blocks(W, dim), q, mu)
    write_text("slide_sparse.dat", dim, sparse(W), q, mu)
    write_text("slide_triplet.dat", dim, sparse(W, True), q, mu)
    write_local("slide_csr.hdf5", dim, W, q, mu)
    write_local("slide_new.hdf5", dim, W, q, mu, libver="latest", form="csc")
    write_local("slide_big_endian.hdf5", dim, W, q, mu, integer=">i8", real=">f4", form="triplet")
    dim, W, q, mu = stack()
    write_text("stack_dense.dat", dim, dense(W), q, mu)
    write_text("stack_blocks.dat", dim, blocks(W, dim), q, mu, "0\n")
    write_text("stack_sparse.dat", dim, sparse(W), q, mu)
    write_global("stack_global.hdf5", *stack_global())
    write_global("stack_global_new.hdf5", *stack_global(), libver="latest", form="csc")
    write_local("drive_local.hdf5", 2, 0.5 * np.eye(2), [-1.0, 0.0], [0.25], np.array([[0.0], [0.5]]),
                np.array([[0.5]]), [-1.0], form="csc")
    write_global("drive_global.hdf5", 2, 2.0 * np.eye(2), np.array([[0.0, 1.0], [1.0, 0.0]]), [0.0, -2.0],
                 [0.0, 0.0], [0.25], np.array([[1.0], [0.0]]), [-1.0], libver="latest", form="csr")


if __name__ == "__main__":
    main()
