"""The context of a run: its options, the programs, the peers, a folder, and the table of results."""

import os
import pathlib
import subprocess
import sys

from processes import Failed, note
from table import Table

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent.parent


class Workshop:
    def __init__(self, options, groups):
        self.options = options
        self.groups = groups
        self.table = Table()
        self.work = pathlib.Path(options.work or ROOT / ".build" / "benchmarks")
        self.work.mkdir(parents=True, exist_ok=True)
        self.python = None
        self.build = options.build

    def compile(self, groups):
        if self.build:
            return
        for product in dict.fromkeys(name for group in groups for name in group.PRODUCTS):
            if product == "urlsession-bench" and self.options.static:
                continue  # Swift's static libraries lack the libcurl that it needs; its lines are omitted.
            note(f"building {product}")
            command = ["swift", "build", "--package-path", str(ROOT), "-c", "release", "--product", product]
            command += ["--static-swift-stdlib"] if self.options.static else []
            environment = dict(os.environ, ALMANAC_URLSESSION_BENCH="1")
            if subprocess.run(command, stdout=sys.stderr, env=environment).returncode != 0:
                raise Failed(f"{product} cannot be built")
        shown = subprocess.run(
            ["swift", "build", "--package-path", str(ROOT), "-c", "release", "--show-bin-path"],
            capture_output=True, text=True, check=True)
        self.build = shown.stdout.strip()

    def program(self, name):
        path = f"{self.build}/{name}"
        if not os.access(path, os.X_OK):
            raise Failed(f"there is no {name} in {self.build}")
        return path

    def folder(self, name):
        """The folder of a group, in which its script finds the peers."""
        folder = self.work / name
        folder.mkdir(exist_ok=True)
        if self.python and not (folder / "venv").exists():
            (folder / "venv").symlink_to(self.work / "venv")
        return folder
