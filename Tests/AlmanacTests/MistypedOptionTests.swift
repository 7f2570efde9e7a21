import AlmanacTesting
import ArgumentParser
import Models
import Testing

@testable import almanac

/// Options that a command does not have.
@Suite final class MistypedOptionTests: ProgramTests {
  @Test(arguments: [
    (["sync", "--dryrun"], "unknown option '--dryrun'", "did you mean '--dry-run'?"),
    (["sync", "--bogus"], "unknown option '--bogus'", "its options are --all, --dry-run, --full"),
    (["list", "people", "--json"], "unknown option '--json'", "did you mean '--format json'?"),
    (["follow"], "missing expected argument '<paths> ...'", "'almanac help follow' explains the command"),
    (["outbox", "resolve", "--tak", "mine"], "unknown option '--tak'", "did you mean '--take'?"),
    (["people", "add", "--emial"], "unknown option '--emial'", "did you mean '--email'?"),
    // Named also where a word is missing, and where a group stands for one of its commands.
    (["charts", "top", "--limt"], "unknown option '--limt'", "did you mean '--limit'?"),
    (["media", "--limt", "3"], "unknown option '--limt'", "did you mean '--limit'?"),
    (
      ["list", "people", "--where", "firstName", "=", "Ada"], "2 unexpected arguments: '=', 'Ada'",
      "--where 'firstName = Ada'"
    ),
  ])
  func aMistypedOptionIsAnsweredInTwoLines(arguments: [String], message: String, hint: String) async throws {
    let result = try await almanac.run(arguments, exits: 64)
    #expect(result.out.isEmpty)
    #expect(result.err.hasPrefix("almanac: \(message)\n") && result.err.contains(hint), "\(result.err)")
    #expect(result.err.split(separator: "\n").count == 2 && !result.err.contains("USAGE"), "\(result.err)")
  }

  /// Each option of each command with a letter missing, in turn alone, with a value and after a word: whatever else the
  /// command misses then, the answer is the option that was meant.
  @Test func everyMistypedOptionIsAnsweredWithTheOneThatWasMeant() throws {
    var count = 0
    for path in CommandCheck.leaves() {
      let options = CommandCheck.options(of: path)
      for option in options {
        let mistyped = String(option.prefix(3) + option.dropFirst(4))
        let forms = [[mistyped], [mistyped, "X"], ["\(mistyped)=X"], ["name", mistyped, "X"]]
        count += 1
        let arguments = path + forms[count % forms.count]
        let error = #expect(throws: (any Error).self) {
          try AlmanacCLI.parseAsRoot(ArgumentOrder.globalsLast(arguments))
        }
        let failure = try #require(error.flatMap { WrongUse($0, arguments: arguments).failure }, "\(arguments)")
        #expect(failure.message == "unknown option '\(mistyped)'", "\(arguments): \(failure)")
        let meant = options.contains { failure.hint?.hasPrefix("did you mean '\($0)'?") == true }
        #expect(meant, "\(arguments): \(failure)")
      }
    }
    #expect(count > 100)
  }

  /// A value may begin like an option.
  @Test func aDescriptionMayBeginWithADash() async throws {
    try await almanac.load("profiles", #"{"id":"ada","name":"Ada","email":"a@example.org"}"#)
    try await almanac.run("profile", "set", "ada", "--description", "--nmae is not a word", exits: 0)
    let wrong = try await almanac.run("profile", "set", "--description", "--nmae")
    #expect(wrong.err.contains("missing expected argument '<id>'"), "\(wrong)")
  }
}
