#!/usr/bin/python3
"""The JSON Schema that `specht schema` prints: it accepts what is good, rejects what is bad as far
as a schema can, explains every key, and the reference in the documentation is made of the same
table."""
import glob
import json
import os
import re
import subprocess
import unittest

import yaml

try:
    import jsonschema
except ImportError:
    jsonschema = None

SOURCE = os.environ.get("SPECHT_SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
PROGRAM = os.environ.get("SPECHT_BIN", os.path.join(SOURCE, "build", "specht"))
GOOD = sorted(glob.glob(os.path.join(SOURCE, "tests", "data", "good", "*.yaml"))
              + [path for path in glob.glob(os.path.join(SOURCE, "examples", "*", "*.yaml"))
                 if not path.endswith(".study.yaml")])
BAD = sorted(glob.glob(os.path.join(SOURCE, "tests", "data", "bad", "*.yaml")))


class EditorLoader(yaml.BaseLoader):
    """Reads numbers, true and false as such, the rest as text: what editors (YAML 1.2) do."""


EditorLoader.yaml_implicit_resolvers = {}
EditorLoader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"),
                                   list("-+0123456789"))
EditorLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"), list("-+.0123456789"))
EditorLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"),
                                   list("tf"))
EditorLoader.add_constructor("tag:yaml.org,2002:int",
                             lambda loader, node: int(loader.construct_scalar(node)))
EditorLoader.add_constructor("tag:yaml.org,2002:float",
                             lambda loader, node: float(loader.construct_scalar(node)))
EditorLoader.add_constructor("tag:yaml.org,2002:bool",
                             lambda loader, node: loader.construct_scalar(node) == "true")


def load(path, loader):
    with open(path, "rb") as stream:
        return yaml.load(stream, loader)


def schema_line(path):
    """What the second line of a bad file says a schema does with it."""
    with open(path, "rb") as stream:
        line = stream.read().split(b"\n")[1].decode()
    assert line in ("# schema: accepts", "# schema: rejects"), path
    return line.split()[-1]


def print_schema(*options):
    return subprocess.run([PROGRAM, "schema", *options], check=True, timeout=60,
                          stdout=subprocess.PIPE).stdout.decode()


def properties(schema):
    """All (key, schema of its value) of the definitions."""
    todo = list(schema["definitions"].values())
    while todo:
        item = todo.pop()
        yield from item.get("properties", {}).items()
        todo += item.get("oneOf", [])


def keys_in(node):
    """All keys of a file."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from keys_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from keys_in(value)


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(print_schema())

    def test_every_key_is_explained(self):
        for key, value in properties(self.schema):
            if key == "ground":
                continue
            self.assertRegex(value.get("description", ""), r"^[A-Za-z].*\.$", key)

    def test_every_key_is_used_in_a_good_file_or_shown_in_the_documentation(self):
        used = {key for path in GOOD for key in keys_in(load(path, yaml.BaseLoader))}
        with open(os.path.join(SOURCE, "docs", "model-file.md"), encoding="utf-8") as stream:
            for block in re.findall(r"^```yaml\n(.*?)^```", stream.read(), re.S | re.M):
                used |= set(keys_in(yaml.load(block, yaml.BaseLoader)))
        known = {key for key, _ in properties(self.schema)}
        self.assertEqual(sorted(known - used), [])

    def test_the_reference_in_the_documentation_is_up_to_date(self):
        with open(os.path.join(SOURCE, "docs", "model-file.md"), encoding="utf-8") as stream:
            text = stream.read()
        begin, end = "<!-- reference: begin -->\n", "<!-- reference: end -->"
        made = text[text.index(begin) + len(begin):text.index(end)]
        self.assertEqual(made.strip(), print_schema("--markdown").strip(),
                         "run tools/update_reference")

    def test_model_files_in_the_documentation_are_accepted(self):
        if not jsonschema:
            self.skipTest("python3-jsonschema is not here")
        with open(os.path.join(SOURCE, "docs", "model-file.md"), encoding="utf-8") as stream:
            blocks = re.findall(r"^```yaml\n(.*?)^```", stream.read(), re.S | re.M)
        whole = [b for b in blocks if b.startswith("specht:")]
        self.assertGreater(len(whole), 0)
        for block in whole:
            jsonschema.Draft7Validator(self.schema).validate(yaml.load(block, yaml.BaseLoader))


@unittest.skipUnless(jsonschema, "python3-jsonschema is not here")
class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(print_schema())
        cls.validator = jsonschema.Draft7Validator(cls.schema)

    def test_the_schema_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(self.schema)

    def test_good_files_are_accepted(self):
        self.assertGreater(len(GOOD), 0)
        for path in GOOD:
            for loader in (yaml.BaseLoader, EditorLoader):
                with self.subTest(file=os.path.basename(path), loader=loader.__name__):
                    self.validator.validate(load(path, loader))

    def test_bad_files_are_rejected_where_a_schema_can(self):
        self.assertGreater(len(BAD), 0)
        for path in BAD:
            with self.subTest(file=os.path.basename(path)):
                try:
                    accepted = self.validator.is_valid(load(path, yaml.BaseLoader))
                except (yaml.YAMLError, RecursionError, UnicodeDecodeError):
                    accepted = False  # an editor does not get as far as the schema
                self.assertEqual("accepts" if accepted else "rejects", schema_line(path))


if __name__ == "__main__":
    unittest.main()
