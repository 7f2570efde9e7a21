import ArgumentParser
import Frontend
import Models
import Ports

extension PeopleCommand {
  struct Duplicates: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "duplicates", abstract: "List people who may be stored twice.",
      discussion: """
        A pair is 'certain' if both have the same names and one of them is alone in having the other's mail address, number, \
        UID or birthday; 'likely' if the names are alike (swapped, a nickname, an initial, another spelling) and so is \
        one of these; 'possible' with less, or where something tells them apart. A number that people of other names have \
        too is one of a family or a company, and makes nobody certain. Names in Latin, Greek and Cyrillic letters are compared \
        with one another. 'people merge --different' takes a pair off the list.
        """)

    @Option(help: "The least score: certain, likely or possible.") var score: DuplicatePair.Score = .possible
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let isTable = services.terminal.format == .table
      let pairs = try services.duplicates().duplicates().filter { $0.score >= score }
      let rows = pairs.map { pair -> JSONObject in
        let reasons = pair.reasons
        let (a, b) = (pair.a.fullName, pair.b.fullName)
        if isTable {
          return [
            "score": .string(pair.score.rawValue), "a": .string(pair.a.id), "b": .string(pair.b.id),
            "names": .string(a == b ? a : "\(a), \(b)"),
            "reasons": .string(reasons.map(\.words).joined(separator: ", ")),
          ]
        }
        return [
          "score": .string(pair.score.rawValue), "a": .string(pair.a.id), "aName": .string(a), "b": .string(pair.b.id),
          "bName": .string(b), "reasons": .texts(reasons.map(\.rawValue)),
        ]
      }
      services.answer.list(
        rows,
        columns: ["score", "a", "b", "names", "reasons"].map {
          .init($0, isLong: ["names", "reasons"].contains($0), isName: ["a", "b"].contains($0))
        }, csvFields: ["score", "a", "aName", "b", "bName", "reasons"], empty: "nobody is found twice")
      if !pairs.isEmpty { services.terminal.note("\(command: "people", "merge", "A", "B") makes one person of two") }
      return .done
    }
  }

  struct Merge: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge", abstract: "Make one person of two.",
      discussion: """
        The first person gets the details of the second one, who is removed. Numbers, addresses, groups and notes of both \
        are kept. Where both have another name, birthday or text, a terminal asks; elsewhere --prefer decides. If only the \
        second one is in an address book, that card stays. The next sync sends the change, and after it was accepted the \
        removal of the other card. Until then 'undo' takes both back. --different merges nothing: it notes that they are two \
        people, so that 'people duplicates' does not list them again.
        """)

    @Argument(help: "The person who stays: a name, or the id or its beginning.", completion: Completions.people)
    var a: String
    @Argument(help: "The same person once more.", completion: Completions.people) var b: String
    @Option(help: "Whose values are taken where both have one: a or b.") var prefer: PersonMerge.Side?
    @Flag(name: .shortAndLong, help: "Do not ask: where both have a value, that of the first counts.") var yes = false
    @Flag(help: "Note that they are two people, and merge nothing.") var different = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let terminal = services.terminal
      let a = try RecordArgument.id(a, in: .people, as: .words, services)
      let b = try RecordArgument.id(b, in: .people, as: .words, services)
      let people = try services.duplicates()
      if different {
        try await people.note(a, b, areDifferent: true)
        let fields: JSONObject = ["a": .string(a), "b": .string(b), "outcome": "different"]
        return terminal.answer.done(
          fields,
          note:
            "\(command: "people", "duplicates") does not list this pair any more; \(command: "undo") takes that back")
      }
      var sides: [ExactString: PersonMerge.Side] = [:]
      for conflict in try people.merging(a, b).conflicts {
        if let prefer = prefer ?? (yes ? .a : nil) {
          sides[conflict.field.exact] = prefer
        } else if terminal.canAsk {
          guard let side = Self.ask(conflict, terminal) else {
            terminal.complain("nothing was changed")
            return .mixed
          }
          sides[conflict.field.exact] = side
        }
      }
      let merged = try await people.merge(a, b, sides)
      let fields: JSONObject = [
        "person": .object(merged.person.fields), "removed": .string(merged.removed.person.id),
        "isSent": .bool(merged.isSent || merged.removed.isSent), "lost": .texts(merged.lost),
      ]
      terminal.answer.done(fields) { terminal.answer.done(merged.person.fields) }
      if !merged.lost.isEmpty {
        terminal.complain(
          "the person who stays does not get \(Printable.list(merged.lost)) of the other one; \(command: "undo") takes the merge back"
        )
      }
      if merged.isSent || merged.removed.isSent {
        services.noteWaiting()
      } else if merged.removed.isOnServer {
        terminal.note(
          "the server keeps \(merged.removed.person.fullName) (\(merged.removed.person.id)), who is not added again")
      }
      return .done
    }

    private static func ask(_ conflict: PersonMerge.Conflict, _ terminal: Terminal) -> PersonMerge.Side? {
      let values = "a: \(Printable.text(conflict.a)), b: \(Printable.text(conflict.b))"
      return terminal.ask("\(conflict.field) (\(values)) [a/b] ").flatMap {
        PersonMerge.Side(rawValue: $0.trimmed.lowercased())
      }
    }
  }
}
