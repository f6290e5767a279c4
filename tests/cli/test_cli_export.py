"""specht export: glTF by its structure, VTK by its XML, both against the result file."""
import base64
import json
import os
import struct
import unittest
import xml.etree.ElementTree as ET

from cli_support import BALL, SOURCE, Case, main

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

SLIDER_CRANK = os.path.join(SOURCE, "examples", "slider_crank", "slider_crank.yaml")
PENDULUM = os.path.join(SOURCE, "tests", "data", "good", "spring_pendulum.yaml")
SPIN_UP = os.path.join(SOURCE, "examples", "spin_up", "spin_up.yaml")
SLACK = 3e-6  # m: floats, and the trapezoidal rule along the axis
SIZES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}

# A soft rod in space, bent and twisted by its weight and by a spring at a corner of its end.
ROD = """specht: 1
space: spatial
gravity: [0, 3 m/s^2, -9.81 m/s^2]
bodies:
  rod:
    beam: {length: 0.5 m, section: {rectangle: [40 mm, 20 mm]}, young: 20 MPa, density: 1000 kg/m^3}
    elastic: {bending: 2, torsion: 1, stretch: 1, ends: clamped-free}
    joint: {revolute: ground, axis: [0, 1, 0]}
    points: {end: [0.5 m, 0, 0], corner: [0.5 m, 20 mm, 10 mm]}
    display: [{box: [0.5 m, 40 mm, 20 mm], at: [0.25 m, 0, 0], color: '#ff0000'}]
  ball: {mass: 0.01 kg, inertia: 1e-5 kg*m^2, joint: {free: ground}}
forces:
  cord: {spring: [rod.corner, ball], stiffness: 10 N/m, rest: 0.1 m}
start: {ball.x: 0.5 m, ball.y: 0.4 m, ball.z: -0.5 m}
outputs: {x: rod.corner.x, y: rod.corner.y, z: rod.corner.z}
run: {until: 0.3 s, output_step: 10 ms}
"""


def read_glb(data):
    """The JSON and the buffer of a binary glTF file."""
    magic, version, length = struct.unpack_from("<III", data)
    assert (magic, version, length) == (0x46546C67, 2, len(data))
    size, kind = struct.unpack_from("<II", data, 12)
    assert kind == 0x4E4F534A and size % 4 == 0
    text = data[20:20 + size]
    more, kind = struct.unpack_from("<II", data, 20 + size)
    assert kind == 0x004E4942 and more % 4 == 0 and 28 + size + more == len(data)
    return json.loads(text), data[28 + size:]


def read_gltf(data):
    tree = json.loads(data)
    mark = "data:application/octet-stream;base64,"
    uri = tree["buffers"][0].pop("uri")
    assert uri.startswith(mark)
    return tree, base64.b64decode(uri[len(mark):], validate=True)


def accessor(tree, buffer, k):
    """The numbers of accessor k, all bounds checked."""
    a = tree["accessors"][k]
    view = tree["bufferViews"][a["bufferView"]]
    assert view["buffer"] == 0 and view["byteOffset"] % 4 == 0
    kind, size = {5126: ("<f4", 4), 5125: ("<u4", 4), 5123: ("<u2", 2)}[a["componentType"]]
    n = SIZES[a["type"]]
    assert a["count"] > 0 and view["byteLength"] == size * n * a["count"]
    assert view["byteOffset"] + view["byteLength"] <= tree["buffers"][0]["byteLength"] <= len(buffer)
    values = np.frombuffer(buffer, kind, n * a["count"], view["byteOffset"]).reshape(-1, n)
    assert np.isfinite(values).all()
    if "min" in a:
        np.testing.assert_array_equal(np.float32(a["min"]), values.min(0))
        np.testing.assert_array_equal(np.float32(a["max"]), values.max(0))
    return values


def turned(q, v):
    """Vectors v turned by a quaternion x y z w."""
    r, w = np.asarray(q[:3], float), float(q[3])
    c = np.cross(r, v)
    return v + 2 * (w * c + np.cross(r, c))


@unittest.skipUnless(h5py, "h5py is not installed")
class Export(Case):
    def make(self, model, *args):
        self.specht("run", model, "-q", "-o", "run.h5", *args)

    def gltf(self, name="a.glb", *args):
        self.specht("export", "run.h5", "--gltf", name, "-q", *args)
        return (read_glb if name.endswith(".glb") else read_gltf)(self.read(name))

    def columns(self, *names):
        """Channels of the run by what specht csv writes."""
        head, *rows = [line.split(",") for line in self.specht("csv", "run.h5")[0].splitlines()]
        value = np.array(rows, float)
        return [value[:, [h.split("[")[0] for h in head].index(name)] for name in names]


class Gltf(Export):
    def check(self, tree, buffer):
        """All that holds for every file: references, bounds, meshes, animation."""
        self.assertEqual(tree["asset"]["version"], "2.0")
        for k in range(len(tree["accessors"])):
            accessor(tree, buffer, k)
        for mesh in tree["meshes"]:
            for part in mesh["primitives"]:
                point = accessor(tree, buffer, part["attributes"]["POSITION"])
                normal = accessor(tree, buffer, part["attributes"]["NORMAL"])
                index = accessor(tree, buffer, part["indices"])[:, 0]
                self.assertIn("min", tree["accessors"][part["attributes"]["POSITION"]])
                self.assertEqual(len(point), len(normal))
                self.assertEqual(len(index) % 3, 0)
                self.assertLess(index.max(), len(point))
                self.assertLess(part["material"], len(tree["materials"]))
                np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-5)
        found = list(tree["scenes"][0]["nodes"])
        for k in found:  # every node hangs on one other or stands in the scene
            found += tree["nodes"][k].get("children", [])
        self.assertEqual(sorted(found), list(range(len(tree["nodes"]))))
        for k, node in enumerate(tree["nodes"]):
            self.assertLess(node.get("mesh", 0), len(tree["meshes"]))
            if "skin" in node:  # what moves it are its joints alone
                self.assertIn(k, tree["scenes"][0]["nodes"])
                self.assertNotIn("translation", node)
                skin = tree["skins"][node["skin"]]
                self.assertEqual(tree["nodes"][skin["skeleton"]]["children"], skin["joints"])
                self.assertEqual(len(accessor(tree, buffer, skin["inverseBindMatrices"])), len(skin["joints"]))
                part = tree["meshes"][node["mesh"]]["primitives"][0]["attributes"]
                joint, weight = (accessor(tree, buffer, part[name]) for name in ("JOINTS_0", "WEIGHTS_0"))
                self.assertEqual(len(joint), tree["accessors"][part["POSITION"]]["count"])
                self.assertLess(joint.max(), len(skin["joints"]))
                self.assertTrue((weight >= 0).all())
                np.testing.assert_allclose(weight.sum(1), 1, atol=1e-6)
        (animation,) = tree["animations"]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            time = accessor(tree, buffer, sampler["input"])[:, 0]
            value = accessor(tree, buffer, sampler["output"])
            self.assertTrue((np.diff(time) > 0).all())
            self.assertGreaterEqual(time[0], 0)
            self.assertEqual(len(time), len(value))
            self.assertLess(channel["target"]["node"], len(tree["nodes"]))
            if channel["target"]["path"] == "rotation":
                np.testing.assert_allclose(np.linalg.norm(value, axis=1), 1, atol=1e-6)
                self.assertTrue((np.sum(value[1:] * value[:-1], axis=1) >= 0).all())  # the short way

    def motion(self, tree, buffer, name):
        """time and numbers by path of the node called name."""
        (node,) = [k for k, n in enumerate(tree["nodes"]) if n["name"] == name and "skin" not in n]
        return self.paths(tree, buffer, node)

    def paths(self, tree, buffer, node):
        (animation,) = tree["animations"]
        paths = {}
        for c in animation["channels"]:
            if c["target"]["node"] == node:
                s = animation["samplers"][c["sampler"]]
                paths[c["target"]["path"]] = accessor(tree, buffer, s["output"])
                paths["time"] = accessor(tree, buffer, s["input"])[:, 0]
        return paths

    def bent(self, tree, buffer, name, i):
        """The points of the mesh called name at rest, and where its skin puts them in the world in frame i."""
        (node,) = [n for n in tree["nodes"] if n["name"] == name and "skin" in n]
        skin = tree["skins"][node["skin"]]
        part = tree["meshes"][node["mesh"]]["primitives"][0]["attributes"]
        rest = accessor(tree, buffer, part["POSITION"]).astype(float)
        bind = accessor(tree, buffer, skin["inverseBindMatrices"]).reshape(-1, 4, 4)
        joint, weight = (accessor(tree, buffer, part[name]) for name in ("JOINTS_0", "WEIGHTS_0"))

        def placed(k, v):
            moved, at = self.paths(tree, buffer, k), tree["nodes"][k]
            q = moved["rotation"][i] if "rotation" in moved else at["rotation"]
            return turned(q, v) + (moved["translation"][i] if "translation" in moved else at["translation"])

        every = []
        for k, inverse in zip(skin["joints"], bind):
            local = np.c_[rest, np.ones(len(rest))] @ inverse  # by columns in the file
            every.append(placed(skin["skeleton"], placed(k, local[:, :3])))
        every, rows = np.array(every), np.arange(len(rest))
        return rest, sum(weight[:, k, None] * every[joint[:, k], rows] for k in range(4))

    def test_a_beam_is_bent_as_its_outputs_say(self):
        self.make(SPIN_UP)
        tree, buffer = self.gltf()
        self.check(tree, buffer)
        dx, dy, phi = self.columns("shortening", "tip", "beam.phi")
        self.assertLess(dy.min(), -0.5)
        for i in (0, 400, int(np.argmin(dy)), len(dy) - 1):
            rest, moved = self.bent(tree, buffer, "beam", i)
            tip = moved[np.abs(rest[:, 0] - 8) < 1e-9].mean(0)  # its edges are on both sides of the axis
            x, y = 8 + dx[i], dy[i]
            where = [np.cos(phi[i]) * x - np.sin(phi[i]) * y, np.sin(phi[i]) * x + np.cos(phi[i]) * y, 0]
            np.testing.assert_allclose(tip, where, atol=4e-6)  # floats at 8 m
            # inextensible to 1e-6 of the length: the axis is as long as the beam
            station = np.unique(rest[(rest[:, 0] >= 0) & (rest[:, 0] <= 8), 0])
            axis = np.array([moved[rest[:, 0] == s].mean(0) for s in station])
            self.assertGreater(len(station), 30)
            self.assertAlmostEqual(np.linalg.norm(np.diff(axis, axis=0), axis=1).sum(), 8, delta=2e-4)

    def test_a_rod_in_space_and_its_springs_follow_section_and_twist(self):
        self.write("rod.yaml", ROD)
        self.make("rod.yaml")
        tree, buffer = self.gltf("a.gltf")
        self.check(tree, buffer)
        corner = np.array(self.columns("x", "y", "z")).T
        cord = self.motion(tree, buffer, "cord")
        self.assertGreater(np.ptp(corner[:, 1]), 0.05)
        for i in (0, 12, len(corner) - 1):
            rest, moved = self.bent(tree, buffer, "rod", i)
            here = np.linalg.norm(rest - [0.5, 0.02, 0.01], axis=1) < 1e-6
            self.assertTrue(here.any())
            np.testing.assert_allclose(moved[here], np.tile(corner[i], (here.sum(), 1)), atol=SLACK)
            np.testing.assert_allclose(cord["translation"][i], corner[i], atol=SLACK)
        (mesh,) = [m for m in tree["meshes"] if m["name"] == "rod"]
        color = accessor(tree, buffer, mesh["primitives"][0]["attributes"]["COLOR_0"])
        np.testing.assert_array_equal(color, np.tile([1, 0, 0], (len(rest), 1)))

    def test_the_factor_multiplies_the_deformation(self):
        self.make(SPIN_UP, "--until", "2")
        (dy, phi) = self.columns("tip", "beam.phi")
        i = int(np.argmin(dy))

        def across(*args):
            rest, moved = self.bent(*self.gltf("a.glb", *args), "beam", i)
            tip = moved[np.abs(rest[:, 0] - 8) < 1e-9].mean(0)
            return np.cos(phi[i]) * tip[1] - np.sin(phi[i]) * tip[0]

        self.assertLess(dy[i], -0.01)
        self.assertAlmostEqual(across("--deformation", "1"), dy[i], delta=4e-6)
        self.assertAlmostEqual(across("--deformation", "3"), 3 * dy[i], delta=2e-3 * abs(dy[i]))
        tree, buffer = self.gltf("a.glb", "--deformation", "0")  # at rest: moves as a rigid body
        self.check(tree, buffer)
        self.assertNotIn("skins", tree)
        self.assertEqual(len(tree["nodes"]), 3)

    def test_the_slider_crank_moves_as_recorded(self):
        self.make(SLIDER_CRANK)
        tree, buffer = self.gltf()
        self.check(tree, buffer)
        with h5py.File(self.path("run.h5"), "r") as f:
            time, pose = f["time"][:], f["bodies/pose"][:]
        self.assertEqual([n["name"] for n in tree["nodes"][1:]], ["ground", "crank", "rod", "slider"])
        self.assertEqual(self.motion(tree, buffer, "ground"), {})
        for k, name in enumerate(("crank", "rod", "slider"), 1):
            moved = self.motion(tree, buffer, name)
            np.testing.assert_allclose(moved["time"], time, rtol=1e-6)
            if name != "crank":
                np.testing.assert_allclose(moved["translation"][:, :2], pose[:, k, :2], atol=1e-7)
                self.assertFalse(moved["translation"][:, 2].any())
            for i in (0, 17, 1000, 2000):
                tip = turned(moved["rotation"][i], np.array([1.0, 0.0, 0.0]))
                np.testing.assert_allclose(tip[:2], [np.cos(pose[i, k, 2]), np.sin(pose[i, k, 2])], atol=1e-6)

    def test_plates_have_the_outline_of_the_contour(self):
        self.make(SLIDER_CRANK)
        tree, buffer = self.gltf()
        (slider,) = [m for m in tree["meshes"] if m["name"] == "slider"]
        (part,) = slider["primitives"]
        point = accessor(tree, buffer, part["attributes"]["POSITION"])
        corners = {(round(float(x), 6), round(float(y), 6)) for x, y, _ in point}
        self.assertEqual(corners, {(-0.05, -0.025), (0.05, -0.025), (0.05, 0.025), (-0.05, 0.025)})
        # the volume inside the triangles, by the divergence theorem: area times thickness
        tri = point[accessor(tree, buffer, part["indices"])[:, 0]].reshape(-1, 3, 3).astype(float)
        volume = np.sum(np.einsum("ij,ij->i", tri[:, 0], np.cross(tri[:, 1], tri[:, 2]))) / 6
        thickness = np.ptp(point[:, 2])
        self.assertAlmostEqual(volume, 0.1 * 0.05 * thickness, delta=1e-6 * volume)

    def test_shapes_for_pictures_have_their_colours(self):
        self.write("ball.yaml", "specht: 1\nspace: spatial\ngravity: 9.81 m/s^2\nbodies:\n"
                   "  ball:\n    {mass: 1 kg, inertia: 1 kg*m^2, display: [{sphere: 1 m, color: '#ff8000'}, "
                   "{box: [1 m, 1 m, 1 m], at: [0, 0, 2 m], color: white}]}\nrun: {until: 0.1 s}\n")
        self.make("ball.yaml")
        tree, buffer = self.gltf()
        self.check(tree, buffer)
        (part,) = [m for m in tree["meshes"] if m["name"] == "ball"][0]["primitives"]
        self.assertEqual(tree["materials"][part["material"]]["pbrMetallicRoughness"]["baseColorFactor"], [1, 1, 1, 1])
        point = accessor(tree, buffer, part["attributes"]["POSITION"])
        color = accessor(tree, buffer, part["attributes"]["COLOR_0"])
        orange = [1, ((128/255 + 0.055)/1.055)**2.4, 0]  # sRGB to light
        np.testing.assert_allclose(color[point[:, 2] <= 1.001], [orange]*int((point[:, 2] <= 1.001).sum()), atol=1e-6)
        self.assertTrue((color[point[:, 2] > 1.4] == 1).all())

    def test_both_forms_hold_the_same(self):
        self.make(SLIDER_CRANK, "--until", "20ms")
        tree, buffer = self.gltf("a.glb")
        other, bytes_ = self.gltf("a.gltf")
        self.assertEqual(tree, other)
        self.assertEqual(buffer[:tree["buffers"][0]["byteLength"]], bytes_)

    def test_springs_stretch_between_their_points(self):
        self.make(PENDULUM, "--until", "1")
        tree, buffer = self.gltf()
        self.check(tree, buffer)
        with h5py.File(self.path("run.h5"), "r") as f:
            bob = f["bodies/pose"][:, 1, :2]
        moved = self.motion(tree, buffer, "spring")
        length = np.hypot(*bob.T)
        np.testing.assert_allclose(moved["scale"][:, 0], length, atol=1e-6)
        for i in (0, 100, len(bob) - 1):  # the end of the rod is at the bob
            end = turned(moved["rotation"][i], np.array([moved["scale"][i, 0], 0.0, 0.0]))
            np.testing.assert_allclose(end[:2], bob[i], atol=1e-6)

    def test_long_runs_are_thinned_out_and_told(self):
        self.write("ball.yaml", BALL)
        self.make("ball.yaml", "--until", "3", "--output-step", "1ms")
        out, _ = self.specht("export", "run.h5", "--gltf", "a.glb", "--frames", "100")
        self.assertRegex(out, r"^  a\.glb   \d+ of 3 001 frames, 2 bodies, \d+ triangles\n$")
        tree, buffer = read_glb(self.read("a.glb"))
        self.check(tree, buffer)
        time = self.motion(tree, buffer, "ball")["time"]
        self.assertLessEqual(len(time), 100)
        self.assertAlmostEqual(time[-1], 3, places=6)

    def test_frames_that_are_no_numbers_are_left_out(self):
        self.write("ball.yaml", BALL)
        self.make("ball.yaml")
        with h5py.File(self.path("run.h5"), "r+") as f:
            n = len(f["time"])
            f["bodies/pose"][n - 1, 1, 1] = np.nan
        tree, buffer = self.gltf()
        self.check(tree, buffer)
        self.assertEqual(len(self.motion(tree, buffer, "ball")["time"]), n - 1)


class Vtk(Export):
    def arrays(self, name):
        """Counts and arrays by place of a .vtp file."""
        root = ET.parse(self.path(name)).getroot()
        self.assertEqual((root.tag, root.get("type")), ("VTKFile", "PolyData"))
        piece = root.find("PolyData/Piece")
        counts = {k: int(v) for k, v in piece.attrib.items()}
        found = {}
        for group in piece:
            for data in group:
                n = int(data.get("NumberOfComponents"))
                found[group.tag, data.get("Name")] = np.array((data.text or "").split(), float).reshape(-1, n)
        return counts, found

    def test_surfaces_are_where_the_bodies_are(self):
        self.make(SLIDER_CRANK, "--until", "5ms")
        out, _ = self.specht("export", "run.h5", "--vtk", "vtk")
        self.assertRegex(out, r"^  vtk/run\.pvd   51 frames, 4 bodies, \d+ triangles, 104 files\n$")
        with h5py.File(self.path("run.h5"), "r") as f:
            time, pose = f["time"][:], f["bodies/pose"][:]
        sets = ET.parse(self.path("vtk/run.pvd")).getroot().findall("Collection/DataSet")
        np.testing.assert_array_equal([float(s.get("timestep")) for s in sets], time)
        for i in (0, 30, 50):
            counts, found = self.arrays("vtk/" + sets[i].get("file"))
            point, body = found["Points", "Points"], found["CellData", "body"][:, 0]
            cell = found["Polys", "connectivity"].reshape(-1, 3).astype(int)
            self.assertEqual((len(point), len(cell)), (counts["NumberOfPoints"], counts["NumberOfPolys"]))
            np.testing.assert_array_equal(found["Polys", "offsets"][:, 0], 3 * np.arange(1, len(cell) + 1))
            self.assertEqual(len(body), len(cell))
            self.assertLess(cell.max(), len(point))
            x, y, phi = pose[i, 3]
            corner = point[cell[body == 3].ravel()]
            local = np.c_[np.cos(phi) * (corner[:, 0] - x) + np.sin(phi) * (corner[:, 1] - y),
                          np.cos(phi) * (corner[:, 1] - y) - np.sin(phi) * (corner[:, 0] - x)]
            np.testing.assert_allclose(np.abs(local), np.tile([0.05, 0.025], (len(local), 1)), atol=1e-7)

    def test_beams_and_springs_on_them_are_bent(self):
        self.write("rod.yaml", ROD)
        self.make("rod.yaml")
        corner = np.array(self.columns("x", "y", "z")).T
        for factor, slack in ((1, SLACK), (0, None)):
            self.specht("export", "run.h5", "--vtk", f"vtk{factor}", "-q", "--deformation", str(factor))
            for i in (0, 12, 30):
                _, found = self.arrays(f"vtk{factor}/run_{i:05d}.vtp")
                point = found["Points", "Points"]
                of_rod = found["Polys", "connectivity"].reshape(-1, 3)[found["CellData", "body"][1:, 0] == 1]
                near = np.linalg.norm(point[np.unique(of_rod.astype(int))] - corner[i], axis=1).min()
                hook = np.linalg.norm(point[found["Lines", "connectivity"].astype(int)[0, 0]] - corner[i])
                if slack:
                    self.assertLess(max(near, hook), slack)
                elif i > 0:
                    self.assertGreater(min(near, hook), 1e-3)

    def test_contacts_have_place_state_gap_and_force(self):
        self.make(SLIDER_CRANK, "--until", "20ms")
        self.specht("export", "run.h5", "--vtk", "vtk/", "-q")
        sets = ET.parse(self.path("vtk/run_contacts.pvd")).getroot().findall("Collection/DataSet")
        with h5py.File(self.path("run.h5"), "r") as f:
            contacts = {k: f["contacts"][k][:] for k in ("g_N", "state", "point", "force")}
        self.assertEqual(len(sets), len(contacts["state"]))
        for i in (0, 60, len(sets) - 1):
            counts, found = self.arrays("vtk/" + sets[i].get("file"))
            self.assertEqual((counts["NumberOfPoints"], counts["NumberOfVerts"]), (8, 8))
            np.testing.assert_allclose(found["PointData", "gap"][:, 0], contacts["g_N"][i], rtol=1e-8)
            np.testing.assert_array_equal(found["PointData", "state"][:, 0], contacts["state"][i])
            np.testing.assert_allclose(found["PointData", "force"][:, :2], contacts["force"][i], rtol=1e-8)
            np.testing.assert_allclose(found["Points", "Points"][:, :2], contacts["point"][i], rtol=1e-8)

    def test_springs_are_lines(self):
        self.make(PENDULUM, "--until", "0.1")
        self.specht("export", "run.h5", "--vtk", "vtk", "-q")
        counts, found = self.arrays("vtk/run_00000.vtp")
        self.assertEqual(counts["NumberOfLines"], 1)
        a, b = found["Lines", "connectivity"].astype(int).ravel()
        np.testing.assert_allclose(found["Points", "Points"][b] - found["Points", "Points"][a], [0.1, -0.35, 0])
        self.assertEqual(found["CellData", "body"][0, 0], -1)
        self.assertFalse(os.path.exists(self.path("vtk/run_contacts.pvd")))

    def test_names_are_escaped(self):
        self.make(PENDULUM, "--until", "0.01")
        os.rename(self.path("run.h5"), self.path("a <&> b.h5"))
        self.specht("export", "a <&> b.h5", "--vtk", "vtk", "-q")
        sets = ET.parse(self.path("vtk/a <&> b.pvd")).getroot().findall("Collection/DataSet")
        self.assertEqual(sets[0].get("file"), "a <&> b_00000.vtp")


class Command(Export):
    def test_csv_is_that_of_specht_csv(self):
        self.write("ball.yaml", BALL)
        self.make("ball.yaml")
        self.specht("export", "run.h5", "--csv", "a.csv")
        self.assertEqual(self.read("a.csv").decode(), self.specht("csv", "run.h5")[0])

    def test_mistakes_are_told_and_leave_nothing(self):
        self.write("ball.yaml", BALL)
        self.make("ball.yaml")
        before = self.names()
        for args, said in (([], "--gltf"), (["--gltf", "a.obj"], ".glb"), (["--vtk", "ball.yaml"], "folder"),
                           (["--gltf", "a.glb", "--frames", "1"], "--frames"),
                           (["--gltf", "a.glb", "--deformation", "-1"], "--deformation -1"),
                           (["--gltf", "a.glb", "--deformation", "nan"], "--deformation nan"),
                           (["--gltf", "a.glb", "--deformation", "2x"], "--deformation 2x")):
            _, err = self.specht("export", "run.h5", *args, code=2)
            self.assertIn(said, err)
        for args in (["--gltf", "none/a.glb"], ["--vtk", "none/vtk"], ["--csv", "none/a.csv"]):
            _, err = self.specht("export", "run.h5", *args, code=1)
            self.assertIn("none/", err)
        _, err = self.specht("export", "ball.yaml", "--gltf", "a.glb", code=2)
        self.assertIn("ball.yaml", err)
        self.assertEqual(self.names(), before)

    def test_a_full_disk_is_told(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        self.write("ball.yaml", BALL)
        self.make("ball.yaml")
        os.symlink("/dev/full", self.path("a.glb"))
        _, err = self.specht("export", "run.h5", "--gltf", "a.glb", code=1)
        self.assertIn("No space left", err)

    def test_files_without_shapes_are_refused(self):
        self.write("ball.yaml", BALL)
        self.make("ball.yaml")
        with h5py.File(self.path("run.h5"), "r+") as f:
            del f["scene"]
        _, err = self.specht("export", "run.h5", "--gltf", "a.glb", code=2)
        self.assertIn("no shapes", err)
        self.assertNotIn("a.glb", self.names())


if __name__ == "__main__":
    main()
