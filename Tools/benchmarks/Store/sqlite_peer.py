#!/usr/bin/env python3
"""Compares the store with its peers: the same records, the same durability, paired runs, medians.

    swift build -c release --product store-bench
    swift build -c release --product almanac
    python3 Tools/benchmarks/Store/sqlite_peer.py .build/release/store-bench [--rounds 5] [--records 1000000]
        [--only ingest,commit,open,lookup,scan,memory,show,fold,pull,where] [--folder DIR]

SQLite runs in WAL mode with synchronous=FULL (read back, because some wrappers lower it), through Python's sqlite3 and,
if a C compiler and libsqlite3-dev are installed, through ../SQLite/sqlite_peer.c. `where` uses the almanac in the folder
of store-bench, and DuckDB (from PyPI) and jq (from Debian) if they are installed.
"""
import argparse
import os
import pathlib
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


def c_peer(base):
    """SQLite without Python, or None if it cannot be built."""
    source, tool = pathlib.Path(__file__).parent.parent / "SQLite" / "sqlite_peer.c", base + "/sqlite-peer"
    try:
        done = subprocess.run(["cc", "-O2", "-o", tool, str(source), "-lsqlite3"], capture_output=True, text=True)
    except FileNotFoundError:
        done = None
    if done is None or done.returncode != 0:
        print("left out: SQLite through C; apt-get install gcc libsqlite3-dev")
        return None
    return tool


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
        if not pairs:
            return
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
    arguments.add_argument("--folder", help="where the data goes: the disk that is measured")
    options = arguments.parse_args()
    base = tempfile.mkdtemp(prefix="almanac-bench-", dir=options.folder)
    try:
        measure(options, base)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def measure(options, base):
    tool, rounds, total = options.tool, options.rounds, options.records
    c = c_peer(base)
    table = Table(rounds)
    wants = lambda name: not options.only or name in options.only.split(",")

    if wants("ingest"):
        rows = [(identifier(n), record(n)) for n in range(100_000)]
        pairs, folded, against_c = [], [], []
        for _ in range(rounds):
            figures = bench(tool, "ingest", fresh(base + "/s"), 100_000)
            if c:
                peer = bench(c, "ingest", fresh(base + "/q"), 100_000)["commit"]
                against_c.append((figures["commit-and-fold"] / 1000, peer / 1000))
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
        table.row("ingest 100 k, folded, peer SQLite in C", against_c, "µs a record", "")

    if wants("commit"):
        against_raw, against_sqlite, against_c = [], [], []
        for _ in range(rounds):
            figures = bench(tool, "commit", fresh(base + "/s"), 500)
            ours, raw = figures["commit"], figures["write+fdatasync"]
            if c:
                against_c.append((ours / 1000, bench(c, "commit", fresh(base + "/q"), 500)["commit"] / 1000))
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
        table.row("one small commit, peer SQLite in C", against_c, "µs", "")

    if wants("pull"):
        written, times = [], []
        for _ in range(rounds):
            figures = bench(tool, "pull", fresh(base + "/s"), 200)
            written.append((figures["written-a-record"], figures["record-size"]))
            times.append(figures["pull"] / 1000)
        table.row("200 pages x 500, written, peer the record", written, "bytes a record", "")
        print(f"{'200 pages x 500, a commit each':44} {statistics.median(times):12.2f} {'':12} {'':8}  [µs a record]")

    if not any(wants(name) for name in ("open", "lookup", "scan", "fold", "memory", "show", "where")):
        return
    big, database_path = base + "/big", base + "/sqlite/db"
    os.mkdir(base + "/sqlite")
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
        pairs, sizes, against_c = [], [], []
        for _ in range(max(rounds, 9)):
            ours = bench(tool, "open", big, one)["open+lookup"]
            little = bench(tool, "open", small, identifier(3333))["open+lookup"]

            def look():
                database = sqlite3.connect(database_path)
                assert database.execute("select json from people where id=?", (one,)).fetchone()
                database.close()

            pairs.append((ours / 1000, timed(look) / 1000))
            if c:
                against_c.append((ours / 1000, bench(c, "open", base + "/sqlite", one)["open+lookup"] / 1000))
            sizes.append((ours / 1000, little / 1000))
        table.row(f"open and first lookup, {total:,}", pairs, "µs", ">= 1x")
        table.row("open and first lookup, peer SQLite in C", against_c, "µs", ">= 1x")
        table.row(f"open and first lookup, {total:,} : 10 k", sizes, "µs", "the same")

    if wants("lookup"):
        pairs, against_c = [], []
        chance = random.Random(3)
        ids = [identifier(chance.randrange(total)) for _ in range(10_000)]
        for _ in range(rounds):
            ours = bench(tool, "lookup", big, 10_000, total)["lookup-first"]
            if c:
                peer = bench(c, "lookup", base + "/sqlite", 10_000, total)["lookup-first"]
                against_c.append((ours / 1000, peer / 1000))
            database = sqlite3.connect(database_path)

            def look():
                for one in ids:
                    database.execute("select json from people where id=?", (one,)).fetchone()

            pairs.append((ours / 1000, timed(look) / 10_000 / 1000))
            database.close()
        table.row("10 k random lookups", pairs, "µs each", "<= 2.5 µs")
        table.row("10 k random lookups, peer SQLite in C", against_c, "µs each", "")

    if wants("scan"):
        pairs, again, against_c = [], [], []
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
            if c:
                peer = bench(c, "scan", base + "/sqlite")["scan-first"]
                against_c.append((figures["scan-first"] / 1e6, peer / 1e6))
            database.close()
        table.row("full scan, first (checksums looked at)", pairs, "µs a record", ">= 4 x GRDB (0.07 µs)")
        table.row("full scan, again", again, "µs a record", "")
        table.row("full scan, first, peer SQLite in C", against_c, "µs a record", "")

    if wants("where"):
        where(table, tool, big, database_path, total, rounds)

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


def where(table, tool, big, database_path, total, rounds):
    """Runs `list --where` as a process on a million lines, of which one matches."""
    almanac = str(pathlib.Path(tool).with_name("almanac"))
    if not os.access(almanac, os.X_OK):
        return print(f"left out: list --where; there is no {almanac}")
    file, wanted = f"{big}/people.jsonl", f"Example {total // 3}"
    command = [almanac, "--store", big, "list", "people", "--format", "jsonl", "--where"]

    def ours(condition, count):
        return timed(lambda: expect(output([*command, condition]).count(b"\n"), count)) / 1e9

    peers = {}
    try:
        import duckdb
        quick = duckdb.connect()
        quick.execute("set threads=1")

        def of(source, condition):
            text = f"select * from {source} where {condition}"
            return lambda count: timed(lambda: expect(len(quick.execute(text).fetchall()), count)) / 1e9

        named = "columns={id:'VARCHAR',lastName:'VARCHAR'}"
        peers["DuckDB", ">= 1x"] = of(f"read_ndjson('{file}')", f"lastName='{wanted}'")
        peers["DuckDB, 2 columns", ">= 1x"] = of(f"read_ndjson('{file}',{named})", f"lastName='{wanted}'")
        nested = of(f"read_ndjson('{file}')", "address.city='Bern'")
    except ImportError:
        nested = None
        print("left out: DuckDB; pip install duckdb")
    if shutil.which("jq"):
        peers["jq", ">= 20x"] = lambda count: timed(lambda: expect(
            output(["jq", "-c", f'select(.lastName=="{wanted}")', file]).count(b"\n"), count)) / 1e9
    else:
        print("left out: jq; apt-get install jq")
    database = sqlite3.connect(database_path)
    question = "select json from people where json_extract(cast(json as text),'$.lastName')=?"
    peers["sqlite3 json", ""] = lambda count: timed(
        lambda: expect(len(database.execute(question, (wanted,)).fetchall()), count)) / 1e9
    for (name, goal), peer in peers.items():
        pairs = [(ours(f"lastName = {wanted}", 1), peer(1)) for _ in range(rounds)]
        table.row(f"list --where a field, peer {name}", pairs, "s", goal)
    if nested:
        pairs = [(ours("address.city = Bern", 0), nested(0)) for _ in range(rounds)]
        table.row("list --where a nested field, peer DuckDB", pairs, "s", ">= 1x")
    database.close()


def output(command):
    return subprocess.run(command, capture_output=True, check=True).stdout


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"{found} records found, not {wanted}")


main()
