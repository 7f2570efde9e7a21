"""The programs and libraries that a run is compared with."""

import os
import re
import shutil
import subprocess
import sys

from processes import last, note, present

# The programs whose versions are part of the results.
VERSIONS = [
    ("swift", ["swift", "--version"], r"Swift version (\S+)"), ("curl", ["curl", "--version"], r"curl (\S+)"),
    ("jq", ["jq", "--version"], r"jq-(\S+)"), ("nginx", ["nginx", "-v"], r"nginx/(\S+)"),
    ("wrk", ["wrk", "--version"], r"wrk \S*?([\d.]+)"), ("sqlite3", ["sqlite3", "--version"], r"^(\S+)"),
    ("simdjson", ["dpkg-query", "-W", "-f", "${Version}", "libsimdjson-dev"], r"^([\d.]+)"),
]


def install(run, groups):
    """Installs the peers of the groups; those that cannot be installed are listed."""
    missing = [name for group in groups for name, proof in group.DEBIAN.items() if not present(proof)]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        note(f"installing {' '.join(missing)}")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        for name in missing:
            subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", name], **quiet)
    still = [name for group in groups for name, proof in group.DEBIAN.items() if not present(proof)]
    for name in sorted(set(still)):
        note(f"left out: {name} could not be installed; apt-get install {name}")
    venv = run.work / "venv"
    python = venv / "bin" / "python"
    if not python.exists() and subprocess.run([sys.executable, "-m", "venv", str(venv)]).returncode != 0:
        note("left out: every Python peer; python3 -m venv does not work here (apt-get install python3-venv)")
        return
    run.python = str(python)
    for name in sorted({name for group in groups for name in group.PYPI}):
        plain = name.split("[")[0].replace("-", "_")
        if subprocess.run([run.python, "-c", f"import {plain}"], capture_output=True).returncode == 0:
            continue
        done = subprocess.run([run.python, "-m", "pip", "install", "--quiet", name], capture_output=True, text=True)
        if done.returncode != 0:
            note(f"left out: {name} could not be installed: {last(done.stderr)}")


def versions(run):
    """The installed peers with their versions."""
    found = []
    for name, command, pattern in VERSIONS:
        if shutil.which(command[0]) is None:
            continue
        done = subprocess.run(command, capture_output=True, text=True)
        if match := re.search(pattern, done.stdout + done.stderr):
            found.append(f"{name} {match[1]}")
    if run.python:
        names = sorted({name.split("[")[0] for group in run.groups for name in group.PYPI})
        listed = subprocess.run([run.python, "-m", "pip", "list", "--format", "freeze"], capture_output=True, text=True)
        known = dict(line.split("==", 1) for line in listed.stdout.splitlines() if "==" in line)
        plain = {name.lower().replace("_", "-"): version for name, version in known.items()}
        python = subprocess.run([run.python, "-V"], capture_output=True, text=True).stdout.strip()
        found += [python] + [f"{name} {plain[name]}" for name in names if name in plain]
    return found
