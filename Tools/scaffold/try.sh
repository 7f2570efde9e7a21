#!/usr/bin/env bash
# Adds a source to a copy of the project, lints, builds both programs, runs the new source's tests and both programs,
# removes the source, and compares the copy with the original. With a trial, the manual edits of a user are applied as a
# patch and counted, and the new source is used like by a user. Nothing outside the build folder is changed.
#
# usage: Tools/scaffold/try.sh [NAME [option of scaffold …]]
#        Tools/scaffold/try.sh Crates --record Crate --from "$PWD/Apps/Assembly/Gallery/crates.json"
#        Tools/scaffold/try.sh --trial museum     Tools/scaffold/trials/museum: call, by-hand.patch, use.sh
#   SCAFFOLD_FLAGS   further options of 'swift build', such as those of an earlier build in the same folder
#   SCAFFOLD_BUILD   the folder for the build and the copy (.build/scaffold). The packages are built there once; later
#                    runs build only the targets that depend on the new record. The other test targets are removed from
#                    the copy's manifest before it is built, because they are not needed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
trial=
if [ "${1:-}" = --trial ]; then
  trial=$root/Tools/scaffold/trials/$2
  eval "set -- $(grep -v '^#' "$trial/call")"
elif [ $# -eq 0 ]; then
  set -- Weather --record Forecast --path '/forecast/{city}' --fields 'name, wind=wind_kmh:int, rain:bool?, at:time, note?'
fi
name=$1
build=${SCAFFOLD_BUILD:-$root/.build/scaffold}
mkdir -p "$build/try"
build=$(cd "$build" && pwd)
copy=$build/try/project before=$build/try/before

step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }
read -ra flags <<< "${SCAFFOLD_FLAGS:-}"
swiftly() { local verb=$1; shift; swift "$verb" "${flags[@]}" --package-path "$copy" --scratch-path "$build" "$@"; }
bin() { "$build/debug/$1" "${@:2}"; }
# Copies the files of a tree with their times, so that unchanged files are not built again.
mirror() {
  rm -rf "$before" && mkdir -p "$before" "$copy"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard \
    | while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done \
    | xargs -0 cp -p --parents -t "$before")
  (cd "$copy" && find . -path ./.build -prune -o -type f ! -path ./Package.resolved -print0 | while IFS= read -r -d '' file; do
    cmp -s "$file" "$before/$file" || rm -f "$file"; done; find . -mindepth 1 -path ./.build -prune -o -type d -empty -print0 | xargs -0r rmdir -p --ignore-fail-on-non-empty)
  cp -pnR "$before/." "$copy/"
}
test_targets_but() {
  sed -i -E "/^let tests/,/^\]/{/^  \.tests\(\"$1\"/!{/^  \.tests\(.*\),\$/d;/^  \.tests\(\$/,/\),\$/d}}" "$copy/Package.swift"
}

step "a copy of the project"
mirror
touch "$build/try/stamp"
(cd "$copy" && swift build "${flags[@]}" --scratch-path "$build" --product scaffold && swift build "${flags[@]}" --scratch-path "$build" --product archlint)
step "scaffold source $*"
bin scaffold source "$@" --package "$copy"
step "format"
(cd "$copy" && find . -name '*.swift' -newer "$build/try/stamp" -print0 \
  | xargs -0 swift format lint --strict --configuration .swift-format)
step "lint"
bin archlint --package "$copy"
step "build and first tests"
cp -p "$copy/Package.swift" "$build/try/manifest"
test_targets_but "$name"
swiftly build --build-tests --explicit-target-dependency-import-check error
swiftly test --skip-build --filter "${name}Tests"
step "both programs"
"$root/Tools/scaffold/run_both.sh" "$build/debug" "$copy" "$name"
if [ -n "$trial" ]; then
  step "by hand"
  patch --quiet -d "$copy" -p1 < "$trial/by-hand.patch"
  printf '%s files, %s lines put in, %s taken out\n' "$(grep -c '^+++' "$trial/by-hand.patch")" \
    "$(grep -c '^+[^+]' "$trial/by-hand.patch")" "$(grep -c '^-[^-]' "$trial/by-hand.patch")"
  swiftly build --build-tests
  swiftly test --skip-build --filter "${name}Tests"
  step "use it"
  "$root/Tools/scaffold/run_both.sh" "$build/debug" "$copy" "$name"
  "$trial/use.sh" "$build/debug/almanac"
fi
cp -p "$build/try/manifest" "$copy/Package.swift"
step "scaffold remove source $name"
bin scaffold remove source "$name" --package "$copy"
# The build writes Package.resolved if the project has none.
diff -r -x .build -x Package.resolved "$before" "$copy"
step "no trace is left"
