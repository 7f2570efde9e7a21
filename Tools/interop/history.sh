#!/bin/sh
# What changed in a collection, when, by what, and what it was before, up to the last compaction. Usage: history.sh STORE COLLECTION
cd "$1" && exec duckdb -csv -c "
SELECT n['at'] AS time, n['by'] AS cause, id, change->'was' AS was
FROM (SELECT id, unnest(changes) AS change FROM read_json('history/$2.*.jsonl', columns = {id: 'VARCHAR', changes: 'JSON[]'}))
JOIN (SELECT n FROM read_json('history/_commits.*.jsonl', columns = {'id': 'VARCHAR', 'at': 'VARCHAR', 'by': 'VARCHAR'}) n)
  ON n['id']::BIGINT = (change->>'commit')::BIGINT ORDER BY n['id'] DESC, id"
