#!/usr/bin/env bash
# Runs the tests of the daemon, of the sync engine and of the transports under the thread sanitizer.
#
#   Tests/AlmanacdTests/thread_sanitizer.sh [WORK-FOLDER] [swift test options, such as --filter SyncTests]
#
# The standard library's Mutex is made of futexes that the sanitizer does not see on Linux: it reports every value behind
# one. So a copy of the package is built in which a mutex of the same shape, made of a pthread mutex, takes its place.
# What the programs that the tests start report is collected as well. Ends with 1 where anything was reported.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
work=${1:-${TMPDIR:-/tmp}/almanac-tsan}
shift || true
mkdir -p "$work/reports"
# What was built there before stays; a file that has gone since must not.
rm -rf "$work"/reports/* "$work"/{Package.swift,Modules,Apps,Tests,Tools}
(cd "$here" && git ls-files -z Package.swift Package.resolved Modules Apps Tests Tools | tar c --null -T - --ignore-failed-read 2> /dev/null) \
  | tar x -C "$work"
mkdir -p "$work/Visible"
cat > "$work/Visible/Mutex.swift" <<'SWIFT'
import Glibc

/// A mutex that the thread sanitizer sees.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  public init(_ value: consuming sending Value) {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
SWIFT
cd "$work"
grep -rl --include='*.swift' '^import Synchronization' Modules Apps Tests Tools | while read -r file; do
  if grep -qE '\<Atomic[<(]' "$file"; then
    sed -i -E 's/^import Synchronization$/import Synchronization\nimport Visible/; s/\<Mutex([<(])/Visible.Mutex\1/g' "$file"
  else
    sed -i 's/^import Synchronization$/import Visible/' "$file"
  fi
done
sed -i 's/"HOME": program.folder,/"HOME": program.folder, "TSAN_OPTIONS": ProcessInfo.processInfo.environment["TSAN_OPTIONS"] ?? "",/' \
  Tests/AlmanacTesting/Program.swift
python3 - <<'PY'
import re
text = open("Package.swift").read()
tests = re.search(r"let tests: \[Target\] = \[\n(.*?)\n\]", text, re.S).group(1)
entries = re.findall(r"^  \.(?:.|\n)*?(?=^  \.|\Z)", tests + "\n", re.M)
kept = [one for one in entries if re.search(r'"(AlmanacTesting|Networking|AsyncHTTPTransport|Sync|Almanacd)"', one.split(",")[0])]
text = text.replace(tests, "".join(kept).rstrip())
tools = re.search(r"let tools: \[Target\] = \[\n(.*?)\n\]", text, re.S).group(1)
text = text.replace(tools, '  .library("UpstreamKit", at: "Tools/upstream/Kit"),')
text = text.replace("for target in package.targets {", '''for target in package.targets { target.dependencies.append("Visible") }
package.targets.append(.target(name: "Visible", path: "Visible"))

for target in package.targets {''')
open("Package.swift", "w").write(text)
PY
swift build --build-tests --sanitize=thread ${ALMANAC_BUILD_OPTIONS:-}
export TSAN_OPTIONS="log_path=$work/reports/report exitcode=0"
# Everything takes ten times as long: one test after the other, so that the limits of time stay true.
export ALMANAC_SLOW_CLIENTS=${ALMANAC_SLOW_CLIENTS:-50}
status=0
# What a process may hold cannot be measured where the sanitizer holds several times as much: no bombs.
swift test --skip-build --sanitize=thread --no-parallel --skip DaemonBombTests --skip aBombBehindALargeAnswerIsBounded "$@" || status=$?
if compgen -G "$work/reports/*" > /dev/null; then
  cat "$work"/reports/* | grep -h '^SUMMARY' | sort | uniq -c
  echo "races: see $work/reports"
  exit 1
fi
echo "thread sanitizer: nothing reported (swift test ended with $status)"
exit "$status"
