"""Sources that a file describes, compared with compiled ones, dlt's rest_api and Airbyte's CDK."""

import random
import statistics
import subprocess
import sys

from processes import last, module, note, output
from workshop import BENCHMARKS

PRODUCTS = ["almanac", "upstream", "parsing-bench"]
DEBIAN = {}
PYPI = ["dlt[duckdb]"]


def measure(run):
    run.program("almanac"), run.program("upstream")
    parse(run)
    command = [sys.executable, str(BENCHMARKS / "WholeJob" / "declared_job.py"), run.build]
    if run.options.smoke:
        command += ["--rounds", "1", "--pages", "2", "--owners", "5", "--starts", "3"]
    else:
        command += ["--rounds", str(run.options.rounds), "--pages", str(run.options.pages)]
        command += ["--python", run.python] if run.python else []
        if python := airbyte(run):
            command += ["--airbyte", python]
    for line in output(command).splitlines():
        work, ours, unit, peer, figure, ratio, goal, judged = (line.split("\t") + [""] * 8)[:8]
        run.table.add("declared", work, f"{ours} {unit}", f"{peer} {figure}".strip(), f"{ratio} x" if ratio else "",
                      goal, "" if run.options.smoke else judged)


def airbyte(run):
    """An interpreter with airbyte-cdk, which needs other versions of packages than dlt."""
    venv = run.work / "airbyte"
    python = venv / "bin" / "python"
    if not python.exists() and subprocess.run([sys.executable, "-m", "venv", str(venv)]).returncode != 0:
        return None
    if subprocess.run([str(python), "-c", "import airbyte_cdk"], capture_output=True).returncode == 0:
        return str(python)
    done = subprocess.run([str(python), "-m", "pip", "install", "--quiet", "airbyte-cdk"], capture_output=True, text=True)
    if done.returncode == 0:
        return str(python)
    note(f"left out: airbyte-cdk could not be installed: {last(done.stderr)}")
    return None


def parse(run):
    """The records of App Store feeds, by the compiled parser and by the reader of a definition."""
    folder = run.folder("declared-smoke" if run.options.smoke else "declared")
    make_data = module(BENCHMARKS / "Parsing" / "make_data.py")
    chance = random.Random(1)
    people = make_data.line(make_data.person(1, chance))
    for name in ("people.jsonl", "people-1m.jsonl"):
        (folder / name).write_text(people)
    entries = 40 if run.options.smoke else 20_000
    (folder / "feeds.jsonl").write_text(
        "".join(make_data.line({"feed": {"entry": [make_data.entry(at, chance)]}}) for at in range(entries)))
    times = {"almanac": [], "declared": []}
    for _ in range(1 if run.options.smoke else run.options.rounds):
        for line in output([run.program("parsing-bench"), str(folder), "app store record"]).splitlines():
            work, who, nanoseconds, *_ = line.split("\t")
            if work == "app store record":
                times[who].append(float(nanoseconds))
    ours, compiled = (statistics.median(times[who]) for who in ("declared", "almanac"))
    ratio = statistics.median(one / other for one, other in zip(times["almanac"], times["declared"]))
    verdict = "" if run.options.smoke else "met" if ratio >= 0.7 else "MISSED"
    run.table.add("declared", "parse an App Store record", f"{ours:.0f} ns", f"compiled {compiled:.0f} ns",
                  f"{ratio:.2f} x", ">= 0.7", verdict)
