"""The lint on a generated tree and on this repository."""

import json
import pathlib
import statistics
import tempfile

from judging import met
from processes import spent
from workshop import ROOT

PRODUCTS = ["archlint"]
DEBIAN = {}
PYPI = []

# Strings, comments and conditions, as in real code.
DECLARATION = """
/// A value: a comment of the usual length that says what the type is for and what it is not.
struct Value%d: Sendable, Hashable {
  var name: String = "a string with \\(1 + 2) and \\"quotes\\" in it"
  var text = #"raw \\n "text" here"#
  /* a block /* nested */ comment that says import */
  func double(_ number: Int) -> Int { number > 0 ? number * 3 + name.utf8.count : number / 2 }
}
"""


def generate(root, files, megabytes):
    """A package with targets in layers, each of which uses up to three of those below it."""
    targets = max(2, files // 25)
    below = [sorted({n for n in (t - 1, t // 2, t // 3) if 0 <= n < t}) for t in range(targets)]
    for target in range(targets):
        (root / f"Modules/Module{target}").mkdir(parents=True)
    for file in range(files):
        target = file % targets
        text = "import Foundation\n#if canImport(Dispatch)\n  import Dispatch\n#endif\n"
        text += "".join(f"import Module{other}\n" for other in below[target])
        part = DECLARATION % file
        text += part * max(1, (megabytes * 1_000_000 // files - len(text)) // len(part))
        (root / f"Modules/Module{target}/File{file}.swift").write_text(text)
    (root / "Package.swift").write_text("// swift-tools-version: 6.2\n")
    (root / "Modules/archlint.rules").write_text(
        "role module\n  targets Modules/*\n  uses module\n  system Foundation Dispatch\n")
    (root / "manifest.json").write_text(json.dumps({"name": "Generated", "targets": [
        {"name": f"Module{target}", "type": "regular", "path": f"Modules/Module{target}",
         "dependencies": [{"byName": [f"Module{other}", None]} for other in below[target]]}
        for target in range(targets)]}))


def measure(run):
    files, megabytes = (200, 3) if run.options.smoke else (5000, 70)
    with tempfile.TemporaryDirectory(prefix="archlint-bench-") as folder:
        generate(pathlib.Path(folder), files, megabytes)
        lint(run, f"{files} files, {megabytes} MB", 0.5, (0,), "--package", folder,
             "--manifest", folder + "/manifest.json")
    if (ROOT / "Modules" / "archlint.rules").exists() and not run.options.smoke:
        # A tree with a violation takes the same time.
        lint(run, "this repository", 1, (0, 1), "--package", str(ROOT))


def lint(run, work, most, allowed, *arguments):
    command = [run.program("archlint"), *arguments]
    spent(command, allowed=allowed)
    median = statistics.median(spent(command, allowed=allowed) for _ in range(run.options.rounds))
    judged = "" if run.options.smoke else met(median <= most)
    run.table.add("archlint", work, f"{median:.2f} s", goal=f"<= {most} s", verdict=judged)
