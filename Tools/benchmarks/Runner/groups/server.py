"""The store on PostgreSQL compared with the store in a folder, on one disk."""

import contextlib
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from judging import met
from processes import note, output

PRODUCTS = ["store-bench"]
DEBIAN = {"postgresql": "/usr/lib/postgresql"}
PYPI = []

WORKS = {
    "ingest": "commits of 500 records", "unchanged": "the same again, nothing changed", "commit": "one small commit",
    "lookup": "lookup", "scan": "scan", "feed": "feed",
}


def measure(run):
    records = 2000 if run.options.smoke else int(run.options.millions * 100_000)
    with server() as address:
        if not address:
            note("server: PostgreSQL is not installed, so its figures are left out")
            return
        rounds = []
        for number in range(1 if run.options.smoke else run.options.rounds):
            folder = run.work / "server-folder"
            shutil.rmtree(folder, ignore_errors=True)
            places = [str(folder), f"{address}&schema=round{number}"]
            # Each goes first in every other round.
            order = places if number % 2 == 0 else places[::-1]
            figures = {place: figures_of(run, place, records) for place in order}
            rounds.append([figures[place] for place in places])
    for name, work in WORKS.items():
        file, database = (statistics.median(pair[at][name] for pair in rounds) for at in (0, 1))
        ratio = statistics.median(pair[1][name] / pair[0][name] for pair in rounds)
        goal = "<= 4 x the folder" if name == "ingest" else ""
        judged = met(ratio <= 4) if goal and not run.options.smoke else ""
        run.table.add("server", work, f"{database / 1000:.2f} \u00b5s", f"folder {file / 1000:.2f} \u00b5s", f"{ratio:.2f} x",
                      goal, judged)


def figures_of(run, place, records):
    text = output([run.program("store-bench"), "place", place, str(records)])
    return {words[0]: int(words[1]) for words in map(str.split, text.splitlines()) if len(words) == 3}


@contextlib.contextmanager
def server():
    """The address of a server of its own, with durable commits; `None` if PostgreSQL is not installed."""
    versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    programs = versions[-1] if versions else None
    if not programs or not (programs / "initdb").exists():
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        # PostgreSQL does not run as root.
        user = ["/usr/sbin/runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if user:
            shutil.chown(folder, "postgres")
        data = f"{folder}/data"

        def call(program, *words):
            subprocess.run([*user, str(programs / program), *words], cwd=folder, stdout=subprocess.DEVNULL, check=True)

        call("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "-D", data)
        call("pg_ctl", "-w", "-D", data, "-l", f"{folder}/log",
             "-o", f"-c listen_addresses= -c unix_socket_directories={folder}", "start")
        try:
            yield f"postgres:///postgres?host={folder}&user=postgres"
        finally:
            call("pg_ctl", "-w", "-D", data, "-m", "fast", "stop")
