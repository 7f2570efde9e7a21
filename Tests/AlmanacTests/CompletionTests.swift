import AlmanacTesting
import Foundation
import Testing

/// The scripts that complete commands in a shell.
@Suite final class CompletionTests: ProgramTests {
  /// A program with follows, people, a photo and an app.
  private func filled() async throws -> Program {
    try await almanac.run(
      "follow", "app-store/us/top-free", "users/ada", "flickr/photos/83136939@N00", "flickr/photos/83136940@N00",
      exits: 0)
    for (name, lines) in [
      (
        "people",
        [
          #"{"id":"p-1","firstName":"Ada","lastName":"Lovelace","birthday":"1815-12-10","groups":["Engine club"]}"#,
          #"{"id":"p-2","firstName":"$(touch","lastName":"injected)","birthday":"1815-12-10"}"#,
          #"{"id":"p-3","firstName":"`touch","lastName":"injected`","birthday":"1815-12-10"}"#,
        ]
      ),
      ("profiles", [#"{"id":"grace","name":"Grace","email":"g@x"}"#]),
    ] {
      try await almanac.load(name, lines)
    }
    let account = ["config", "set", "servers.carddav.accounts.home.url", "https://dav.example"]
    try await almanac.run(account, exits: 0)
    try await almanac.run("source", "add", "todoist", exits: 0)
    return almanac
  }

  @Test func aScriptForEachShell() async throws {
    for shell in ["zsh", "fish"] {
      #expect(try await almanac.run("completion", shell, exits: 0, out: "almanac").out.count > 10_000)
    }
    try await almanac.run("completion", "csh", exits: 64)
  }

  /// What bash offers for each line, with the words as it splits them: at '@', '=' and ':' as well.
  private func completed(_ lines: [String], _ almanac: Program) async throws -> [[String]] {
    _ = try almanac.file("lines", lines.map { $0 + "\n" }.joined())
    _ = try almanac.file(
      "complete.bash",
      #"""
      source <(almanac completion bash)
      function=$(complete -p almanac | sed 's/.*-F //; s/ .*//')
      while IFS= read -r line; do
        (
          COMP_LINE="$line" COMP_POINT=${#line} COMP_TYPE=9 COMP_KEY=9 COMP_WORDS=() word=""
          for ((i = 0; i < ${#line}; i++)); do
            c="${line:i:1}"
            case "$c" in
            ' ') [[ -n "$word" ]] && COMP_WORDS+=("$word"); word="" ;;
            [@=:]) [[ -n "$word" ]] && COMP_WORDS+=("$word"); COMP_WORDS+=("$c"); word="" ;;
            *) word+="$c" ;;
            esac
          done
          [[ -n "$word" || "$c" == ' ' ]] && COMP_WORDS+=("$word")
          COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          "$function" almanac "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
          printf '%s\n' "${COMPREPLY[@]}"
        ) < /dev/null
        echo =
      done < lines
      """#)
    let result = try await almanac.shell(
      "mkdir -p bin && ln -sf \"$PROGRAM\" bin/almanac && PATH=$PWD/bin:$PATH exec bash complete.bash")
    let found = result.out.split(separator: "\n").split(separator: "=", omittingEmptySubsequences: false)
    try #require(found.count == lines.count + 1, "\(result)")
    return found.dropLast().map { $0.map(String.init).sorted() }
  }

  private static let expected: [(String, [String])] = [
    ("almanac list pe", ["people"]), ("almanac sync app", ["app-store/us/top-free"]), ("almanac outb", ["outbox"]),
    (
      "almanac follow app-store/us/top-",
      ["app-store/us/top-free", "app-store/us/top-grossing", "app-store/us/top-paid"]
    ),
    ("almanac unfollow us", ["users/ada"]), ("almanac charts top app-store/u", ["app-store/us/top-free"]),
    ("almanac unfollow flickr/photos/8313694", ["flickr/photos/83136940@N00"]),
    ("almanac unfollow flickr/photos/83136940@", ["N00"]), ("almanac unfollow flickr/photos/83136940@N", ["N00"]),
    ("almanac show people Ad", ["Ada Lovelace"]), ("almanac show people p-1", ["p-1"]),
    ("almanac people group list Eng", ["Engine club"]), ("almanac people group add Eng", ["Engine club"]),
    ("almanac people group rename Eng", ["Engine club"]), ("almanac people group delete Eng", ["Engine club"]),
    ("almanac people remove Ad", ["Ada Lovelace"]), ("almanac people remove \"Ad", ["Ada Lovelace"]),
    ("almanac profile show gr", ["grace"]),
    ("almanac list people --where birt", ["birthday"]), ("almanac list people --sort -birt", ["-birthday"]),
    ("almanac list people --columns firstName,birt", ["firstName,birthday"]),
    ("almanac list people --columns birthday,birt", []), ("almanac people list --columns birt", ["birthday"]),
    ("almanac people list --sort -birt", ["-birthday"]), ("almanac people list --where birt", ["birthday"]),
    ("almanac export peo", ["people"]), ("almanac follow app-store/us/top-free --genre phot", ["photo-video"]),
    ("almanac list people --format js", ["json", "jsonl"]), ("almanac source show fl", ["flickr"]),
    ("almanac charts top u", []), ("almanac charts movers fl", []), ("almanac charts history x --chart u", []),
    ("almanac edit ", ["groups", "tasks"]), ("almanac edit tasks 7 --clear no", ["notes"]), ("almanac edit pe", []),
    ("almanac undo --l", ["--list"]), ("almanac undo --y", ["--yes"]), ("almanac unfollow users/ada --pu", ["--purge"]),
    ("almanac account ad", ["add"]), ("almanac account add carddav --us", ["--user"]),
    ("almanac account remove ho", ["home"]), ("almanac account show ho", ["home"]),
    ("almanac account add cal", ["caldav"]), ("almanac account remove home --source card", ["carddav"]),
    ("almanac follow carddav/h", ["carddav/home/"]), ("almanac source remove fl", []),
    ("almanac charts prices p", []), ("almanac media export --in ph", ["photos"]), ("almanac store c", ["copy"]),
    ("almanac source add lob", ["lobsters"]), ("almanac source tr", ["trust", "try"]),
    (
      "almanac config set servers.fl",
      [
        "servers.flickr.apiKey", "servers.flickr.caFile", "servers.flickr.certFile", "servers.flickr.keyFile",
        "servers.flickr.url",
      ]
    ),
    ("almanac config unset servers.flickr.a", ["servers.flickr.apiKey"]), ("almanac restore --ye", ["--yes"]),
    ("almanac show people/Ad", ["people/Ada Lovelace"]), ("almanac blame profiles/gr", ["profiles/grace"]),
    ("almanac show peo", ["people"]), ("almanac show nothing/x", []), ("almanac forget people/p-1", ["people/p-1"]),
    ("almanac history pe", ["people"]), ("almanac history people/Ad", ["people/Ada Lovelace"]),
    ("almanac history people Ad", ["Ada Lovelace"]), ("almanac history k", ["keep"]),
    ("almanac history keep peo", ["people"]), ("almanac history --unt", ["--until"]),
    ("almanac history --by und", ["undo"]), ("almanac history people s", []), ("almanac outbox --qui", ["--quiet"]),
    ("almanac restore peo", ["people"]), ("almanac restore people/Ad", ["people/Ada Lovelace"]),
    ("almanac restore b", ["bin"]), ("almanac import people.js", ["people.jsonl"]),
    ("almanac --quiet list peo", ["people"]),
  ]

  @Test func bashCompletes() async throws {
    let found = try await completed(Self.expected.map(\.0), filled())
    for ((line, words), found) in zip(Self.expected, found) {
      // What is inserted has quotes, unless there is one before it.
      let quoted = line.contains("\"") ? words : words.map { $0.replacing(" ", with: "\\ ") }
      #expect(found == quoted, "\(line)")
    }
  }

  /// compgen(1) expands what it is given: a name from a server must not run as a command.
  @Test func aNameIsNeverExpanded() async throws {
    let almanac = try await filled()
    let lines = ["almanac show people ", "almanac show people $(to", "almanac show people `to"]
    #expect(try await completed(lines, almanac)[0].contains("p-2"))
    for folder in [almanac.folder, almanac.folder + "/bin"] {
      #expect(!FileManager.default.fileExists(atPath: folder + "/injected"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/injected)"))
    }
  }

  /// Runs a script of a shell in which `almanac` is the program; `nil` where the machine does not have the shell.
  private func lines(of script: String, in shell: String) async throws -> [String]? {
    let almanac = try await filled()
    _ = try almanac.file("script", script)
    let found = try await almanac.shell(
      """
      command -v \(shell) > found || exit 0
      mkdir -p bin && ln -sf "$PROGRAM" bin/almanac && PATH=$PWD/bin:$PATH exec timeout 300 \(shell) script
      """)
    let isThere = !(try contents(almanac.folder + "/found")).isEmpty
    return isThere ? found.out.split(separator: "\n").map(String.init) : nil
  }

  /// What fish offers for each line, without what it means.
  @Test func fishCompletes() async throws {
    let expected = [
      ("unfollow us", "users/ada"), ("show people Ad", "Ada Lovelace"), ("list peo", "people"),
      ("list people --sort -birt", "-birthday"), ("list people --sort birt", "birthday"), ("undo --l", "--list"),
      ("unfollow users/ada --pu", "--purge"), ("account ad", "add"), ("source add lob", "lobsters"),
      ("config set servers.flickr.u", "servers.flickr.url"),
    ]
    let script = expected.map { #"complete -C "almanac \#($0.0)" | cut -f 1"# }.joined(separator: "\n")
    let found = try await lines(of: "almanac completion fish | source\n\(script)", in: "fish")
    #expect(found == nil || found == expected.map(\.1))
  }

  /// Lines are typed into zsh, a tab completes the last word, and what the command then prints tells which word it was.
  @Test func zshCompletes() async throws {
    let expected = [
      ("undo --l", "too many records"), ("unfollow users/ada --pu", "remove its records"),
      ("account li", "dav.example"), ("source add lob", "lobsters.json"),
      ("config unset servers.users.u", "servers.users.url is not set"),
      ("unfollow us", "no longer following users/ada"),
    ]
    // An empty line answers the question of a removal.
    let script = expected.map { line, words in
      #"""
      zpty -w -n shell $'almanac \#(line)\t\n'
      zpty -r shell out '*\#(words)*' && print '\#(line)'
      zpty -w -n shell $'\n'
      """#
    }.joined(separator: "\n")
    let found = try await lines(
      of: """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'PS1=; autoload -U compinit && compinit -u -D; source <(almanac completion zsh)'
        \(script)
        """, in: "zsh")
    #expect(found == nil || found == expected.map(\.0))
  }
}
