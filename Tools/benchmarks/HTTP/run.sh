#!/usr/bin/env bash
# Compares both transports and the daemon's stack with AsyncHTTPClient alone, aiohttp, httpx and curl, on one local
# server, in one run:
# Tools/benchmarks/HTTP/run.sh [ROUNDS] [REQUESTS]
# Requires python3 with venv. curl and nginx are used if they are installed; without nginx, the project's own test server
# is used. HTTP_BENCH is the path of a built http-bench; without it, the package is built in release.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
rounds=${1:-5}
requests=${2:-4000}
work=${HTTP_BENCH_FOLDER:-${TMPDIR:-/tmp}/almanac-http-bench}
mkdir -p "$work/www"

if [ ! -x "$work/venv/bin/python" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet aiohttp httpx
fi
if [ -z "${HTTP_BENCH:-}" ]; then
  swift build --package-path "$root" -c release --product http-bench
  ALMANAC_URLSESSION_BENCH=1 swift build --package-path "$root" -c release --product urlsession-bench
  HTTP_BENCH=$(swift build --package-path "$root" -c release --show-bin-path)/http-bench
fi
# In the same folder; omitted if it is not built.
URLSESSION_BENCH=$(dirname "$HTTP_BENCH")/urlsession-bench
python="$work/venv/bin/python"

session() { # KIND REQUESTS CONCURRENCY
  [ -x "$URLSESSION_BENCH" ] || return 0
  "$URLSESSION_BENCH" "$url/$1" "$2" "$3" | sed "s/^/$1\t/" >> "$work/results.tsv"
}

if command -v nginx > /dev/null; then
  python3 -c "print('{\"data\":\"' + 'x' * 2000 + '\"}', end='')" > "$work/www/small"
  head -c 10000000 /dev/zero | tr '\0' 'a' > "$work/www/large"
  port=$(python3 -c "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])")
  cat > "$work/nginx.conf" << CONF
daemon off; user $(id -un); pid $work/nginx.pid; error_log $work/nginx.log; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; default_type application/json;
  client_body_temp_path $work/body; proxy_temp_path $work/proxy; fastcgi_temp_path $work/fastcgi;
  uwsgi_temp_path $work/uwsgi; scgi_temp_path $work/scgi;
  server { listen 127.0.0.1:$port; root $work/www; }
}
CONF
  nginx -c "$work/nginx.conf" 2> /dev/null &
  server=$!
  url="http://127.0.0.1:$port"
  for _ in $(seq 50); do curl -s -o /dev/null "$url/small" && break; sleep 0.1; done
  # An error page must not be measured instead of the file.
  for file in small large; do
    curl -fs -o /dev/null "$url/$file" || { echo "the server does not give /$file: see $work/nginx.log" >&2; exit 1; }
  done
  echo "server: nginx"
else
  mkfifo "$work/hold.$$"
  "$HTTP_BENCH" serve < "$work/hold.$$" > "$work/url" &
  server=$!
  exec 7> "$work/hold.$$"
  rm "$work/hold.$$"
  while [ ! -s "$work/url" ]; do sleep 0.1; done
  url=$(cat "$work/url")
  echo "server: http-bench serve (install nginx for the figures of GOALS.md)"
fi
trap 'kill $server 2> /dev/null || true' EXIT

: > "$work/results.tsv"
for round in $(seq "$rounds"); do
  for concurrency in 1 8 64; do
    for client in ahc plug stack; do
      "$HTTP_BENCH" "$client" "$url/small" "$requests" "$concurrency" | sed 's/^/small\t/' >> "$work/results.tsv"
    done
    session small "$requests" "$concurrency"
    for client in aiohttp httpx; do
      "$python" "$here/peers.py" "$client" "$url/small" "$requests" "$concurrency" | sed 's/^/small\t/' >> "$work/results.tsv"
    done
  done
  for client in ahc plug stack; do
    "$HTTP_BENCH" "$client" "$url/large" 100 1 | sed 's/^/large\t/' >> "$work/results.tsv"
  done
  session large 100 1
  for client in aiohttp httpx; do
    "$python" "$here/peers.py" "$client" "$url/large" 100 1 | sed 's/^/large\t/' >> "$work/results.tsv"
  done
  if command -v curl > /dev/null; then
    # One process with persistent connections and the requested number of concurrent transfers.
    for kind in small large; do
      [ "$kind" = small ] && { count=$requests; parallel=8; } || { count=100; parallel=1; }
      "$python" - "$url/$kind" "$count" "$parallel" "$kind" >> "$work/results.tsv" << 'PY'
import resource, subprocess, sys, time
url, count, parallel, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
size = 2013 if kind == "small" else 10_000_000
start = time.perf_counter()
# The range in the fragment makes curl repeat the transfer on the same connections.
subprocess.run(["curl", "-s", "--no-progress-meter", "-Z", "--parallel-max", parallel, "-o", "/dev/null", f"{url}#[1-{count}]"], check=True, stderr=subprocess.DEVNULL)
seconds = time.perf_counter() - start
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
cost = (usage.ru_utime + usage.ru_stime) / count * 1e6
print(kind, "curl", parallel, int(count / seconds), int(count * size / seconds / 1e6), int(cost), usage.ru_maxrss // 1024, sep="\t")
PY
    done
  fi
done

python3 - "$work/results.tsv" << 'PY'
import collections, statistics, sys
rows = collections.defaultdict(list)
for line in open(sys.argv[1]):
    kind, name, concurrency, *figures = line.rstrip("\n").split("\t")
    rows[kind, int(concurrency), name].append([int(figure) for figure in figures])
medians = {key: [statistics.median(column) for column in zip(*values)] for key, values in rows.items()}
print(f"medians of {len(next(iter(rows.values())))} rounds")
print(f"{'body':6} {'at once':>7} {'client':>10} {'req/s':>8} {'MB/s':>7} {'µs CPU':>7} {'peak MB':>7}")
for (kind, concurrency, name), (rate, speed, cost, peak) in sorted(medians.items(), reverse=True):
    print(f"{kind:6} {concurrency:7} {name:>10} {rate:8.0f} {speed:7.0f} {cost:7.0f} {peak:7.0f}")
for concurrency in (1, 8, 64):
    # The figures of a round are measured one after the other, so that other load affects both.
    ratio = {name: statistics.median(ours[0] / theirs[0] for ours, theirs in zip(
        rows["small", concurrency, "stack"], rows["small", concurrency, name])) for name in ("ahc", "aiohttp")}
    cost = medians["small", concurrency, "ahc"][2] / medians["small", concurrency, "stack"][2]
    print(f"{concurrency} at once: the stack is {ratio['ahc']:.2f} of bare AsyncHTTPClient ({cost:.2f} by processor "
          f"time), {ratio['aiohttp']:.2f} of aiohttp")
PY
echo
"$HTTP_BENCH" layers
"$HTTP_BENCH" bombs
"$HTTP_BENCH" cancels
