"""The logic of the report page by Vitest, and its lock file.

Skipped, and counted as skipped, where Node or the packages of web/ are missing.
"""
import json
import os
import sys
import tempfile

import web_support as web


def check_lock_file():
    """The lock file names versions and checksums, but no place to load them from."""
    with open(os.path.join(web.WEB, "package-lock.json"), encoding="utf-8") as f:
        packages = json.load(f)["packages"]
    bad = [name for name, p in packages.items() if "resolved" in p or (name and "integrity" not in p)]
    if bad:
        print(f"failed: web/package-lock.json: an address, or no checksum: {bad[:5]}")
    return (0, 1, 0) if bad else (1, 0, 0)


def main():
    counts = [check_lock_file()]
    if web.can_run():
        with tempfile.TemporaryDirectory(prefix="specht-web-") as folder:
            counts.append(web.run_vitest("unit", {}, folder))
    else:
        print("skipped: Node or the packages of web/ are not here (cd web && npm ci)")
        counts.append((0, 0, web.count_tests("unit")))
    return web.finish(counts)


if __name__ == "__main__":
    sys.exit(main())
