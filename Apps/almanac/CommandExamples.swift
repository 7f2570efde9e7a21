/// Two examples of each command, for its help text. A test runs them in a store like that of the demo.
enum CommandExamples {
  /// The examples of a command: its words, as in `people add`.
  static func of(_ path: [String]) -> [String] { all[path.joined(separator: " ")] ?? [] }

  static let all: [String: [String]] = [
    "demo": ["almanac demo", "almanac demo --store try-almanac"],
    "account add": [
      "almanac account add carddav https://dav.example.com --user ada --password-file dav-password",
      "almanac account add carddav http://localhost:5232 --name local --user ada --password-env DAV_PASSWORD",
    ],
    "account list": ["almanac account list", "almanac account list --format json"],
    "account show": ["almanac account show home", "almanac account show home --format json"],
    "store copy": [
      "almanac store copy \"$ALMANAC_STORE\" copied", "almanac store copy \"$ALMANAC_STORE\" another --format json",
    ],
    "follow": [
      "almanac follow app-store/us/top-free/games --limit 50 --every 6h", "almanac follow people --pause",
    ],
    "unfollow": ["almanac unfollow app-store/us/top-paid", "almanac unfollow users/ada"],
    "following": ["almanac following", "almanac following --format json"],
    "sync": ["almanac sync", "almanac sync users/ada --dry-run"],
    "source new": [
      "almanac source new https://people.example.com/people --name shop",
      "almanac source new https://people.example.com/people --name shop --save",
    ],
    "source check": ["almanac source check", "almanac source check --format json"],
    "source try": ["almanac source try people", "almanac source try flickr/search/cats --limit 2 --show 1"],
    "source list": ["almanac source list", "almanac source list --format csv"],
    "source show": ["almanac source show flickr", "almanac source show people --format json"],
    "source import": [
      "almanac source import manifest.yaml --name market --dry-run",
      "almanac source import manifest.yaml --name market --set region=eu",
    ],
    "source add": ["almanac source add github", "almanac source add hackernews"],
    "source remove": ["almanac source remove github", "almanac source remove hackernews --quiet"],
    "source trust": ["almanac source trust shop", "almanac source trust shop --quiet"],
    "source login": ["almanac source login shop", "almanac source login shop --device"],
    "source schema": ["almanac source schema", "almanac source schema > source.schema.json"],
    "list": [
      "almanac list people --where 'birthday is absent'",
      "almanac list apps --sort -releaseDate --limit 10 --columns id,name,releaseDate",
    ],
    "show": ["almanac show people 'Tove Lindqvist'", "almanac show profiles ada --at now --format json"],
    "history list": ["almanac history people 'Tove Lindqvist'", "almanac history --since 7d --by sync --limit 20"],
    "history keep": ["almanac history keep photos 1y --yes", "almanac history keep apps 90d --daily name --yes"],
    "history status": ["almanac history status", "almanac history status --format json"],
    "blame": ["almanac blame people 'Tove Lindqvist'", "almanac blame profiles ada --format json"],
    "diff": ["almanac diff commit:1", "almanac diff commit:1 now --in people"],
    "forget": ["almanac forget people/r-p-103 --yes", "almanac forget profiles/ada --yes --format json"],
    "open": ["almanac open photos 54310566014 --print", "almanac open apps Procrux --print"],
    "edit": [
      "almanac edit tasks 7 --set content='Buy milk' --clear dueOn",
      "almanac edit tasks --new --set content='Buy bread'",
    ],
    "search": ["almanac search ada", "almanac search lost signal --in apps"],
    "charts top": [
      "almanac charts top app-store/us/top-paid --limit 10",
      "almanac charts top app-store/us/top-paid --format csv > top.csv",
    ],
    "charts movers": [
      "almanac charts movers app-store/us/top-paid --since 1d", "almanac charts movers app-store/us/top-paid --limit 5",
    ],
    "charts prices": ["almanac charts prices --drops --since 7d", "almanac charts prices 'Quillbox Notes'"],
    "charts history": [
      "almanac charts history Procrux", "almanac charts history app-store/us/top-paid 'Quillbox Notes' --svg rank.svg",
    ],
    "genre list": ["almanac genre list", "almanac genre list --format csv"],
    "photos": ["almanac photos --limit 10", "almanac photos --owner okonski"],
    "birthdays": ["almanac birthdays --days 60", "almanac birthdays --ics birthdays.ics --alarm 9h"],
    "status": ["almanac status", "almanac status --format json"],
    "mcp serve": ["almanac mcp < /dev/null", "almanac mcp --quiet < /dev/null"],
    "mcp log": ["almanac mcp log --limit 20", "almanac mcp log --format json"],
    "people list": ["almanac people list", "almanac people list --format csv > people.csv"],
    "people show": ["almanac people show 'Tove Lindqvist'", "almanac people show r-p-103 --format json"],
    "people add": [
      "almanac people add --first Ada --last Lovelace --birthday 1815-12-10",
      "almanac people add '李小龙' --birthday '27 Nov'",
    ],
    "account password": ["almanac account password home", "almanac account password home < new-password"],
    "account remove": ["almanac account remove home --yes", "almanac account remove work --source carddav --yes"],
    "people import": ["almanac people import contacts.vcf", "cat contacts.vcf | almanac people import -"],
    "people edit": [
      "almanac people edit 'Tove Lindqvist' --birthday 1984-01-10",
      "almanac people edit 'Hugo Dorval' --last Dorvall --email 'work: hugo@example.org (preferred)'",
    ],
    "people remove": ["almanac people remove 'Bruno Castellan' --yes", "almanac people remove r-p-103 --yes"],
    "people duplicates": [
      "almanac people duplicates", "almanac people duplicates --score likely --format json",
    ],
    "people merge": [
      "almanac people merge r-p-107 r-p-108 --prefer a", "almanac people merge r-p-107 r-p-105 --prefer b --quiet",
    ],
    "people move": [
      "almanac people move 'Tove Lindqvist' --to carddav/home/friends",
      "almanac people move 'Nils Norrby' 'Hugo Dorval' --to carddav/home/friends",
    ],
    "people copy": [
      "almanac people copy 'Tove Lindqvist' --to carddav/home/friends",
      "almanac people copy 'Nils Norrby' --to carddav/work/contacts",
    ],
    "people group list": ["almanac people group list", "almanac people group list --format json"],
    "people group add": [
      "almanac people group add family 'Tove Lindqvist' 'Hugo Dorvall'",
      "almanac people group add choir 'Nils Norrby' 'Hugo Dorvall'",
    ],
    "people group create": [
      "almanac people group create choir --to carddav/home/contacts",
      "almanac people group create family 'Tove Lindqvist' --to carddav/home/contacts",
    ],
    "people group rename": [
      "almanac people group rename choir 'the choir'", "almanac people group rename 'the choir' choir --quiet",
    ],
    "people group delete": [
      "almanac people group delete choir --yes", "almanac people group delete family --yes --quiet",
    ],
    "people group remove": [
      "almanac people group remove family 'Tove Lindqvist'", "almanac people group remove choir 'Nils Norrby'",
    ],
    "people send": ["almanac people send", "almanac people send 'Nils Norrby'"],
    "people fetch": ["almanac people fetch", "almanac people fetch --quiet"],
    "profile show": ["almanac profile show ada", "almanac profile show ada --format json"],
    "profile set": ["almanac profile set ada --name 'Ada King'", "almanac profile set ada --clear-description"],
    "outbox list": ["almanac outbox", "almanac outbox list --format json"],
    "outbox log": ["almanac outbox log", "almanac outbox log --format json"],
    "outbox show": ["almanac outbox show ada", "almanac outbox show profiles/ada --format json"],
    "outbox approve": ["almanac outbox approve --all", "almanac outbox approve --all --format json"],
    "outbox reject": ["almanac outbox reject --all", "almanac outbox reject --all --format json"],
    "outbox retry": ["almanac outbox retry", "almanac outbox retry ada"],
    "outbox resolve": [
      "almanac outbox resolve --all --take mine", "almanac outbox resolve --all --take theirs --format json",
    ],
    "outbox discard": ["almanac outbox discard ada --yes", "almanac outbox discard profiles/ada --yes"],
    "undo": ["almanac undo --yes", "almanac undo --list --format json"],
    "media list": ["almanac media", "almanac media list --in photos --limit 5"],
    "media export": ["almanac media export pictures", "almanac media export pictures --in photos"],
    "media fetch": ["almanac media fetch --max-bytes 20M", "almanac media fetch --quiet"],
    "export": [
      "almanac export people --out contacts-copy.vcf", "almanac export --all export --to csv",
    ],
    "import": ["almanac import people.jsonl", "cat people.jsonl | almanac import - --collection people"],
    "changes": ["almanac changes", "almanac changes | tail -n 1"],
    "backup": ["almanac backup backup", "almanac backup backup --quiet"],
    "restore": ["almanac restore backup --yes", "almanac restore backup --store restored"],
    "doctor": ["almanac doctor", "almanac doctor --repair"],
    "compact": ["almanac compact", "almanac compact --quiet"],
    "config get": ["almanac config get", "almanac config get servers.people.url"],
    "config set": [
      "almanac config set daemon.openMetrics true", "almanac config set servers.people.url https://people.example.com",
    ],
    "config unset": ["almanac config unset daemon.openMetrics", "almanac config unset follows[0].every"],
    "config edit": ["almanac config edit", "almanac config edit --config other.json"],
    "config path": ["almanac config path", "cat \"$(almanac config path)\""],
    "config check": ["almanac config check", "almanac config check --config other.json"],
    "dashboard": ["almanac dashboard", "almanac dashboard --open"],
    "manual": ["almanac manual > almanac.1", "almanac manual --out almanac.1"],
    "version": ["almanac version", "almanac version --format json"],
    "completion": ["source <(almanac completion bash)", "almanac completion zsh > _almanac"],
  ]
}
