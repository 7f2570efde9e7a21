#!/usr/bin/env bash
# Adds a source to a copy of the project, builds everything, lints, runs the new source's tests, takes the source out
# again, and compares the copy with the original. Nothing outside the copy and the build folder is touched.
#
# usage: Tools/scaffold/try.sh [NAME [option of scaffold …]]
#   SCAFFOLD_BUILD   where to build (.build/scaffold); SCAFFOLD_BUILD=.build is quicker, but the project's own modules
#                    are then built again the next time.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -eq 0 ]; then
  set -- Weather --record Forecast --path '/forecast/{city}' --fields 'name, wind=wind_kmh:int, rain:bool?, at:time, note?'
fi
name=$1
build=${SCAFFOLD_BUILD:-$root/.build/scaffold}
mkdir -p "$build"
build=$(cd "$build" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/project
mkdir "$copy"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy" 2>/dev/null) || true
cp -a "$copy" "$work/before"
touch "$work/before"

step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }
swiftly() { local verb=$1; shift; swift "$verb" --package-path "$copy" --scratch-path "$build" "$@"; }

step "scaffold source $*"
swiftly run scaffold source "$@" --package "$copy"
step "format"
(cd "$copy" && find . -name '*.swift' -newer "$work/before" -print0 \
  | xargs -0 swift format lint --strict --configuration .swift-format)
step "build"
swiftly build --build-tests --explicit-target-dependency-import-check error
step "lint"
swiftly run --skip-build archlint --package "$copy"
step "first tests"
swiftly test --skip-build --filter "${name}Tests"
step "scaffold remove source $name"
swiftly run --skip-build scaffold remove source "$name" --package "$copy"
diff -r "$work/before" "$copy"
step "no trace is left"
