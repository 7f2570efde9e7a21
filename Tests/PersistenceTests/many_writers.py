#!/usr/bin/env python3
"""Lets many processes write to one store at once, and kills some of them.

    python3 Tests/PersistenceTests/many_writers.py .build/release/storeworker [--writers 64] [--commits 1000]

Every commit raises two counters by one; at the end both are the number of acknowledged commits, or, for each writer
that was killed, at most one more. Between two commits of one writer there are at most so many of others as three rounds
of all take.
"""
import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("worker")
    arguments.add_argument("--writers", type=int, default=64)
    arguments.add_argument("--commits", type=int, default=1000)
    arguments.add_argument("--kill", type=int, default=8, help="so many writers are killed on their way")
    options = arguments.parse_args()
    base = tempfile.mkdtemp(prefix="almanac-writers-")
    folder = base + "/store"
    logs = [open(f"{base}/{number}", "w+") for number in range(options.writers)]
    writers = [
        subprocess.Popen([options.worker, "commits", folder, str(options.commits), f"w{number}"], stdout=log)
        for number, log in enumerate(logs)
    ]
    chance = random.Random(1)
    for victim in chance.sample(writers, min(options.kill, len(writers))):
        try:
            victim.wait(timeout=chance.random() * 2)
        except subprocess.TimeoutExpired:
            victim.kill()
    codes = [writer.wait() for writer in writers]
    acknowledged, longest = [], 0
    for log in logs:
        log.seek(0)
        own = [line.split() for line in log.read().splitlines()]
        numbers = [int(number) for number, _ in own]
        longest = max([longest, *(after - before - 1 for before, after in zip(numbers, numbers[1:]))])
        acknowledged += own
    text = subprocess.run([options.worker, "check", folder], capture_output=True, text=True).stdout.splitlines()
    records = {}
    for line in text[1:]:
        collection, record = line.split(" ", 1)
        record = json.loads(record)
        records[collection + "/" + record["id"]] = record
    killed = sum(1 for code in codes if code == -9)
    failed = sum(1 for code in codes if code not in (0, -9))
    left, right = (int(records[f"people/{side}"]["n"]) for side in ("left", "right"))
    lost = [name for _, name in acknowledged if f"apps/{name}" not in records]
    doubled = len(acknowledged) - len({number for number, _ in acknowledged})
    print(f"{options.writers} writers, {killed} killed, {failed} failed: {len(acknowledged)} acknowledged,"
          f" counters {left} and {right}, {len(lost)} lost, {doubled} doubled;"
          f" at most {longest} of others between two of one")
    shutil.rmtree(base)
    good = not lost and not doubled and not failed and left == right and longest <= 3 * options.writers
    sys.exit(0 if good and len(acknowledged) <= left <= len(acknowledged) + killed else 1)


main()
