#!/bin/sh
# Keeps the table records of a PostgreSQL database up to date, commit by commit. Usage: postgresql.sh [PSQL OPTION…]
psql "$@" -qc 'CREATE TABLE IF NOT EXISTS records (collection text, id text, record jsonb, cursor text, seen serial, PRIMARY KEY (collection, id))'
since=$(psql "$@" -Atc 'SELECT cursor FROM records ORDER BY seen DESC LIMIT 1')
almanac changes --follow ${since:+--since "$since"} | jq --unbuffered -r 'def q: "\u0027" + gsub("\u0027"; "\u0027\u0027") + "\u0027";
  "DELETE FROM records WHERE (collection, id) = (\(.collection | q), \(.id | q));
   INSERT INTO records VALUES (\(.collection | q), \(.id | q), \(if .record then .record | tojson | q else "NULL" end), \(.cursor | q));"' |
  psql "$@" -qv ON_ERROR_STOP=1
