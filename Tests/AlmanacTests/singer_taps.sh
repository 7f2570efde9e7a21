#!/bin/sh
# Syncs sources whose records two Singer taps print, tap-rest-api-msdk and tap-rest-api, from a local server: a first sync,
# a second one with the stored state, and one after the server has more records.
# Needs python3 and pip, which fetches the taps; so it is no part of `swift test`.
# Usage: Tests/AlmanacTests/singer_taps.sh [FOLDER OF THE PROGRAMS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
programs=$(cd "${1:-.build/debug}" && pwd)
work=$(mktemp -d)
cd "$work"
export HOME="$work" ALMANAC_STORE="$work/store" ALMANAC_CONFIG="$work/config.json"
python3 "$here/singer_server.py" port items &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
almanac() { "$programs/almanac" "$@"; }
expect() { [ "$2" = "$3" ] || { echo "$1: expected $3, found $2"; exit 1; }; }
total() { python3 -c 'import json, sys; print(json.load(open("report"))["totals"][sys.argv[1]])' "$1"; }

for tap in tap-rest-api-msdk tap-rest-api; do
  python3 -m venv "$tap"
  "$tap/bin/pip" install --quiet 'setuptools<81' "$tap" 2> pip.log || { cat pip.log; exit 69; }
done
while [ ! -s port ]; do python3 -c 'import time; time.sleep(0.1)'; done
url="http://127.0.0.1:$(cat port)"
mkdir sources schemas catalogs
cat > msdk-config.json <<CONFIG
{"api_url": "$url", "next_page_token_path": "\$.next_page", "pagination_request_style": "jsonpath_paginator",
 "pagination_response_style": "page", "pagination_next_page_param": "page", "headers": {"X-Token": "s3cret-token"},
 "streams": [{"name": "items", "path": "/items", "records_path": "\$.items[*]", "primary_keys": ["id"],
              "num_inference_records": 50, "replication_key": "updated_at", "start_date": "2026-01-01T00:00:00Z"}]}
CONFIG
cat > rest-config.json <<CONFIG
{"url": "$url/items?page={current_page}", "streams": "items", "schema_dir": "$work/schemas",
 "catalog_dir": "$work/catalogs", "record_list_level": "items[*]", "index_key": "id", "start_index": 0,
 "items_per_page": 100, "page_start": 1}
CONFIG
tap-rest-api/bin/tap-rest-api -c rest-config.json --infer_schema > infer.log 2>&1 || { cat infer.log; exit 1; }
definition() { # NAME COMMAND
  cat <<DEFINITION
{
  "almanac": 1, "source": "$1", "command": [$2],
  "collections": {"$1-items": {"id": "\$.id", "fields": {
    "name": "text \$.name", "price": "decimal \$.price", "updatedAt": "time \$.updated_at"}}},
  "follows": {"items": {"take": {"stream": "items", "into": "$1-items"}}}
}
DEFINITION
}
definition msdk "\"../tap-rest-api-msdk/bin/tap-rest-api-msdk\", \"--config\", \"../msdk-config.json\"" > sources/msdk.json
definition rest "\"../tap-rest-api/bin/tap-rest-api\", \"-c\", \"../rest-config.json\", \"--catalog\", \"../catalogs/catalog.json\"" \
  > sources/rest.json
almanac source check

for source in msdk rest; do
  almanac follow "$source/items" --quiet
  almanac sync "$source/items" --format json --verbose > report 2> notes || { cat report notes; exit 1; }
  expect "$source, first sync" "$(total added)" 250
  expect "$source, rejects" "$(total rejected)" 0
  ! grep -q s3cret notes || { echo "$source: a secret is in the log"; exit 1; }
  grep -q "$source: " notes || { echo "$source: the log of the tap is missing"; exit 1; }
  almanac sync "$source/items" --format json --quiet > report
  expect "$source, second sync" "$(total added) $(total updated) $(total removed)" "0 0 0"
  expect "$source, records" "$(almanac list "$source-items" --where 'price >= 60' --format jsonl | wc -l | tr -d ' ')" 11
done
echo '{"id": 251, "name": "Item 251", "price": 62.75, "updated_at": "2026-02-01T00:00:00Z"}' >> items
for source in msdk rest; do
  almanac sync "$source/items" --format json --quiet > report
  expect "$source, third sync" "$(total added) $(total updated) $(total removed)" "1 0 0"
done
expect "processes of taps" "$(pgrep -P $$ -f tap-rest | wc -l | tr -d ' ')" 0
echo "two taps: 251 records each, in three syncs"
