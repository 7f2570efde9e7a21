#!/usr/bin/env python3
"""Kills a real process before each call by which it changes files, and looks at what the store holds then.

    python3 Tests/PersistenceTests/kill_sweep.py .build/release/storeworker [--points 2000]

Needs strace. For every such call, by name and number, a worker commits and folds under
`strace -e inject=CALL:signal=KILL:when=N`; then a fresh process reads the store, writes to it and reads it again.
After each recovery every published file is read by jq and by DuckDB (`pip install duckdb`) too; one that is not there
is said and left out. Prints how many points were killed and what was wrong; exit 1 when anything was.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import duckdb
except ImportError:
    duckdb = None

CALLS = ["openat", "pwrite64", "fdatasync", "fsync", "renameat", "linkat", "unlinkat", "ftruncate", "mkdir", "flock"]
# How a store is prepared before the worker that is killed: nothing, a store in use, one whose last commit is truncated.
SCENES = ["new", "in-use", "truncated"]


def run(worker, *words, check=True):
    done = subprocess.run([worker, *words], capture_output=True, text=True, timeout=600)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def prepare(worker, scene, folder):
    if scene == "new":
        return
    run(worker, "commits", folder, "7", "old", "fold")
    if scene == "truncated":
        journal = sorted(n for n in os.listdir(folder) if n.startswith("journal."))[-1]
        # The beginning of a commit that was never acknowledged.
        with open(f"{folder}/{journal}", "ab") as file:
            file.write(b'{"commit":"00000000000000ff","at":"0000')


def state(text):
    lines = text.splitlines()
    records = {}
    for line in lines[1:]:
        if line.startswith("damage"):
            raise RuntimeError(line)
        collection, record = line.split(" ", 1)
        record = json.loads(record)
        records[collection + "/" + record["id"]] = record
    return int(lines[0].split()[1]), records


def published(folder):
    """Every published file is whole and sorted."""
    for name in os.listdir(folder):
        path = f"{folder}/{name}"
        if not name.endswith(".jsonl") or not os.path.exists(f"{folder}/manifest"):
            continue
        with open(path) as file:
            text = file.read()
        ids = [json.loads(line)["id"].encode() for line in text.splitlines()]
        assert text == "" or text.endswith("\n"), f"{name} is truncated"
        assert ids == sorted(ids), f"{name} is not sorted"
        read_by_others(path, ids)


# How many files each has read.
READ = {"jq": 0, "DuckDB": 0}


def read_by_others(path, ids):
    """jq and DuckDB find the same ids as we do."""
    if shutil.which("jq"):
        found = subprocess.run(["jq", "-r", ".id", path], capture_output=True, text=True)
        assert found.returncode == 0, f"jq refuses {path}: {found.stderr}"
        assert [line.encode() for line in found.stdout.splitlines()] == ids, f"jq reads {path} otherwise"
        READ["jq"] += 1
    if duckdb is not None and ids:
        found = duckdb.sql(f"select id from read_ndjson('{path}', columns = {{id: 'VARCHAR'}})").fetchall()
        assert sorted(row[0].encode() for row in found) == ids, f"DuckDB reads {path} otherwise"
        READ["DuckDB"] += 1


def one(worker, start, before, call, number, folder):
    """False once the worker ends before the call of this number."""
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.isdir(start):
        # With its hard links.
        subprocess.run(["cp", "-a", start, folder], check=True)
    killed = subprocess.run(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
         "-e", f"inject={call}:signal=KILL:when={number}", worker, "commits", folder, "6", "new", "fold"],
        capture_output=True, text=True, timeout=600)
    if killed.returncode == 0:
        return False
    acknowledged = [line.split() for line in killed.stdout.splitlines()]
    sequence, records = state(run(worker, "check", folder))
    for number_, name in acknowledged:
        assert int(number_) <= sequence, f"commit {number_} was acknowledged, the store holds {sequence}"
        assert f"apps/{name}" in records, f"{name} was acknowledged and is lost"
    for name in before:
        assert name in records, f"{name} is lost"
    left, right = (records.get(f"people/{side}", {}).get("n") for side in ("left", "right"))
    assert left == right, f"a commit is there in part: {left}, {right}"
    total = sum(1 for name in records if name.startswith("apps/new-"))
    assert len(acknowledged) <= total <= len(acknowledged) + 1, f"{total} commits, {len(acknowledged)} acknowledged"
    if os.path.isdir(folder):
        published(folder)
    run(worker, "commits", folder, "2", "then", "fold")
    later = state(run(worker, "check", folder))[1]
    for name in list(records) + ["apps/then-1", "apps/then-2"]:
        assert name in later, f"{name} is lost by the next writer"
    published(folder)
    return True


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("worker")
    arguments.add_argument("--points", type=int, default=2000)
    arguments.add_argument("--scenes", default=",".join(SCENES))
    options = arguments.parse_args()
    points, wrong, rounds = 0, 0, 0
    base = tempfile.mkdtemp(prefix="almanac-kill-")
    try:
        while points < options.points:
            rounds += 1
            before = points
            for scene in options.scenes.split(","):
                folder, start = f"{base}/store", f"{base}/{scene}-{rounds}"
                prepare(options.worker, scene, start)
                known = state(run(options.worker, "check", start))[1]
                for call in CALLS:
                    number = 1
                    while points < options.points:
                        try:
                            if not one(options.worker, start, known, call, number, folder):
                                break
                        except (AssertionError, RuntimeError) as problem:
                            wrong += 1
                            print(f"{scene}, before {call} {number}: {problem}")
                        points += 1
                        number += 1
                    print(f"{scene}: {number - 1} times before {call}", flush=True)
            if points == before:
                break
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(f"{points} kill points in {rounds} rounds: {wrong} violations; published files read whole: "
          f"{READ['jq']} by jq, {READ['DuckDB']} by DuckDB")
    sys.exit(1 if wrong or points == 0 else 0)


main()
