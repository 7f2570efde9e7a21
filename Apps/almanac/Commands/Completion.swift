import ArgumentParser
import FoundationEssentials
import Models
import Ports

struct Completion: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print a script that completes commands, options and names in a shell.",
    discussion: """
      For the current shell session:

        source <(almanac completion bash)

      For every session, in a file that the shell reads when it starts:

        almanac completion bash > ~/.local/share/bash-completion/completions/almanac
        almanac completion zsh > ~/.zfunc/_almanac   # before it: fpath+=~/.zfunc
        almanac completion fish > ~/.config/fish/completions/almanac.fish
      """)

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  @Argument(help: "The shell: bash, zsh or fish.") var shell: Shell
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let script =
      switch shell {
      case .bash: BashScript.joiningWords(CompletionScript.bash(AlmanacCLI.completionScript(for: .bash)))
      case .zsh: CompletionScript.zsh(AlmanacCLI.completionScript(for: .zsh))
      case .fish:
        // fish 3 has no cursor position of a word.
        FishScript.sorting(
          CompletionScript.fish(AlmanacCLI.completionScript(for: .fish)).replacing(
            "(__almanac_tokens -tC)", with: #"(string length -- "$(commandline -ct)")"#))
      }
    services.terminal.write(script + "\n")
    return .done
  }
}

/// What the shells complete where an argument is not a file. Candidates come from the store and the config file that the
/// command line names.
enum Completions {
  static let collections = kind { line in line.services.catalog.names.map { Candidate($0.rawValue) } }

  /// The collections whose records `edit` can change, add or remove.
  static let editable = kind { line in
    let catalog = line.services.catalog
    return catalog.names.filter { name in
      guard let collection = catalog[name] else { return false }
      return !collection.editableFields.isEmpty || !collection.newFields.isEmpty || collection.isRemovable
    }.map { Candidate($0.rawValue) }
  }

  /// The fields that an edit of the collection, or with `--new` a new record, can set.
  static let editableFields = kind { line in
    guard let collection = line.collection.flatMap({ line.services.catalog[$0] }) else { return [] }
    return (line.words.contains("--new") ? collection.newFields : collection.editableFields).map { Candidate($0) }
  }

  static let undoable = kind { line in
    ((try? line.services.undo().commands()) ?? []).filter { $0.refusal == nil }
      .map { Candidate($0.number, $0.command) }
  }

  static let accounts = kind { line in
    Set(line.services.settings.settings.servers.values.flatMap(\.accounts).map(\.name.exact)).sorted().map {
      Candidate($0.text)
    }
  }

  static let accountSources = kind { _ in
    AccountCommand.sources.map { Candidate($0.rawValue) }
  }

  /// The calendars that are kept up to date, and the beginnings of the paths of others.
  static let calendars = kind { line in
    let follows = line.followed.filter { $0.source == .calDAV }
    let accounts = line.services.settings.settings.servers[.calDAV]?.accounts ?? []
    return follows.map { Candidate($0.path) } + accounts.map { Candidate("\(SourceName.calDAV)/\($0.name)/") }
  }

  static let books = kind { line in
    ((try? line.services.books()) ?? []).map { Candidate($0.follow) }
  }

  static let follows = kind { line in
    line.followed.map { Candidate($0.path) }
  }

  static let charts = kind { line in
    line.followed.filter { $0.source == .appStore }.map { Candidate($0.path) }
  }

  /// The beginnings of paths that can be followed.
  static let paths = kind { line in
    var seen: Set<ExactString> = []
    let accounts = line.services.settings.settings.servers.flatMap { source, server in
      server.accounts.map { Candidate("\(source)/\($0.name)/") }
    }
    let forms = line.services.sources.flatMap(\.forms)
    return accounts + forms.filter { seen.insert($0.prefix.exact).inserted }.map { Candidate($0.prefix, $0.summary) }
      + forms.flatMap { $0.choices(after: line.prefix) }.filter { seen.insert($0.path.exact).inserted }
      .map { Candidate($0.path, $0.title) }
  }

  static let fields = kind { line in
    guard let collection = line.collection else { return [] }
    return CollectionColumns.paths(collection, in: line.services.catalog).map { Candidate($0) }
  }

  /// Fields with commas between them: what is typed stays, and names no field twice.
  static let columns = kind { line in
    guard let collection = line.collection else { return [] }
    let typed = line.prefix.split(separator: ",", omittingEmptySubsequences: false).dropLast()
    let start = typed.map { $0 + "," }.joined()
    return CollectionColumns.paths(collection, in: line.services.catalog)
      .filter { path in !typed.contains { path.utf8.elementsEqual($0.utf8) } }.map { Candidate(start + $0) }
  }

  /// Those that records can be sorted by, with a `-` before them where one was typed.
  static let order = kind { line in
    guard let collection = line.collection else { return [] }
    let sign = line.prefix.hasPrefix("-") ? "-" : ""
    return CollectionColumns.ordered(collection, in: line.services.catalog).map { Candidate(sign + $0) }
  }

  static let records = kind { line in line.collection.map { line.records($0) } ?? [] }

  /// A collection, or after its name and a slash a record of it: `people/Ada Lovelace`.
  static let recordPaths = kind { line in
    guard let slash = line.prefix.firstIndex(of: "/") else {
      return line.services.catalog.names.map { Candidate($0.rawValue) }
    }
    let collection = CollectionName(rawValue: String(line.prefix[..<slash]))
    guard line.services.catalog.contains(collection) else { return [] }
    return line.records(collection, beginning: String(line.prefix[slash...].dropFirst())).map {
      Candidate("\(collection)/\($0.word)", $0.meaning)
    }
  }

  static let people = kind { line in line.records(.people) }

  static let groups = kind { line in
    ((try? line.services.people().groups().all) ?? []).map {
      Candidate($0.name, $0.people.count.counted("person", "people"))
    }
  }

  static let profiles = kind { line in line.records(.profiles) }

  static let owners = kind { line in line.records(.owners) }

  static let apps = kind { line in line.records(.apps) }

  static let genres = kind { line in line.services.genres.map { Candidate($0.name, $0.title) } }

  static let edits = kind { line in
    ((try? line.services.outbox().entries()) ?? []).map { Candidate($0.target, $0.state.rawValue) }
  }

  static let sources = kind { line in line.services.sources.map { Candidate($0.name.rawValue, $0.summary) } }

  /// The sources that definitions in the config's folder describe.
  static let definitions = kind { line in
    line.services.definitions.installed().map { Candidate($0.name.rawValue) }
  }

  static let gallery = kind { line in
    line.services.definitions.gallery().map { Candidate($0.name.rawValue, $0.title ?? "") }
  }

  /// The settings of the config file, and those of servers.
  static let settings = kind { line in
    let known = (try? ConfigText.read(line.services)).map { ConfigText.places(.object($0)) } ?? []
    let servers = line.services.sources.flatMap { source in
      SettingSchema.server.filter { row in
        switch row.form {
        case .secret: source.key != nil
        case .accounts: source.hasAccounts
        case .texts: false
        default: !source.hasAccounts
        }
      }.map { Candidate("servers.\(source.name).\($0.name)", $0.help) }
        + source.settings.map { Candidate("servers.\(source.name).with.\($0.name)", $0.help) }
    }
    let daemon = SettingSchema.daemon.map { Candidate("daemon.\($0.name)", $0.help) }
    let mcp = SettingSchema.mcp.map { Candidate("mcp.\($0.name)", $0.help) }
    return known.map { Candidate($0) } + (servers + daemon + mcp).filter { !known.contains($0.word) }
  }

  private static func kind(_ candidates: @escaping @Sendable (CompletionLine) -> [Candidate]) -> CompletionKind {
    .custom { words, _, prefix in
      let line = CompletionLine(words: words, prefix: prefix)
      return candidates(line).compactMap { $0.text(for: .requesting) }
    }
  }
}

private struct Candidate {
  let word: String
  /// What it means, for shells that show it.
  let meaning: String

  init(_ word: String, _ meaning: String = "") {
    self.word = word
    self.meaning = meaning
  }

  /// The line that the script of a shell reads; `nil` for a word that the shell cannot take.
  ///
  /// bash expands the words once more (compgen(1), -W), so that a name from a server could run a command: every character
  /// that means something to it is quoted. zsh and fish split a meaning off.
  func text(for shell: CompletionShell?) -> String? {
    guard !word.isEmpty, Printable.text(word) == word else { return nil }
    let meaning = Printable.text(meaning)
    switch shell {
    case CompletionShell.bash?:
      return word.reduce(into: "") { text, character in
        let isPlain = character.isLetter || character.isNumber || "/.-_@+,%=:".contains(character)
        text += isPlain ? String(character) : "\\\(character)"
      }
    case CompletionShell.zsh?:
      let escaped = word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
      return meaning.isEmpty ? escaped : "\(escaped):\(meaning)"
    case CompletionShell.fish?: return meaning.isEmpty ? word : "\(word)\t\(meaning)"
    default: return word
    }
  }
}

private struct CompletionLine: Sendable {
  let words: [String]
  /// The word so far, without the quotes of the shell.
  let prefix: String
  let services: CompositionRoot

  /// The most records that are offered; a shell asks before it shows more.
  private static let mostRecords = 200

  init(words: [String], prefix: String) {
    self.words = words
    self.prefix = prefix.filter { !"'\"\\".contains($0) }
    let options = WrongUse.options(Array(words.dropFirst()))
    services = CompositionRoot(options: options, environment: ProcessInfo.processInfo.environment)
  }

  var followed: [Follow] { (try? services.followed()) ?? [] }

  /// The collection that the line names: the word after the command.
  var collection: CollectionName? {
    let catalog = services.catalog
    let rest = ArgumentOrder.split(Array(words.dropFirst())).rest
    if rest.starts(with: ["people", "list"]) { return .people }
    return rest.dropFirst()
      .map { CollectionName(rawValue: $0) }.first { catalog.contains($0) }
  }

  /// The records whose ids or names begin like the word: by ids where one does, otherwise by names.
  ///
  /// - Parameter text: the beginning, where that is not the whole word.
  func records(_ collection: CollectionName, beginning text: String? = nil) -> [Candidate] {
    let prefix = text ?? prefix
    guard let library = try? services.library() else { return [] }
    var found: [FoundRecord] = []
    if prefix.isEmpty {
      let nameField = services.catalog[collection]?.nameField
      try? library.list(collection, LibraryQuery(limit: Self.mostRecords)) { record in
        guard let id = RecordRule.id(of: record) else { return .next }
        let name = nameField.flatMap { try? services.coder.text($0, of: record) } ?? ""
        found.append(FoundRecord(collection: collection, id: id, name: name))
        return .next
      }
    } else {
      found = (try? library.records(collection, meaning: prefix, as: .part, limit: Self.mostRecords)) ?? []
    }
    return found.map { record in
      record.$id.hasPrefix(prefix) || record.name.isEmpty
        ? Candidate(record.id, record.name) : Candidate(record.name, record.id)
    }
  }
}

/// Amends the scripts of the parser, which know neither that a group stands for one of its commands, so that
/// `history people` is `history list people`, nor that `restore` takes a record in place of a folder.
private enum CompletionScript {
  private static let groups = AlmanacCLI.configuration.subcommands.compactMap {
    group -> (name: String, command: String)? in
    guard let name = group.configuration.commandName,
      let command = group.configuration.defaultSubcommand?.configuration.commandName
    else { return nil }
    return (name, command)
  }

  static func bash(_ script: String) -> String {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for group in groups {
      let function = "_almanac_\(group.name)"
      amend(&lines, of: function, "compgen -W") {
        """
        [[ "${#unparsed_words[@]}" -gt 0 ]] || \($0.trimmed)
        unparsed_words=("${subcommand}" "${unparsed_words[@]}")
        \(function)_\(group.command)
        """
      }
    }
    if let records = place(in: lines, of: "_almanac_show", ["positional@0"]).map({ lines[$0] }) {
      amend(&lines, of: "_almanac_restore", "${positional_number}", "__almanac_add_completions -d") {
        "\($0)\n\(records)"
      }
    }
    return lines.joined(separator: "\n")
  }

  static func zsh(_ script: String) -> String {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for group in groups {
      let function = "_almanac_\(group.name)"
      amend(&lines, of: function, "_describe -V subcommand") { "\($0)\n\(function)_\(group.command) && ret=0" }
      amend(&lines, of: function, "\"\(function)_${words[1]}\"") {
        """
        \($0)
        ;;
        *)
        words=(\(group.command) "${words[@]}")
        ((CURRENT++))
        \(function)_\(group.command) && ret=0
        """
      }
    }
    let records = place(in: lines, of: "_almanac_show", ["positional@0"]).map { lines[$0] }
    if let records, let start = records.firstIndex(of: "{"), let end = records.lastIndex(of: "}") {
      amend(&lines, of: "_almanac_restore", "_files -/") {
        $0.replacing("_files -/", with: "{_files -/; \(records[start...].dropFirst()[..<end])}")
      }
    }
    return lines.joined(separator: "\n")
  }

  static func fish(_ script: String) -> String {
    var lines: [String] = []
    for line in script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      lines.append(line)
      if line.contains("\"almanac show\" -eq 1'") {
        lines.append(line.replacing("\"almanac show\"", with: "\"almanac restore\""))
      }
      for group in groups {
        let (long, short) = ("\"almanac \(group.name) \(group.command)\"", "\"almanac \(group.name)\"")
        guard line.contains(long), line.hasPrefix("complete ") else { continue }
        // For fish, every word after the group is the first one.
        let counted = (1...2).reduce(line) { text, number in
          text.replacing(
            "\(long) -eq \(number)'", with: "\(short) -eq 1; and test (count (__almanac_tokens -pc)) -eq \(number + 2)'"
          )
        }
        lines.append(counted.replacing(long, with: short))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The line of a function to which texts lead, each from the line of the one before on.
  private static func place(in lines: [String], of function: String, _ texts: [String]) -> Int? {
    (["\(function)() {"] + texts).reduce(0) { place, text in
      place.flatMap { place in lines[place...].firstIndex { $0.contains(text) } }
    }
  }

  private static func amend(
    _ lines: inout [String], of function: String, _ texts: String..., change: (String) -> String
  ) {
    if let place = place(in: lines, of: function, texts) { lines[place] = change(lines[place]) }
  }
}

private enum FishScript {
  /// The script with the fields after `--sort -`: fish takes a word that begins with `-` for an option, and offers words of
  /// a rule without an option name alone.
  static func sorting(_ script: String) -> String {
    let call = "---completion list -- --sort (count (__almanac_tokens -pc))"
    guard let rule = script.split(separator: "\n").first(where: { $0.contains(call) }),
      let start = rule.firstRange(of: "-rfka "),
      let words = script.firstRange(of: String(rule))
    else { return script }
    let candidates = rule[start.upperBound...]
    var script = script
    script.insert(
      contentsOf: "\ncomplete -c 'almanac' -n 'test (__almanac_tokens -pc)[-1] = --sort' -fa \(candidates)",
      at: words.upperBound)
    return script
  }
}

private enum BashScript {
  /// bash splits words at `@`, `=` and `:`, which ids and paths contain. The script's function is called with whole words,
  /// and what bash has split off is taken from its answers again. Only files complete as files: another word that is also the
  /// name of a folder does not end with a slash, and is quoted here unless its beginning has a quote.
  static func joiningWords(_ script: String) -> String {
    script.replacing("complete -o filenames -F _almanac almanac", with: wrapper)
      .replacing("__almanac_add_completions() {\n", with: "__almanac_add_completions() {\n" + quoting)
      .replacing(
        "        COMPREPLY+=(\"${completion}\")\n",
        with: """
                  [[ -n "${quotes}" && "${completion}" = *[!A-Za-z0-9_/.,@%+=:-]* ]] && printf -v completion %q "${completion}"
                  COMPREPLY+=("${completion}")

          """)
  }

  private static let quoting = #"""
        local quotes=
        if [[ "${1}" != -W ]]; then
            compopt -o filenames 2>/dev/null
        elif [[ "${cur}" != [\"\']* ]]; then
            quotes=1
        fi

    """#

  private static let wrapper = #"""
    __almanac_joined() {
        local -a joined=()
        local -i index at=0
        local rest="${COMP_LINE}" word space
        for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
            word="${COMP_WORDS[index]}"
            space="${rest%%[![:space:]]*}"
            if [[ -n "${space}" || ${index} -eq 0 || -z "${rest}" && -z "${word}" ]]; then
                joined+=("${word}")
            else
                joined[${#joined[@]} - 1]+="${word}"
            fi
            rest="${rest#"${space}"}"
            rest="${rest#"${word}"}"
            [[ ${index} -eq ${COMP_CWORD} ]] && at=$((${#joined[@]} - 1))
        done
        local -a COMP_WORDS=("${joined[@]}")
        local -i COMP_CWORD=${at}
        local current="${COMP_WORDS[COMP_CWORD]}" breaks="${COMP_WORDBREAKS//[^@=:]/}"
        _almanac "${1}" "${current}" "${COMP_WORDS[COMP_CWORD - 1]}"
        if [[ -n "${breaks}" ]]; then
            COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[${breaks}]}"}"}")
        fi
    }
    complete -F __almanac_joined almanac
    """#
}
