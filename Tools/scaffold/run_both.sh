#!/usr/bin/env bash
# Runs both programs with a source that was just added: each syncs a follow from a recording of the sample response, and
# the daemon's API lists the new collection. The only network requests are those to the daemon.
#
# usage: Tools/scaffold/run_both.sh PROGRAMS PROJECT NAME     PROGRAMS: the folder of almanac and almanacd
set -euo pipefail
programs=$1 project=$2 name=$3
tests=$project/Tests/${name}Tests
home=$(mktemp -d)
daemon=
trap '[ -z "$daemon" ] || { kill "$daemon"; wait "$daemon"; } 2> /dev/null || true; rm -rf "$home"' EXIT
export XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data

# The tests of the source contain the follow and the URL; the sample is the response.
python3 - "$tests" "$name" "$home" <<'PYTHON'
import json, pathlib, re, sys
tests, name, home = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
source = (tests / f"{name}SourceTests.swift").read_text()
follow = re.search(r'let follow = Follow\(path: "([^"]+)"', source)[1]
url = re.search(r'let url = "([^"]+)"', source)[1]
sample = next(tests.glob("*Sample.swift")).read_text()
answer = re.search(r'static let answer = #"""\n(.*?)\n\s*"""#', sample, re.S)[1]
collection = re.search(r'record\((\w+)\.collection', source)[1]
model = (tests.parent.parent / "Modules/Models/Records" / f"{collection}.swift").read_text()
server = re.match(r"https://[^/]+", url)[0]
(home / "seed.har").write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "run_both", "version": "1"}, "entries": [{
    "request": {"method": "GET", "url": url},
    "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"}], "content": {"text": answer}}}]}}))
(home / "config/almanac").mkdir(parents=True)
(home / "config/almanac/config.json").write_text(json.dumps(
    {"servers": {follow.split("/")[0]: {"url": server}}, "follows": [{"follow": follow}]}))
(home / "follow").write_text(follow)
(home / "collection").write_text(re.search(r'CollectionName\(rawValue: "([^"]+)"', model)[1])
PYTHON
follow=$(cat "$home/follow") collection=$(cat "$home/collection")

expect() { # what, pattern, text
  grep -q -- "$2" <<< "$3" || { printf '%s: expected %s in\n%s\n' "$1" "$2" "$3" >&2; exit 1; }
  printf 'ok  %s\n' "$1"
}

expect "almanac knows the path" "$(cut -d/ -f1 <<< "$follow")" "$("$programs/almanac" help follow)"
expect "almanac names the fields of $collection" " $collection: id" "$("$programs/almanac" help list)"
expect "almanac syncs $follow" '"added" *: *1' \
  "$("$programs/almanac" --format json --seed "$home/seed.har" --quiet sync)"
expect "almanac lists $collection" '"id"' "$("$programs/almanac" --format json list "$collection")"

"$programs/almanacd" --quiet --listen 127.0.0.1:0 --store "$home/daemon" --seed "$home/seed.har" &
daemon=$!
ask() { curl --silent --fail -H "Authorization: Bearer $(cat "$home/daemon/token")" "$url$1"; }
wait_for() { # pattern, command …
  for _ in $(seq 300); do
    kill -0 "$daemon" || { printf 'almanacd ended\n' >&2; exit 1; }
    if grep -q -- "$1" <<< "$("${@:2}" 2> /dev/null || true)"; then return; fi
    sleep 0.1
  done
  printf 'expected %s from: %s\n' "$1" "${*:2}" >&2
  exit 1
}
wait_for url cat "$home/daemon/daemon.json"
url=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["url"])' "$home/daemon/daemon.json")
wait_for "{\"name\":\"$collection\",\"records\":1}" ask /api/v1/collections
printf 'ok  almanacd syncs %s and lists %s\n' "$follow" "$collection"
expect "almanacd shows the record" '"items":\[{"id":' "$(ask "/api/v1/collections/$collection")"
expect "almanacd describes $collection" "\"/api/v1/collections/$collection\"" "$(ask /openapi.json)"
