#!/usr/bin/env bash
# Fuzzes the JSON reader and the API parsers with libFuzzer and the address sanitizer:
#   Tests/Fuzz/Parsing/run.sh [SECONDS] [TARGET…]
# An hour each before a release (3600), a minute in CI (60, the default). Findings are written beside the corpus, in
# ALMANAC_FUZZ_FOLDER or a temporary folder; run the printed program with the finding's file to see it again.
# Further seeds: ALMANAC_FIXTURES=DIR. Needs only the Swift toolchain.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(json app-store flickr-photos flickr-person users people person filter)
work=${ALMANAC_FUZZ_FOLDER:-${TMPDIR:-/tmp}/almanac-fuzz}
mkdir -p "$work/build"

features=()
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault; do
  features+=(-enable-upcoming-feature "$feature")
done
common=(-O -swift-version 6 -package-name almanac -parse-as-library -wmo -I "$work/build" -sanitize=fuzzer,address
  "${features[@]}")
for module in Models Ports Parsing; do
  # shellcheck disable=SC2046
  swiftc "${common[@]}" -enforce-exclusivity=checked -module-name "$module" -emit-module \
    -emit-module-path "$work/build/$module.swiftmodule" -emit-object -o "$work/build/$module.o" \
    $(find -L "$root/Modules/$module" -name '*.swift' | sort) > "$work/build/$module.log" 2>&1 ||
    { cat "$work/build/$module.log"; exit 1; }
done

# Small seeds of our own; the fuzzer finds the rest.
seeds="$work/seeds"
mkdir -p "$seeds"
printf '%s' '{"a":[1,-2.5e3,"x\\u00e9\\n",true,false,null],"b":{"c":""}}' > "$seeds/json"
printf '%s' '{"feed":{"entry":[{"im:name":{"label":"N"},"im:image":[{"label":"u","attributes":{"height":"53"}}],"id":{"label":"l","attributes":{"im:id":"1"}},"im:artist":{"label":"A"},"link":{"attributes":{"rel":"alternate","href":"h"}}}]}}' > "$seeds/legacy"
printf '%s' '{"feed":{"updated":"Fri, 1 Mar 2024 17:00:00 +0000","results":[{"artistName":"A","id":"1","name":"N","artworkUrl100":"u","genres":[{"name":"G"}],"releaseDate":"2024-02-29"}]}}' > "$seeds/marketing"
printf '%s' 'jsonFlickrApi({"photos":{"page":1,"pages":"2","total":"3","photo":[{"id":"1","owner":"1@N00","secret":"s","server":1,"title":{"_content":"T"},"tags":"a b","datetaken":"2012-05-17 08:45:10","dateupload":"1337237200","url_m":"u","width_m":"5"}]},"stat":"ok"})' > "$seeds/photos"
printf '%s' '{"person":{"nsid":"1@N00","username":{"_content":"a"},"iconfarm":"1","iconserver":2,"photos":{"count":{"_content":"3"}},"ispro":1},"stat":"ok"}' > "$seeds/person"
printf '%s' '<?xml version="1.0"?><rsp stat="fail"><err code="1" msg="m"/></rsp>' > "$seeds/xml"
printf '%s' '{"data":{"userId":1,"name":"N","email":"e","description":null},"error":{"code":1,"message":"m"}}' > "$seeds/user"
printf '%s' '{"data":[{"id":1,"firstName":"A","lastName":"B","birthday":"1985-04-07T10:00:00Z"},{"firstName":"A","birthday":481680000}]}' > "$seeds/people"
printf '%s' 'Q{"id":"1","a":{"id":[1]},"name":"x\\"y","tags":["a","1"]}' > "$seeds/record"

status=0
for target in "${targets[@]}"; do
  case $target in
    json) source=JSONFuzz.swift define=JSON ;;
    filter) source=FilterFuzz.swift define=FILTER ;;
    *) source=ParserFuzz.swift define=$(tr 'a-z-' 'A-Z_' <<< "$target") ;;
  esac
  program="$work/build/fuzz-$target"
  swiftc "${common[@]}" -D "$define" -module-name Fuzz "$here/$source" "$work/build/Models.o" "$work/build/Ports.o" \
    "$work/build/Parsing.o" -o "$program" > "$work/build/$target.log" 2>&1 || { cat "$work/build/$target.log"; exit 1; }
  corpus="$work/corpus-$target"
  mkdir -p "$corpus"
  folders=("$corpus" "$seeds")
  if [ -n "${ALMANAC_FIXTURES:-}" ]; then
    folders+=("$ALMANAC_FIXTURES/json-suite/test_parsing" "$ALMANAC_FIXTURES/flickr" "$ALMANAC_FIXTURES/rest-users")
  fi
  if "$program" "${folders[@]}" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=1024 \
    -artifact_prefix="$work/$target-" > "$work/$target.txt" 2>&1; then
    echo "$target: 0 findings, $(grep -oE '^stat::number_of_executed_units: +[0-9]+|Done [0-9]+ runs' "$work/$target.txt" | tail -1) in $seconds s"
  else
    echo "$target: a finding, see $work/$target.txt; again with: $program $work/$target-crash-…"
    status=1
  fi
done
exit $status
