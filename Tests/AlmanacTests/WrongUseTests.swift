import AlmanacTesting
import ArgumentParser
import Foundation
import Models
import Testing

@testable import almanac

/// What is said of arguments that are wrong: one line, and what to do.
@Suite final class WrongUseTests: ProgramTests {
  private static func failure(_ arguments: [String]) throws -> Failure {
    if let mistake = CommandCheck.mistake(ArgumentOrder.split(arguments).0) { return mistake }
    let error = #expect(throws: (any Error).self, "\(arguments)") {
      try AlmanacCLI.parseAsRoot(ArgumentOrder.globalsLast(arguments))
    }
    return try #require(error.flatMap { WrongUse($0, arguments: arguments).failure }, "\(arguments)")
  }

  @Test(arguments: [
    ("sync --dryrun", "unknown option '--dryrun'", "did you mean '--dry-run'?"),
    ("sync --bogus", "unknown option '--bogus'", "its options are --all, --dry-run, --full"),
    ("list people --json", "unknown option '--json'", "did you mean '--format json'?"),
    ("follow", "missing expected argument '<paths> ...'", "'almanac help follow' explains the command"),
    ("outbox resolve --tak mine", "unknown option '--tak'", "did you mean '--take'?"),
    ("people edit Bob --last-name X", "", "did you mean '--last'?"),
    ("people edit Bob --firstname X", "", "did you mean '--first'?"),
    ("people edit Bob --mail X", "", "did you mean '--email'?"),
    ("people edit Bob --tel X", "", "did you mean '--phone'?"),
    ("people edit Bob --surname X", "", "did you mean '--last'?"),
    ("people edit Bob --born X", "", "did you mean '--birthday'?"),
    ("people edit Bob --name X", "", "did you mean '--full-name'?"),
    // Named also where a word is missing, and where a group stands for one of its commands.
    ("charts top --limt", "unknown option '--limt'", "did you mean '--limit'?"),
    ("media --limt 3", "unknown option '--limt'", "did you mean '--limit'?"),
    ("list people --where firstName = Ada", "2 unexpected arguments: '=', 'Ada'", "--where 'firstName = Ada'"),
    ("list people --sort lastName --sort -firstName", "--sort was given twice", ""),
    ("--store here nonsense --quiet", "'nonsense' is not a command", ""),
    ("folow users/ada", "'folow' is not a command", "did you mean 'almanac follow'?"),
    ("charts list", "'list' is not a command of 'almanac charts'", "did you mean 'almanac list charts'?"),
    ("charts show us", "'show' is not a command", "did you mean 'almanac show charts us'?"),
    ("people ad", "'ad' is not a command of 'almanac people'", "did you mean 'almanac people add'?"),
    ("movers", "'movers' is not a command", "did you mean 'almanac charts movers'?"),
    ("ls", "'ls' is not a command", "did you mean 'almanac list'?"),
    ("apps", "'apps' is not a command", "did you mean 'almanac list apps'?"),
    ("outbox xyzzy", "'xyzzy' is not a command of 'almanac outbox'", "its commands are list, show, "),
    ("--quiet xyzzy", "'xyzzy' is not a command", "'almanac help' lists the commands"),
    // A number with a minus is a value that is wrong, and not an option that is not known.
    ("list people --limit -1", "not -1", ""), ("birthdays --days -1", "not -1", ""),
    ("media fetch --max-bytes -1", "not -1", ""), ("sync --jobs -1", "not -1", ""),
    ("search x --limit 0", "--limit takes 1 or more, not 0", ""),
    ("media list --limit 0", "--limit takes 1 or more, not 0", ""),
    ("charts top app-store/us/new --limit 0", "--limit takes 1 or more, not 0", ""),
    ("charts movers app-store/us/new --limit -1", "--limit takes 1 or more, not -1", ""),
  ])
  func isAnsweredWithWhatToDo(line: String, message: String, hint: String) throws {
    let failure = try Self.failure(line.split(separator: " ").map(String.init))
    #expect(message.isEmpty || failure.message.contains(message), "\(failure)")
    #expect(hint.isEmpty || failure.hint?.contains(hint) == true, "\(failure)")
    #expect(![failure.message, failure.hint?.description ?? ""].contains { $0.contains("\n") }, "\(failure)")
  }

  @Test(arguments: [
    (["import", "people", "p.json"], "unexpected argument", "almanac import p.json --collection people"),
    (["people", "import"], "missing expected argument", "for example 'almanac people import contacts.vcf'"),
    (["people", "add", "Nora", "Neu"], "unexpected argument 'Neu'", #"'almanac people add "Nora Neu"'"#),
    (["show", "people", "Nora", "Neu", "--at", "now"], "'Neu'", #"'almanac show people "Nora Neu" --at now'"#),
    (["people", "edit", "Bo", "--clear", "phones"], "'--clear'", "did you mean '--remove-phone'?"),
    (["people", "edit", "Bo", "--clear=birthday"], "unknown option '--clear", "did you mean '--clear-birthday'?"),
    (["people", "edit", "Bo", "--remove", "nickname"], "'--remove'", "did you mean --nickname ''?"),
    (["outbox", "resolve", "--keep", "mine"], "'--keep'", "did you mean '--take'?"),
    (["people", "merge", "a", "b", "--keep", "a"], "'--keep'", "did you mean '--prefer'?"),
  ])
  func theCommandThatWasMeantIsNamed(arguments: [String], message: String, hint: String) throws {
    let failure = try Self.failure(arguments)
    #expect(failure.message.contains(message) && failure.hint?.description.contains(hint) == true, "\(failure)")
  }

  @Test func whatWasMeantIsNamed() async throws {
    try await almanac.run("people", "add", "Ada", "--quiet", exits: 0)
    for (arguments, message, hint) in [
      (["import", "p.json"], "the name of p.json does not say", "almanac import p.json --collection people"),
      (["import", "google.csv"], "the name of google.csv does not say", "'almanac people import google.csv' reads"),
      (["list", "people", "--columns", "phone.type"], "'phone.type'", "did you mean 'phones.type'?"),
      (["list", "people", "--columns", "street"], "'street'", "did you mean 'addresses.street'?"),
      (["list", "person"], "there is no collection 'person'", "the collections are"),
      (["list", "prof"], "there is no collection 'prof'", "did you mean 'profiles'?"),
      (["show", "people"], "no record of people is named", "write people/NAME"),
    ] {
      let result = try await almanac.run(arguments, exits: 64, err: message, hint)
      #expect(result.out.isEmpty)
    }
    try await almanac.run(
      "people", "group", "add", "Family", "Nobody", exits: 66, err: "'almanac list people' lists them")
  }

  @Test func theProgramSaysItInTwoLinesOrAsJSON() async throws {
    for words in [["people", "edit", "Bob", "--lastname", "X"], ["help", "folow"], ["search", " ", ""]] {
      let result = try await almanac.run(words, exits: 64)
      #expect(result.out.isEmpty && result.err.hasPrefix("almanac: ") && result.err.count < 200, "\(result)")
      #expect(result.err.split(separator: "\n").count == 2, "\(result)")
    }
    let json = try await almanac.run(["--format", "json", "list", "apps", "--limit", "x"], exits: 64)
    #expect(json.err.hasPrefix(#"{"kind":"config","message":""#), "\(json.err)")
    #expect(json.err.hasSuffix(#""code":"usage","retryable":false}"# + "\n"), "\(json.err)")
    try await almanac.run("list", "--help", "--format", "json", exits: 0, out: "OVERVIEW")
    for option in ["--store", "--config"] {
      try await almanac.run("list", "people", option, "", exits: 64, err: "\(option) needs the name of")
    }
  }

  /// Every fourth option of each command with a letter missing, in turn alone, with a value and after a word: whatever
  /// else the command misses then, the answer is the option that was meant. `ALMANAC_OPTIONS=all` tries each.
  @Test func everyMistypedOptionIsAnsweredWithTheOneThatWasMeant() throws {
    var count = 0
    let step = ProcessInfo.processInfo.environment["ALMANAC_OPTIONS"] == nil ? 4 : 1
    for (number, path) in CommandCheck.leaves().enumerated() {
      let options = CommandCheck.options(of: path)
      for option in options.dropFirst(number % step).enumerated().compactMap({
        $0.offset % step == 0 ? $0.element : nil
      }) {
        let mistyped = String(option.prefix(3) + option.dropFirst(4))
        let forms = [[mistyped], [mistyped, "X"], ["\(mistyped)=X"], ["name", mistyped, "X"]]
        count += 1
        let arguments = path + forms[count % forms.count]
        let failure = try Self.failure(arguments)
        #expect(failure.message == "unknown option '\(mistyped)'", "\(arguments): \(failure)")
        let meant = options.contains { failure.hint?.hasPrefix("did you mean '\($0)'?") == true }
        #expect(meant, "\(arguments): \(failure)")
      }
    }
    #expect(count > 50)
  }

  /// A value may begin like an option.
  @Test func aDescriptionMayBeginWithADash() async throws {
    try await almanac.load("profiles", #"{"id":"ada","name":"Ada","email":"a@example.org"}"#)
    try await almanac.run("profile", "set", "ada", "--description", "--nmae is not a word", exits: 0)
    let wrong = try Self.failure(["profile", "set", "--description", "--nmae"])
    #expect(wrong.message.contains("missing expected argument '<id>'"), "\(wrong)")
  }
}
