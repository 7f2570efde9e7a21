"""The lint on a generated tree and on this repository."""

import re
import statistics

from judging import duration, met
from processes import output, spent
from workshop import ROOT

PRODUCTS = ["archlint"]
DEBIAN = {}
PYPI = []


def measure(run):
    files, megabytes = (200, 3) if run.options.smoke else (5000, 70)
    text = output([run.program("archlint"), "measure", "--files", str(files), "--megabytes", str(megabytes)])
    for line in text.splitlines():
        if match := re.match(r"(lint|one change, watch):\s+(.+)", line):
            work, figures = match.groups()
            seconds = duration(figures)
            most = 0.5 if work == "lint" else 0.15
            judged = "" if run.options.smoke or seconds is None else met(seconds <= most)
            run.table.add("archlint", f"{work}, {files} files, {megabytes} MB", figures, goal=f"<= {most} s",
                          verdict=judged)
    rules = ROOT / "Modules" / "archlint.rules"
    if rules.exists() and not run.options.smoke:
        # A tree with a violation takes the same time.
        times = [spent([run.program("archlint"), "--package", str(ROOT)], allowed=(0, 1))
                 for _ in range(run.options.rounds)]
        whole = statistics.median(times)
        run.table.add("archlint", "this repository", f"{whole:.2f} s", goal="<= 1 s", verdict=met(whole <= 1))
