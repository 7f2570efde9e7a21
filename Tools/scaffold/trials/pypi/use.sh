#!/usr/bin/env bash
# What a user does with the new source: config, follow, sync from recorded answers, list, show, a new release, changes,
# a project that is not there. usage: use.sh ALMANAC
set -euo pipefail
almanac=$1
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data

answer() { # version, releases, serial
  printf '{"info": {"name": "harbor-tools", "version": "%s", "summary": "Tide tables", "requires_python": ">=3.9",' "$1"
  printf ' "yanked": false}, "last_serial": %s, "releases": {%s}, "urls": [' "$3" "$2"
  printf '{"upload_time_iso_8601": "2026-05-28T20:26:40.971980Z", "size": 18204}]}'
}
seed() { # file, project, status, body
  python3 - "$@" > "$home/$1" <<'PYTHON'
import json, sys
_, _, project, status, body = sys.argv
print(json.dumps({"log": {"version": "1.2", "creator": {"name": "trial", "version": "1"}, "entries": [{
    "request": {"method": "GET", "url": f"https://pypi.org/pypi/{project}/json"},
    "response": {"status": int(status), "headers": [{"name": "Content-Type", "value": "application/json"}],
                 "content": {"text": body}}}]}}))
PYTHON
}
expect() { # what, pattern, text
  grep -q -- "$2" <<< "$3" || { printf '%s: expected %s in\n%s\n' "$1" "$2" "$3" >&2; exit 1; }
  printf 'ok  %s\n' "$1"
}

seed first.har harbor-tools 200 "$(answer 2.0.1 '"2.0.0": [], "2.0.1": []' 100)"
seed second.har harbor-tools 200 "$(answer 2.1.0 '"2.0.0": [], "2.0.1": [], "2.1.0": []' 101)"
seed none.har no-such-thing 404 '{"message": "Not Found"}'

"$almanac" follow pypi/harbor-tools --every 6h 2> "$home/errors"
expect "the follow is in the config" '"follow": *"pypi/harbor-tools"' "$(cat "$home/config/almanac/config.json")"
status=0; "$almanac" follow pypi/one/two 2> "$home/errors" || status=$?
expect "a follow of another form is refused" 64 "$status"
expect "first sync" '"added" *: *1' "$("$almanac" --format json --seed "$home/first.har" --quiet sync)"
expect "list" '"version" *: *"2.0.1"' "$("$almanac" --format json list projects)"
expect "table" 'harbor-tools' "$("$almanac" list projects)"
expect "a sync with nothing new" '"added" *: *0.*"updated" *: *0' \
  "$("$almanac" --format json --seed "$home/first.har" --quiet sync | tr -d '\n')"
expect "a new release" '"updated" *: *1' "$("$almanac" --format json --seed "$home/second.har" --quiet sync)"
expect "show" '"releases" *: *3' "$("$almanac" --format json show projects harbor-tools)"
expect "changes" '2 2.1.0' "$("$almanac" changes | python3 -c '
import json, sys
lines = [line for line in map(json.loads, sys.stdin) if line["collection"] == "projects"]
print(len(lines), lines[-1]["record"]["version"])')"
status=0
"$almanac" --seed "$home/none.har" --quiet sync pypi/no-such-thing > "$home/output" 2> "$home/errors" || status=$?
expect "a project that is not there" 66 "$status"
