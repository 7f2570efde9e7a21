#!/usr/bin/env bash
# Compares our parsing with Foundation, Python's json, orjson, msgspec, simdjson, vobject and icalendar, in one run:
# Tools/benchmarks/Parsing/run.sh [ROUNDS] [MILLIONS OF LINES]
# Requires python3 with venv, g++ and libsimdjson-dev (`apt-get install libsimdjson-dev`). PARSING_BENCH is the path of a
# built parsing-bench; without it, the package is built in release.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
rounds=${1:-5}
millions=${2:-1}
work=${PARSING_BENCH_FOLDER:-${TMPDIR:-/tmp}/almanac-parsing-bench}
mkdir -p "$work"

if [ ! -x "$work/venv/bin/python" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet msgspec orjson
fi
"$work/venv/bin/python" -c 'import vobject, icalendar' 2>/dev/null ||
  "$work/venv/bin/python" -m pip install --quiet vobject icalendar ||
  echo "vobject or icalendar left out: it could not be installed" >&2
[ -f "$work/data/feeds.jsonl" ] || python3 "$here/make_data.py" "$work/data" "$millions"
if [ -z "${PARSING_BENCH:-}" ]; then
  swift build --package-path "$root" -c release --product parsing-bench
  PARSING_BENCH=$(swift build --package-path "$root" -c release --show-bin-path)/parsing-bench
fi
programs=("$PARSING_BENCH $work/data" "$work/venv/bin/python $here/peers.py $work/data")
if g++ -O3 -march=native -std=c++17 "$here/simdjson_peer.cpp" -lsimdjson -o "$work/simdjson_peer" 2>/dev/null; then
  programs+=("$work/simdjson_peer $work/data")
else
  echo "simdjson left out: install libsimdjson-dev" >&2
fi

: > "$work/results.tsv"
for round in $(seq "$rounds"); do
  echo "round $round of $rounds" >&2
  for program in "${programs[@]}"; do $program | sed "s/^/$round\t/" >> "$work/results.tsv"; done
done
python3 "$here/compare.py" < "$work/results.tsv"
