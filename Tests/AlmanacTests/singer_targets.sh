#!/bin/sh
# Hands every collection to real Singer targets and looks for every field of every record in what they wrote.
# Needs python3 and pip, which fetches the targets; so it is no part of `swift test`.
# Usage: Tests/AlmanacTests/singer_targets.sh [FOLDER OF THE PROGRAMS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
programs=$(cd "${1:-.build/debug}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME="$work" ALMANAC_STORE="$work/store"
almanac() { "$programs/almanac" "$@"; }

# A store with records in every collection, and with fields that only an import brings.
almanac demo --store "$work/store" --quiet
almanac profile set ada --name "Ada King" --quiet
cat > people.jsonl <<'RECORDS'
{"id":"imported-1","firstName":"Grace","lastName":"Hopper","birthday":"1906-12-09","nick":"Amazing \"G\"","shoe":42}
{"id":"imported-2","firstName":"Åsa","lastName":"Öst","birthday":"--02-29","nick":"ü","pet":{"name":"Rex","age":3}}
RECORDS
almanac import people.jsonl --quiet
cat > apps.jsonl <<'RECORDS'
{"id":"0","name":"First of all, with little","artist":"a","thumbnailURL":"t","artworkURL":"u"}
RECORDS
almanac import apps.jsonl --quiet
cat > rejects.har <<'HAR'
{"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
  {"request": {"method": "GET", "url": "http://api.example/people", "headers": []},
   "response": {"status": 200, "headers": [], "content": {"text": "[7]"}}}]}}
HAR
almanac sync people --seed rejects.har --server people=http://api.example --quiet 2> notes || { cat notes; exit 1; }

for target in jsonl csv sqlite; do
  python3 -m venv "$target"
  # The targets were written for an older Python: setuptools with pkg_resources, and names that have moved.
  "$target/bin/pip" install --quiet 'setuptools<81' "target-$target" 2> pip.log || { cat pip.log; exit 69; }
  if [ "$target" = sqlite ]; then "$target/bin/pip" install --quiet 'sqlalchemy<2' 'jsonschema<3' 2> pip.log || true; fi
  site=$("$target/bin/python" -c 'import site; print(site.getsitepackages()[0])')
  echo 'import collections, collections.abc; vars(collections).update({n: getattr(collections.abc, n) for n in collections.abc.__all__})' \
    > "$site/sitecustomize.py"
done
mkdir out
echo '{"destination_path": "out", "disable_collection": true}' > files.json
echo '{"database": "out/records"}' > database.json
for collection in apps charts photos owners profiles people outbox rejects runs; do
  almanac export "$collection" --to singer --out messages --quiet
  almanac export "$collection" --to jsonl --out "$collection.records" --quiet
  cp messages "$collection.messages"
  for target in jsonl csv sqlite; do
    config=files.json
    if [ "$target" = sqlite ]; then config=database.json; fi
    "$target/bin/target-$target" -c "$config" < messages > "$target.state" 2> "$target.log" ||
      { echo "target-$target refuses $collection:"; tail -n 5 "$target.log"; exit 1; }
  done
done
python3 "$here/singer_targets.py" "$work"
