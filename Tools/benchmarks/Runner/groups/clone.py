"""The time that a new user waits."""

import shutil

from judging import met
from processes import spent
from workshop import ROOT

PRODUCTS = []
DEBIAN = {"git": "git"}
PYPI = []


def measure(run):
    if run.options.smoke:
        return
    folder = run.work / "clone"
    shutil.rmtree(folder, ignore_errors=True)
    timed = lambda *command: spent(list(command), folder)
    seconds = spent(["git", "clone", "--quiet", str(ROOT), str(folder)])
    seconds += timed("swift", "run", "almanac", "demo")
    run.table.add("clone", "git clone, swift run almanac demo", f"{seconds:.0f} s", goal="<= 240 s",
                  verdict=met(seconds <= 240))
    for path in [*(folder / "Modules").rglob("*.swift"), *(folder / "Apps" / "almanac").rglob("*.swift")]:
        path.touch()
    own = timed("swift", "build", "--product", "almanac")
    run.table.add("clone", "  of it the project's own code", f"{own:.0f} s", goal="<= 30 s", verdict=met(own <= 30))
    again = timed(str(folder / ".build" / "debug" / "almanac"), "demo")
    run.table.add("clone", "the demo once more, debug", f"{again:.2f} s")
    tests = timed("swift", "test")
    run.table.add("clone", "swift test, after the demo", f"{tests:.0f} s", goal="<= 600 s with the demo's build",
                  verdict=met(seconds + tests <= 600))
    unchanged = timed("swift", "test")
    run.table.add("clone", "swift test, unchanged", f"{unchanged:.0f} s", goal="<= 60 s", verdict=met(unchanged <= 60))
    shutil.rmtree(folder, ignore_errors=True)
