"""The daemon: start, an idle minute, requests per second."""

import re
import subprocess
import sys

from judging import met
from processes import Failed, last, note
from workshop import BENCHMARKS

PRODUCTS = ["almanac", "almanacd", "upstream", "hello-bench"]
DEBIAN = {"wrk": "wrk"}
PYPI = []


def measure(run):
    command = [sys.executable, str(BENCHMARKS / "Daemon" / "measure.py"), "--bin", run.build]
    command += (["--records", "500", "--follows", "5", "--rounds", "1", "--seconds", "1", "--settle", "0", "--idle", "1"]
                if run.options.smoke else
                ["--rounds", str(run.options.rounds), "--records", str(int(run.options.millions * 1_000_000))])
    run.program("almanacd")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120 if run.options.smoke else None)
    except subprocess.TimeoutExpired:
        raise Failed("measure.py did not end within two minutes")
    if done.returncode != 0 and "left out" not in done.stderr:
        raise Failed(f"measure.py ended with {done.returncode}: {last(done.stderr)}")
    note(done.stderr.strip()) if done.stderr.strip() else None
    judge = lambda holds: "" if run.options.smoke else met(holds)
    rates = {}
    for line in done.stdout.splitlines():
        if match := re.match(r"start to ready\s+(\d+ ms)", line):
            run.table.add("daemon", "start to ready", match[1])
        elif match := re.match(r"\s+resident\s+([\d.]+) MB \((.*)\)", line):
            run.table.add("daemon", "idle, resident", f"{match[1]} MB ({match[2]})", goal="<= 40 MB",
                          verdict=judge(float(match[1]) <= 40))
        elif match := re.match(r"\s+processor\s+([\d.]+) %", line):
            run.table.add("daemon", "idle, processor", f"{match[1]} %", goal="< 0.1 %",
                          verdict=judge(float(match[1]) < 0.1))
        elif match := re.match(r"(.+?)\s+(\d+) requests/s\s+([\d.]+) of hello", line):
            rates[match[1]] = (match[2], match[3])
    plain = next((rate for name, (rate, _) in rates.items() if name.startswith("hello")), "")
    for name, (rate, ratio) in rates.items():
        if not name.startswith("hello"):
            run.table.add("daemon", name, f"{rate} requests/s", f"Hummingbird saying hello {plain}", f"{ratio} x")
