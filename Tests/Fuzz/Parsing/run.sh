#!/usr/bin/env bash
# Fuzzes every parser of Modules/Parsing with libFuzzer and the address sanitizer; README.md tells what each target claims.
#   Tests/Fuzz/Parsing/run.sh [SECONDS] [TARGET…]
# An hour each before a release (3600), a minute in CI (60, the default); 0 builds the programs only. Findings are written
# beside the corpus, in ALMANAC_FUZZ_FOLDER or a temporary folder; run the printed program with the finding's file to see
# it again. ALMANAC_FUZZ_JOBS=N runs N targets at a time (1), ALMANAC_FIXTURES=DIR gives further seeds, and
# ALMANAC_FUZZ_TIMEOUT (30) is how many seconds one text may take, by the clock: more where other work starves the
# fuzzer. Needs only the Swift toolchain.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(
  json app-store flickr-photos flickr-person users people person filter records shapes xml vcard calendar settings
  definition paths answers expressions proposals)
work=${ALMANAC_FUZZ_FOLDER:-${TMPDIR:-/tmp}/almanac-fuzz}
jobs=${ALMANAC_FUZZ_JOBS:-1}
mkdir -p "$work/build"

features=()
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault; do
  features+=(-enable-upcoming-feature "$feature")
done
common=(-O -swift-version 6 -package-name almanac -parse-as-library -wmo -I "$work/build" -sanitize=fuzzer,address
  "${features[@]}")
built=false
for module in CLibrary Models Ports Parsing; do
  object="$work/build/$module.o"
  if ! $built && [ -f "$object" ] && [ -z "$(find -L "$root/Modules/$module" -name '*.swift' -newer "$object" -print -quit)" ]
  then continue; fi
  built=true # and so are those that use it
  # shellcheck disable=SC2046
  swiftc "${common[@]}" -enforce-exclusivity=checked -module-name "$module" -emit-module \
    -emit-module-path "$work/build/$module.swiftmodule" -emit-object -o "$work/build/$module.o" \
    $(find -L "$root/Modules/$module" -name '*.swift' | sort) > "$work/build/$module.log" 2>&1 ||
    { cat "$work/build/$module.log"; exit 1; }
done

# Small seeds of our own, each for the targets that read its kind; the fuzzer finds the rest.
seeds="$work/seeds"
mkdir -p "$seeds/json" "$seeds/cards" "$seeds/config" "$seeds/names" "$seeds/definitions" "$seeds/paths" "$seeds/xml"
cp "$root"/Apps/Assembly/Gallery/*.json "$seeds/definitions"
seed() { printf '%s' "$2" > "$seeds/$1"; }
seed json/json '{"a":[1,-2.5e3,"x\u00e9\n",true,false,null],"b":{"c":""}}'
seed json/legacy '{"feed":{"entry":[{"im:name":{"label":"N"},"im:image":[{"label":"u","attributes":{"height":"53"}}],"id":{"label":"l","attributes":{"im:id":"1"}},"im:artist":{"label":"A"},"link":{"attributes":{"rel":"alternate","href":"h"}}}]}}'
seed json/marketing '{"feed":{"updated":"Fri, 1 Mar 2024 17:00:00 +0000","results":[{"artistName":"A","id":"1","name":"N","artworkUrl100":"u","genres":[{"name":"G"}],"releaseDate":"2024-02-29"}]}}'
seed json/photos 'jsonFlickrApi({"photos":{"page":1,"pages":"2","total":"3","photo":[{"id":"1","owner":"1@N00","secret":"s","server":1,"title":{"_content":"T"},"tags":"a b","datetaken":"2012-05-17 08:45:10","dateupload":"1337237200","url_m":"u","width_m":"5"}]},"stat":"ok"})'
seed json/person '{"person":{"nsid":"1@N00","username":{"_content":"a"},"iconfarm":"1","iconserver":2,"photos":{"count":{"_content":"3"}},"ispro":1},"stat":"ok"}'
seed json/xml '<?xml version="1.0"?><rsp stat="fail"><err code="1" msg="m"/></rsp>'
seed json/user '{"data":{"userId":1,"name":"N","email":"e","description":null},"error":{"code":1,"message":"m"}}'
seed json/people '{"data":[{"id":1,"firstName":"A","lastName":"B","birthday":"1985-04-07T10:00:00Z"},{"firstName":"A","birthday":481680000}]}'
seed json/record 'Q{"id":"1","a":{"id":[1]},"name":"x\"y","tags":["a","1"]}'
seed cards/2.1 $'BEGIN:VCARD\r\nVERSION:2.1\r\nitem1.N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FC=\r\nller;J=F6rg\r\nBDAY:19850407\r\nEND:VCARD\r\n'
seed cards/3.0 $'BEGIN:VCARD\nVERSION:3.0\nN;X="a:b":Berg,x;An\\;na\nAGENT:\nBEGIN:VCARD\nFN:x\nEND:VCARD\nPHOTO;ENCODING=b:AAAA\n AAAA==\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-02-03\nEND:VCARD\n'
seed cards/4.0 $'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Bo O\r\n  ak\r\nBDAY;VALUE=text:circa 1800\r\nBDAY;ALTID=1:--0203\r\nEND:VCARD\r\n'
seed cards/details $'BEGIN:VCARD\r\nVERSION:3.0\r\nN:A;B;C;D;E\r\nitem1.EMAIL;type=HOME:a@b\r\nitem1.X-ABLabel:_$!<Work>!$_\r\nTEL;CELL:1\r\nADR;TYPE=x:;;s;c;r;p;l\r\nNOTE:a\\nb\r\nCATEGORIES:a,b\r\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\nEND:VCARD\r\n'
seed config/whole '{"servers":{"flickr":{"url":"http://a/","apiKey":{"env":"K"}}},"follows":[{"follow":"a","limit":5,"every":"1h"},{"follow":"b","genre":6}],"daemon":{"listen":"a:1"}}'
seed config/empty $'{\n\t"follows" : [ ]\n}\n'
seed paths/path "\$.a['b c'][0][-1].*[*]"
seed paths/template '/a/{x}/{+$.b}{?c,d}{&e}'
seed json/answer '{"t":"T","more":true,"a":[{"id":1,"t":"x","n":12.5,"at":"2026-01-02T03:04:05Z","b":1,"l":[{"x":"y"}]}],"c":{"id":[1],"t":["a"]},"m":{"k":{"id":"z","t":"t"}}}'
seed json/recording '{"log":{"entries":[{"request":{"method":"GET","url":"https://s.example/i"},"response":{"status":200,"headers":[],"content":{"text":"[{\"id\":1}]"}}}]}}'
seed json/openapi '{"openapi":"3.0.0","servers":[{"url":"https://s.example"}],"paths":{"/i/{x}":{"get":{"parameters":[{"name":"page","in":"query"}],"responses":{"200":{"content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/I"}}}}}}}}},"components":{"schemas":{"I":{"type":"object","properties":{"id":{"type":"integer"}}}}}}'
seed xml/multistatus '<?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:" xmlns:C="c"><D:response><D:href>/a%20b</D:href><D:propstat><D:prop><D:getetag>&quot;1&quot;</D:getetag><C:data t="v">N:&amp;&#13;</C:data></D:prop></D:propstat></D:response></D:multistatus>'
seed xml/namespaces $'<!-- c --><a xmlns="u" xmlns:p=\'v\' p:x="&#x41;"><b xmlns=""/><p:c xmlns:p="w"><![CDATA[<]]></p:c>\r\n<?pi d?></a>'
seed names/plain 'abcdefghMüller, Jörg; \ "x" and a name that is longer than one line of a calendar may be'

# Words that a mutation would take long to find.
words="$work/words"
mkdir -p "$words"
printf '"%s"\n' BEGIN:VCARD END:VCARD VERSION: N: FN: EMAIL\;TYPE=HOME: TEL: ADR: NOTE: CATEGORIES: PHOTO: item1. X-ABLABEL: BDAY: BDAY\;VALUE=text: AGENT: ORG: NICKNAME: CHARSET= ISO-8859-1 \
  UTF-16 WINDOWS-1252 ENCODING=QUOTED-PRINTABLE X-APPLE-OMIT-YEAR= CALSCALE= -- 0229 19850407T101112Z =0D=0A > "$words/cards"
printf '"%s"\n' '<![CDATA[' ']]>' '<!--' '-->' '<?' '?>' '</' '/>' xmlns= xmlns:p= '&amp;' '&#x' '&#13;' '<!DOCTYPE' xml:lang DAV: \
  > "$words/xml"
printf '"%s"\n' servers follows follow limit every genre feed daemon listen openMetrics url apiKey env file flickr \
  marketing 1h http:// '{' '}' '[' ']' ',' ':' '\\u00' > "$words/config"
printf '"%s"\n' almanac source url headers auth kind bearer oauth2 budget calls per errors status means pages link next cursor \
  page offset last size count more collections id fields table media follows get post body take records columns only gone \
  into since field token complete each for when edits read update patch send delete 'text $.' 'time(epoch)' '{x}' '$$' '{' '}' \
  > "$words/definitions"
printf '"%s"\n' '$' '$$' '^' '#' '[*]' '.*' '{x}' '{+' '{?' '{&' > "$words/paths"
printf '"%s"\n' feed entry results label attributes im:id im:name im:image im:artist im:price im:rating height amount \
  artworkUrl100 photos photo person owner nsid _content stat fail code jsonFlickrApi data error userId email firstName \
  lastName birthday '\\ud83d' '\\u0000' null true 1e400 -0 > "$words/json"

kind() {
  case $1 in
    vcard) echo cards ;;
    calendar) echo names ;;
    settings) echo config ;;
    definition) echo definitions ;;
    paths | expressions) echo paths ;;
    xml) echo xml ;;
    *) echo json ;;
  esac
}

build() {
  local target=$1 source=ParserFuzz.swift
  case $target in
    json) source=JSONFuzz.swift ;;
    filter) source=FilterFuzz.swift ;;
    records | shapes) source=RecordsFuzz.swift ;;
    vcard | calendar) source=ContactsFuzz.swift ;;
    settings) source=SettingsFuzz.swift ;;
    definition | paths | answers | expressions | proposals) source=DefinitionFuzz.swift ;;
    xml) source=XMLFuzz.swift ;;
  esac
  swiftc "${common[@]}" -D "$(tr 'a-z-' 'A-Z_' <<< "$target")" -module-name Fuzz "$here/$source" \
    "$work/build/CLibrary.o" "$work/build/Models.o" "$work/build/Ports.o" "$work/build/Parsing.o" -o "$work/build/fuzz-$target" \
    > "$work/build/$target.log" 2>&1 || { cat "$work/build/$target.log"; return 1; }
}

# Prints executions and processor time, of this process alone: under load an hour by the clock may be little work.
fuzz() {
  local target=$1 program="$work/build/fuzz-$1" corpus="$work/corpus-$1" folders status=0 TIMEFORMAT='%U %S'
  mkdir -p "$corpus"
  folders=("$corpus" "$seeds/$(kind "$target")")
  if [ -n "${ALMANAC_FIXTURES:-}" ]; then
    case $(kind "$target") in
      json) folders+=("$ALMANAC_FIXTURES/json-suite/test_parsing" "$ALMANAC_FIXTURES/flickr" "$ALMANAC_FIXTURES/rest-users") ;;
      cards) folders+=("$ALMANAC_FIXTURES/vcard") ;;
    esac
  fi
  local options=(-max_total_time="$seconds" -max_len=8192 -timeout="${ALMANAC_FUZZ_TIMEOUT:-30}" -rss_limit_mb=1024 -print_final_stats=1
    -artifact_prefix="$work/$target-")
  [ ! -f "$words/$(kind "$target")" ] || options+=(-dict="$words/$(kind "$target")")
  { time "$program" "${folders[@]}" "${options[@]}" > "$work/$target.txt" 2>&1; } 2> "$work/$target.time" || status=$?
  local runs processor
  runs=$(grep -oE 'number_of_executed_units: +[0-9]+' "$work/$target.txt" | grep -oE '[0-9]+$' | tail -1 || true)
  processor=$(tail -1 "$work/$target.time" | awk '{ printf "%.1f", ($1 + $2) / 60 }')
  if [ "$status" = 0 ]; then
    echo "$target: 0 findings, ${runs:-?} executions, $processor minutes of processor in $seconds s"
  else
    echo "$target: a finding, see $work/$target.txt; again with: $program $work/$target-crash-…"
    return 1
  fi
}

for target in "${targets[@]}"; do build "$target"; done
[ "$seconds" != 0 ] || exit 0
status=0
running=()
for target in "${targets[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  fuzz "$target" &
  running+=($!)
done
for process in "${running[@]}"; do wait "$process" || status=1; done
exit $status
