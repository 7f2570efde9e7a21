#!/bin/sh
# The dearest apps of a store: DuckDB reads its files directly. Usage: duckdb.sh STORE
exec duckdb -c "SELECT name, price.amount FROM read_json_auto('$1/apps.jsonl') ORDER BY price.amount::DOUBLE DESC LIMIT 5"
