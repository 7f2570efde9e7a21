"""The store compared with SQLite, DuckDB and jq."""

import re
import shutil
import sys

from judging import verdict
from processes import note, output
from workshop import BENCHMARKS

PRODUCTS = ["store-bench", "almanac"]
DEBIAN = {"jq": "jq", "gcc": "gcc", "libsqlite3-dev": "/usr/include/sqlite3.h"}
PYPI = ["duckdb"]


def measure(run):
    if run.options.smoke:
        for command, count in (("ingest", 2000), ("commit", 20)):
            folder = run.work / "store-smoke"
            shutil.rmtree(folder, ignore_errors=True)
            for line in output([run.program("store-bench"), command, str(folder), str(count)]).splitlines():
                parts = line.split()
                run.table.add("store", parts[0], " ".join(parts[1:]))
        return
    text = output([run.python or sys.executable, str(BENCHMARKS / "Store" / "sqlite_peer.py"), run.program("store-bench"),
                   "--rounds", str(run.options.rounds), "--records", str(int(run.options.millions * 1_000_000))])
    for line in text.splitlines():
        if match := re.match(r"(.+?)\s{2,}([\d.]+)\s+([\d.]+)\s+([\d.]+)x\s*(.*?)\s*\[(.+)\]", line):
            work, ours, peer, ratio, goal, unit = match.groups()
            run.table.add("store", work, f"{ours} {unit}", f"{peer} {unit}", f"{ratio} x", goal,
                          verdict(goal, float(ours), float(ratio)))
        elif match := re.match(r"(.+?)\s{2,}([\d.]+)\s+([<>]= .+?)?\s*\[(.+)\]", line):
            work, ours, goal, unit = match.groups(default="")
            run.table.add("store", work, f"{ours} {unit}", goal=goal, verdict=verdict(goal, float(ours), 0))
        elif line.strip() and not line.startswith("work"):
            note(line)
