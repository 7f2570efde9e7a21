"""A complete sync from a local server, compared with other programs."""

import sys

from processes import output
from workshop import BENCHMARKS

PRODUCTS = ["almanac", "upstream"]
DEBIAN = {"curl": "curl"}
PYPI = ["requests", "sqlite-utils", "dlt[duckdb]"]


def measure(run):
    run.program("almanac"), run.program("upstream")
    command = [sys.executable, str(BENCHMARKS / "WholeJob" / "whole_job.py"), run.build]
    if run.options.smoke:
        command += ["--rounds", "1", "--pages", "2", "--owners", "5", "--follows", "8"]
    else:
        command += ["--rounds", str(run.options.rounds), "--pages", str(run.options.pages)]
        command += ["--python", run.python] if run.python else []
    for line in output(command).splitlines():
        work, ours, unit, peer, figure, ratio, goal, judged = (line.split("\t") + [""] * 8)[:8]
        if run.options.smoke:
            judged = judged if "wrong" in judged else ""
        ours = ours.removesuffix(".000")
        run.table.add("whole-job", work, f"{ours} {unit}", f"{peer} {figure}".strip(), f"{ratio} x" if ratio else "",
                      goal, judged)
