#!/usr/bin/env bash
# Uses the new source like a user: config, follow, sync from recorded responses, list, show, a changed record, changes,
# an object that does not exist, and the same follow in the daemon of the same build. usage: use.sh ALMANAC
set -euo pipefail
almanac=$1
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data

answer() { # title, additional images
  printf '{"objectID": 436535, "title": "%s", "constituents": [{"name": "Ilse Harbor", "role": "Artist"}],' "$1"
  printf ' "department": "Drawings and Prints", "objectEndDate": 1823, "isHighlight": false,'
  printf ' "metadataDate": "2026-05-28T20:26:40.97Z", "additionalImages": [%s]}' "$2"
}
seed() { # file, object, status, body
  python3 - "$@" > "$home/$1" <<'PYTHON'
import json, sys
_, _, thing, status, body = sys.argv
url = f"https://collectionapi.metmuseum.org/public/collection/v1/objects/{thing}"
print(json.dumps({"log": {"version": "1.2", "creator": {"name": "trial", "version": "1"}, "entries": [{
    "request": {"method": "GET", "url": url},
    "response": {"status": int(status), "headers": [{"name": "Content-Type", "value": "application/json"}],
                 "content": {"text": body}}}]}}))
PYTHON
}
expect() { # what, pattern, text
  grep -q -- "$2" <<< "$3" || { printf '%s: expected %s in\n%s\n' "$1" "$2" "$3" >&2; exit 1; }
  printf 'ok  %s\n' "$1"
}

seed first.har 436535 200 "$(answer 'Tide at the Pier' '"a.jpg", "b.jpg"')"
seed second.har 436535 200 "$(answer 'Low Tide at the Pier' '"a.jpg", "b.jpg", "c.jpg"')"
seed none.har 1 404 '{"message": "ObjectID not found"}'

"$almanac" follow museum/436535 --every 6h 2> "$home/errors"
expect "the follow is in the config" '"follow": *"museum/436535"' "$(cat "$home/config/almanac/config.json")"
status=0; "$almanac" follow museum/one/two 2> "$home/errors" || status=$?
expect "a follow of another form is refused" 64 "$status"
expect "first sync" '"added" *: *1' "$("$almanac" --format json --seed "$home/first.har" --quiet sync)"
expect "list" '"artist" *: *"Ilse Harbor"' "$("$almanac" --format json list artworks)"
expect "table" 'Tide at the Pier' "$("$almanac" list artworks)"
expect "a sync with nothing new" '"added" *: *0.*"updated" *: *0' \
  "$("$almanac" --format json --seed "$home/first.har" --quiet sync | tr -d '\n')"
expect "a changed record" '"updated" *: *1' "$("$almanac" --format json --seed "$home/second.har" --quiet sync)"
expect "show" '"images" *: *3' "$("$almanac" --format json show artworks 436535)"
expect "changes" '2 Low Tide at the Pier' "$("$almanac" changes | python3 -c '
import json, sys
lines = [line for line in map(json.loads, sys.stdin) if line["collection"] == "artworks"]
print(len(lines), lines[-1]["record"]["title"])')"
status=0
"$almanac" --seed "$home/none.har" --quiet sync museum/1 > "$home/output" 2> "$home/errors" || status=$?
expect "an object that is not there" 66 "$status"
"$(dirname "$almanac")/almanacd" --once --quiet --store "$home/daemon" --seed "$home/first.har"
expect "the daemon, once" '"images" *: *2' "$("$almanac" --store "$home/daemon" --format json list artworks)"
