#!/usr/bin/env python3
"""The store beside SQLite: the same records, the same durability, paired runs, medians.

    swift build -c release --product store-bench
    python3 Tools/benchmarks/Store/sqlite_peer.py .build/release/store-bench [--rounds 5] [--records 1000000]

SQLite runs in WAL mode with synchronous=FULL (read back, as some wrappers lower it), through Python's sqlite3.
"""
import argparse
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


def identifier(number):
    return "p%010d" % (number * 2654435761 % (1 << 30))


def record(number, version=0):
    text = (
        f'{{"id":"{identifier(number)}","firstName":"Ada","lastName":"Example {number}","birthday":"1985-04-07",'
        f'"email":"ada.{number}@example.org","address":{{"street":"Some St 7","city":"Zürich"}},'
        f'"tags":["friend","math"],"version":{version},"note":"')
    return (text + "x" * max(300 - len(text.encode()) - 2, 0) + '"}').encode()


def connect(path):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("pragma journal_mode=wal")
    database.execute("pragma synchronous=full")
    assert database.execute("pragma synchronous").fetchone()[0] == 2
    database.execute("create table if not exists people(id text primary key, json blob not null)")
    return database


PUT = "insert into people values(?,?) on conflict(id) do update set json=excluded.json"


def bench(tool, *words):
    done = subprocess.run([tool, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{words}: {done.stderr}")
    return {line.split()[0]: int(line.split()[1]) for line in done.stdout.splitlines() if len(line.split()) == 3}


def fresh(path):
    shutil.rmtree(path, ignore_errors=True)
    return path


def timed(body):
    start = time.perf_counter_ns()
    body()
    return time.perf_counter_ns() - start


class Table:
    def __init__(self, rounds):
        self.rounds = rounds
        print(f"{'work':44} {'store':>12} {'peer':>12} {'ratio':>8}  goal")

    def row(self, name, pairs, unit, goal):
        ours = statistics.median(pair[0] for pair in pairs)
        peer = statistics.median(pair[1] for pair in pairs)
        ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
        print(f"{name:44} {ours:12.2f} {peer:12.2f} {ratio:7.2f}x  {goal}  [{unit}]", flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("tool")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--records", type=int, default=1_000_000)
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    base = tempfile.mkdtemp(prefix="almanac-bench-")
    try:
        measure(options, base)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def measure(options, base):
    tool, rounds, total = options.tool, options.rounds, options.records
    table = Table(rounds)
    wants = lambda name: not options.only or name in options.only.split(",")

    if wants("ingest"):
        rows = [(identifier(n), record(n)) for n in range(100_000)]
        pairs, folded = [], []
        for _ in range(rounds):
            figures = bench(tool, "ingest", fresh(base + "/s"), 100_000)
            fresh(base + "/q")
            os.mkdir(base + "/q")
            database = connect(base + "/q/db")

            def insert():
                database.execute("begin")
                database.executemany(PUT, rows)
                database.execute("commit")

            peer = timed(insert) / 100_000
            database.close()
            folded.append((figures["commit-and-fold"] / 1000, peer / 1000))
            pairs.append((figures["commit"] / 1000, peer / 1000))
        table.row("ingest 100 k, one commit", pairs, "µs a record", "")
        table.row("ingest 100 k, one commit, folded", folded, "µs a record", ">= 4x")

    if wants("commit"):
        against_raw, against_sqlite = [], []
        for _ in range(rounds):
            figures = bench(tool, "commit", fresh(base + "/s"), 500)
            ours, raw = figures["commit"], figures["write+fdatasync"]
            fresh(base + "/q")
            os.mkdir(base + "/q")
            database = connect(base + "/q/db")
            times = []
            for number in range(500):
                row = (identifier(number), record(number, number))
                times.append(timed(lambda: database.execute(PUT, row)))
            database.close()
            against_raw.append((ours / 1000, raw / 1000))
            against_sqlite.append((ours / 1000, statistics.median(times) / 1000))
        table.row("one small commit, peer write+fdatasync", against_raw, "µs", ">= 0.87x (1.15 x the peer)")
        table.row("one small commit, peer SQLite", against_sqlite, "µs", "")

    if not any(wants(name) for name in ("open", "lookup", "scan", "fold", "memory", "show")):
        return
    big, database_path = base + "/big", base + "/big.db"
    bench(tool, "ingest", big, total)
    database = connect(database_path)
    database.execute("begin")
    database.executemany(PUT, ((identifier(n), record(n)) for n in range(total)))
    database.execute("commit")
    database.execute("pragma wal_checkpoint(truncate)")
    database.close()
    one = identifier(total // 3)

    if wants("open"):
        small = base + "/small"
        bench(tool, "ingest", small, 10_000)
        pairs, sizes = [], []
        for _ in range(max(rounds, 9)):
            ours = bench(tool, "open", big, one)["open+lookup"]
            little = bench(tool, "open", small, identifier(3333))["open+lookup"]

            def look():
                database = sqlite3.connect(database_path)
                assert database.execute("select json from people where id=?", (one,)).fetchone()
                database.close()

            pairs.append((ours / 1000, timed(look) / 1000))
            sizes.append((ours / 1000, little / 1000))
        table.row(f"open and first lookup, {total:,}", pairs, "µs", ">= 1x")
        table.row(f"open and first lookup, {total:,} : 10 k", sizes, "µs", "the same")

    if wants("lookup"):
        pairs = []
        chance = random.Random(3)
        ids = [identifier(chance.randrange(total)) for _ in range(10_000)]
        for _ in range(rounds):
            ours = bench(tool, "lookup", big, 10_000, total)["lookup-first"]
            database = sqlite3.connect(database_path)

            def look():
                for one in ids:
                    database.execute("select json from people where id=?", (one,)).fetchone()

            pairs.append((ours / 1000, timed(look) / 10_000 / 1000))
            database.close()
        table.row("10 k random lookups", pairs, "µs each", "<= 2.5 µs")

    if wants("scan"):
        pairs, again = [], []
        for _ in range(rounds):
            figures = bench(tool, "scan", big)
            database = sqlite3.connect(database_path)

            def scan():
                for _ in database.execute("select json from people order by id"):
                    pass

            def unordered():
                for _ in database.execute("select json from people"):
                    pass

            peer = timed(unordered) / total / 1000
            pairs.append((figures["scan-first"] / 1e6, peer))
            again.append((figures["scan-again"] / 1e6, peer))
            database.close()
        table.row("full scan, first (checksums looked at)", pairs, "µs a record", ">= 4 x GRDB (0.07 µs)")
        table.row("full scan, again", again, "µs a record", "")

    if wants("memory"):
        private = statistics.median(bench(tool, "memory", big)["private"] for _ in range(rounds))
        print(f"{'private memory, open, looked up, scanned':44} {private / 1e6:12.2f} {'':12} {'':8}  <= 32 MB  [MB]")

    if wants("show"):
        pairs = []
        for _ in range(max(rounds, 15)):
            ours = timed(lambda: subprocess.run([tool, "show", big, one], stdout=subprocess.DEVNULL, check=True))
            bare = timed(lambda: subprocess.run([tool, "raw-write", base + "/r", "0"], stdout=subprocess.DEVNULL))
            pairs.append((ours / 1e6, bare / 1e6))
        table.row("show one, whole process, peer bare start", pairs, "ms", ">= 0.67x (1.5 x the peer)")

    if wants("fold"):
        pairs = []
        size = sum(os.path.getsize(f"{big}/{name}") for name in os.listdir(big) if name.endswith(".jsonl"))
        for _ in range(max(rounds, 3)):
            raw = bench(tool, "raw-write", fresh(base + "/r"), size)["write+fsync"]
            ours = bench(tool, "fold", big, total // 10)["fold"]
            pairs.append((ours / 1e6, raw / 1e6))
        table.row(f"fold {size >> 20} MiB, a tenth changed, peer write", pairs, "ms", ">= 0.33x (3 x the peer)")


main()
