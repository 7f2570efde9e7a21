#!/usr/bin/env bash
# Asks the daemon everything that its own OpenAPI document allows, and much that it forbids, with schemathesis (PyPI):
# every answer must have a status, a media type, headers and a body as the document says.
#
#   Tests/AlmanacdTests/schemathesis.sh [BIN-FOLDER] [options of `schemathesis run`, such as --max-examples 500]
#
# BIN-FOLDER holds almanacd and upstream (.build/debug). `st` is taken from PATH, or installed into a venv.
set -euo pipefail
bin=$(cd "${1:-.build/debug}" && pwd)
shift || true
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2> /dev/null || true; rm -rf "$work"' EXIT
if ! command -v st > /dev/null; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet schemathesis
  PATH="$work/venv/bin:$PATH"
fi
"$bin/upstream" --port 0 --people 50 --users ada > "$work/upstream" &
pids+=($!)
until [ -s "$work/upstream" ]; do :; done
up=$(awk '{print $NF}' "$work/upstream")
cat > "$work/config.json" <<JSON
{"servers": {"users": {"url": "$up"}, "people": {"url": "$up"}, "app-store": {"url": "$up"}, "flickr": {"url": "$up", "apiKey": "any"}},
 "follows": [{"follow": "people"}, {"follow": "users/ada"}, {"follow": "app-store/us/top-paid", "limit": 20}, {"follow": "users/nobody"}]}
JSON
HOME=$work HTTPS_PROXY=http://127.0.0.1:9 "$bin/almanacd" --store "$work/store" --config "$work/config.json" \
  --listen 127.0.0.1:0 --quiet &
pids+=($!)
until [ -s "$work/store/daemon.json" ]; do :; done
url=$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$work/store/daemon.json")
token=$(cat "$work/store/token")
# Which paths can be followed is the sources' business, and no pattern says it: a 422 is true there.
cat > "$work/schemathesis.toml" <<TOML
[[operations]]
include-name = "POST /api/v1/sync"
checks.positive_data_acceptance.expected-statuses = ["202", "422"]

[[operations]]
include-name = "POST /api/v1/follows"
checks.positive_data_acceptance.expected-statuses = ["200", "201", "422"]

# A key of an earlier request that was another one is refused.
[[operations]]
include-name = "POST /api/v1/media/fetch"
checks.positive_data_acceptance.expected-statuses = ["202", "409", "422"]

# No receiver is named in the config.
[[operations]]
include-name = "POST /api/v1/notifications/test"
checks.positive_data_acceptance.expected-statuses = ["200", "404", "422"]

# A person needs a name, and is refused twice.
[[operations]]
include-name = "POST /api/v1/collections/people"
checks.positive_data_acceptance.expected-statuses = ["201", "409", "422"]

# Conditions, orders and cursors are texts with rules of their own: a 400 is true there.
[[operations]]
include-method = "GET"
include-path-regex = "^/api/v1/(collections|charts|photos|birthdays|changes|media$)|^/calendars"
checks.positive_data_acceptance.expected-statuses = ["200", "304", "400", "401", "404", "410"]

[[operations]]
include-path-regex = "^/api/v1/(people|outbox)/"
checks.positive_data_acceptance.expected-statuses = ["200", "202", "204", "404", "412", "422"]

[[operations]]
include-operation-id-regex = "^(edit|remove)"
checks.positive_data_acceptance.expected-statuses = ["200", "202", "204", "404", "412", "422"]
TOML
# A rotated token would end all access. The stream of events never ends and so has no whole answer to compare: AlmanacdTests reads it.
cd "$work"  # it keeps a folder where it runs
st --config-file "$work/schemathesis.toml" run "$url/openapi.json" --header "Authorization: Bearer $token" --exclude-path /api/v1/events --exclude-path /api/v1/token-rotations \
  --checks all --max-examples "${ALMANAC_EXAMPLES:-100}" --workers 1 --no-color \
  --suppress-health-check=filter_too_much "$@"
