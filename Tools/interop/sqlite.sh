#!/bin/sh
# Puts a collection into a table of SQLite; again, it brings the table up to date. Usage: sqlite.sh COLLECTION DATABASE
almanac export "$1" --to jsonl --out "$2.jsonl" --quiet && exec sqlite3 "$2" <<SQL
CREATE TABLE IF NOT EXISTS "$1" (id TEXT PRIMARY KEY, record TEXT); CREATE TEMP TABLE lines (line TEXT);
.mode ascii
.separator "\037" "\n"
.import "$2.jsonl" lines
DELETE FROM "$1" WHERE id NOT IN (SELECT line ->> 'id' FROM lines);
INSERT OR REPLACE INTO "$1" SELECT line ->> 'id', line FROM lines;
SQL
