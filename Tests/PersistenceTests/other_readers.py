#!/usr/bin/env python3
"""After each of many kills and recoveries, reads every published file with jq and DuckDB.

    python3 Tests/PersistenceTests/other_readers.py .build/release/storeworker [--kills 40]

Needs jq, and DuckDB as a Python package; what is missing is left out and said.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

try:
    import duckdb
except ImportError:
    duckdb = None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("worker")
    arguments.add_argument("--kills", type=int, default=40)
    options = arguments.parse_args()
    if duckdb is None:
        print("DuckDB is not installed: left out")
    base = tempfile.mkdtemp(prefix="almanac-readers-")
    folder = base + "/store"
    chance = random.Random(2)
    files = 0
    for kill in range(options.kills):
        worker = subprocess.Popen(
            [options.worker, "commits", folder, "100000", f"k{kill}", "fold"], stdout=subprocess.DEVNULL)
        try:
            worker.wait(timeout=0.02 + chance.random() / 5)
        except subprocess.TimeoutExpired:
            worker.kill()
        worker.wait()
        subprocess.run([options.worker, "commits", folder, "3", f"r{kill}", "fold"], check=True, stdout=subprocess.DEVNULL)
        for name in os.listdir(folder):
            if not name.endswith(".jsonl"):
                continue
            files += 1
            path = f"{folder}/{name}"
            with open(path, "rb") as file:
                lines = file.read().count(b"\n")
            found = subprocess.run(["jq", "-c", ".id", path], capture_output=True, text=True, check=True).stdout
            assert len(found.splitlines()) == lines, f"jq reads {len(found.splitlines())} of {lines} lines of {name}"
            if duckdb is not None:
                count = duckdb.sql(f"select count(distinct id) from read_ndjson('{path}')").fetchall()[0][0]
                assert count == lines, f"DuckDB reads {count} of {lines} records of {name}"
    shutil.rmtree(base)
    print(f"{options.kills} kills, {files} published files read whole by jq{' and DuckDB' if duckdb else ''}")
    sys.exit(0)


main()
