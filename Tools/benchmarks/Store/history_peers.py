"""The same changes in other programs, with the changes of `store-bench history-changes`.

    history_peers.py CHANGES sqlite|dlt|git

Each line is a figure: name, number, unit.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def size(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file())


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain(record):
    return {name: compact(value) if isinstance(value, list) else value for name, value in record.items()}


def syncs(path):
    """The records of each sync."""
    with open(path) as lines:
        for number, changes in itertools.groupby(map(json.loads, lines), lambda change: change["sync"]):
            yield number, [change["record"] for change in changes]


def report(name, figure, unit):
    print(name, round(figure, 6), unit, flush=True)


def with_sqlite(path, folder):
    """A transaction a sync, with and without the triggers of sqlite-history-json."""
    import sqlite3
    import sqlite_history_json as history
    names = list(next(syncs(path))[1][0])
    values = ", ".join(f"excluded.{name}" for name in names[1:])
    put = (f"insert into t values({', '.join('?' * len(names))}) "
           f"on conflict(id) do update set ({', '.join(names[1:])}) = ({values})")
    spent, bytes_of = [], []
    for is_tracked in (False, True):
        file = folder / f"{is_tracked}.db"
        database = sqlite3.connect(file, isolation_level=None)
        database.execute("pragma journal_mode = wal")
        database.execute("pragma synchronous = off")
        database.execute(f"create table t(id text primary key, {', '.join(names[1:])})")
        if is_tracked:
            history.enable_tracking(database, "t")
        seconds = 0
        for _, records in syncs(path):
            rows = [[plain(record)[name] for name in names] for record in records]
            begun = time.process_time()
            database.execute("begin")
            database.executemany(put, rows)
            database.execute("commit")
            seconds += time.process_time() - begun
        database.execute("pragma wal_checkpoint(truncate)")
        database.execute("vacuum")
        spent.append(seconds)
        bytes_of.append(file.stat().st_size)
    report("added", spent[1] - spent[0], "s")
    report("size", bytes_of[1] - bytes_of[0], "bytes")
    count = database.execute("select count(*) from _history_json_t").fetchone()[0]
    middle = database.execute("select id from _history_json_t order by id limit 1 offset ?", (count // 2,)).fetchone()[0]
    begun = time.process_time()
    history.restore(database, "t", up_to_id=middle, new_table_name="past")
    report("middle", time.process_time() - begun, "s")
    key = database.execute("select id from t limit 1 offset 777").fetchone()[0]
    begun = time.process_time()
    history.get_row_history(database, "t", {"id": key})
    report("record", time.process_time() - begun, "s")


def with_dlt(path, folder):
    """A load of the whole list a sync, because SCD2 compares complete lists."""
    os.environ.update(DLT_DATA_DIR=str(folder), RUNTIME__DLTHUB_TELEMETRY="false")
    import dlt
    file = folder / "peer.duckdb"
    pipeline = dlt.pipeline("peer", destination=dlt.destinations.duckdb(str(file)), dataset_name="d",
                            pipelines_dir=str(folder))
    rows, changes, loads = {}, 0, 0
    begun = time.process_time()
    for _, records in syncs(path):
        rows.update((record["id"], plain(record)) for record in records)
        changes, loads = changes + len(records), loads + 1
        pipeline.run(dlt.resource(list(rows.values()), name="t",
                                  write_disposition={"disposition": "merge", "strategy": "scd2"}))
    report("load", (time.process_time() - begun) / loads, "s")
    report("size", file.stat().st_size / changes, "bytes")


def with_git(path, folder):
    """A commit of a file of lines a sync."""
    def git(*words):
        subprocess.run(["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0", *words],
                       check=True, capture_output=True)

    def timed(*words):
        begun = time.perf_counter()
        git(*words)
        return time.perf_counter() - begun

    git("init", "-q")
    rows, seconds, commits = {}, 0, 0
    for number, records in syncs(path):
        rows.update((record["id"], compact(record)) for record in records)
        (folder / "t.jsonl").write_text("".join(rows[key] + "\n" for key in sorted(rows)))
        seconds += timed("add", "t.jsonl") + timed("commit", "-q", "-m", str(number))
        commits += 1
    report("added", seconds, "s")
    report("loose", size(folder / ".git"), "bytes")
    report("gc", timed("gc", "-q"), "s")
    report("size", size(folder / ".git"), "bytes")
    report("middle", timed("show", f"HEAD~{commits // 2}:t.jsonl"), "s")
    report("record", timed("log", "--format=%h", "-L777,777:t.jsonl"), "s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        {"sqlite": with_sqlite, "dlt": with_dlt, "git": with_git}[sys.argv[2]](sys.argv[1], pathlib.Path(place))
