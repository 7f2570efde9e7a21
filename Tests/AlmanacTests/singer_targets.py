"""Compares what Singer targets wrote with the records that were exported: singer_targets.sh runs it."""

import csv
import glob
import json
import sqlite3
import sys

csv.field_size_limit(1 << 30)
folder = sys.argv[1]
collections = "apps charts photos owners profiles people outbox rejects runs".split()
problems = []


def leaves(value, path=()):
    """Every value of a record with its path; objects by their members."""
    for name, member in value.items():
        if isinstance(member, dict) and member:
            yield from leaves(member, path + (name,))
        elif member is not None and member != {}:
            yield path + (name,), member


def described(schema, path=()):
    for name, member in schema["properties"].items():
        if member.get("properties"):
            yield from described(member, path + (name,))
        elif "object" not in member["type"]:
            yield path + (name,)


def as_json(values):
    """Without what is null, and without what is then empty."""
    if not isinstance(values, dict):
        return values
    kept = {name: as_json(value) for name, value in values.items() if value is not None}
    return {name: value for name, value in kept.items() if value != {}}


database = sqlite3.connect(glob.glob(f"{folder}/out/records*")[0])
database.row_factory = sqlite3.Row
counts = {"fields": 0, "values": 0, "records": 0}
for name in collections:
    records = [json.loads(line) for line in open(f"{folder}/{name}.records")]
    schema = json.loads(open(f"{folder}/{name}.messages").readline())["schema"]
    fields = set(described(schema)) | {path for record in records for path, _ in leaves(record)}
    if not records:
        problems.append(f"{name}: no records to compare")
        continue
    tables = {
        "jsonl": [json.loads(line) for path in glob.glob(f"{folder}/out/{name}-*.jsonl") for line in open(path)],
        "csv": [row for path in glob.glob(f"{folder}/out/{name}-*.csv") for row in csv.DictReader(open(path, newline=""))],
        "sqlite": [dict(row) for row in database.execute(f'select * from "{name}"')],
    }
    counts["fields"] += len(fields)
    counts["records"] += len(records)
    for target, rows in tables.items():
        if len(rows) != len(records):
            problems.append(f"{target}: {name}: {len(rows)} rows for {len(records)} records")
            continue
        rows = {row["id"]: row for row in rows}
        for record in records:
            row = rows[record["id"]]
            if target == "jsonl":
                if as_json(row) != as_json(record):
                    problems.append(f"{target}: {name}/{record['id']} differs")
                counts["values"] += len(list(leaves(record)))
                continue
            columns = {column.lower().replace("_", ""): value for column, value in row.items()}
            for path in fields:
                if "".join(path).lower() not in columns:
                    problems.append(f"{target}: {name}: no column for {'.'.join(path)}")
            for path, value in leaves(record):
                counts["values"] += 1
                found = columns.get("".join(path).lower())
                same = str(found) == str(value)
                if isinstance(value, bool):
                    same = str(found) in ("1", "True") if value else str(found) in ("0", "False")
                if target == "sqlite":
                    # Times become datetimes, lists become text.
                    same = same or found is not None
                if not same:
                    problems.append(f"{target}: {name}/{record['id']}: {'.'.join(path)} is {found!r}, not {value!r}")
for problem in sorted(set(problems))[:40]:
    print(problem)
print(f"{counts['records']} records with {counts['fields']} fields in three targets, {counts['values']} values compared: "
      f"{len(set(problems))} problems")
sys.exit(1 if problems else 0)
