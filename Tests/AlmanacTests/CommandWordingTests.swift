import AlmanacTesting
import ArgumentParser
import Assembly
import Foundation
import Models
import Persistence
import Ports
import Testing

@testable import almanac

/// What failures advise: the parser of the program accepts every command, whatever ids and paths it contains.
@Suite struct CommandWordingTests {
  private static let odd = [
    "plain", "it's", "two words", "$(x)", "`x`", "a\nb", "say \"so\"", "back\\slash", "wow!", "a;b",
  ]

  /// One suggestion of each case. The name of an account cannot be odd.
  private static func suggestions(_ word: String) -> [Suggestion] {
    [
      .fetch(follow: word), .followUser(id: word), .listPeople, .listOwners, .listEdits, .listRejects,
      .discardEdit(target: word), .resolveConflict, .setBirthday(person: word), .sendPerson(person: word, book: word),
      .syncToSend(path: word), .syncToSend(path: nil), .askEarly(path: word),
      .applyList(follow: word, isFull: false), .applyList(follow: word, isFull: true), .forceCalendar(follow: word),
      .addAccount(source: "carddav", name: "home"), .logIn(source: "shop"), .importSingerRecords,
      .chooseSide(a: word, b: word), .editHere(person: word, book: word),
      .addNamesake(of: word), .keepNamesake(word, of: word), .mergeDuplicates(word, word),
      .listFields(CollectionName(rawValue: word)),
    ]
  }

  /// A new case belongs into `suggestions` and to these numbers.
  private static func number(_ suggestion: Suggestion) -> Int {
    switch suggestion {
    case .fetch: 0
    case .followUser: 1
    case .listPeople: 2
    case .listOwners: 3
    case .listEdits: 4
    case .listRejects: 5
    case .discardEdit: 6
    case .resolveConflict: 7
    case .setBirthday: 8
    case .sendPerson: 9
    case .syncToSend: 10
    case .askEarly: 11
    case .applyList: 12
    case .forceCalendar: 13
    case .addAccount: 14
    case .importSingerRecords: 15
    case .logIn: 16
    case .chooseSide: 17
    case .editHere: 18
    case .addNamesake: 19
    case .listFields: 20
    case .keepNamesake: 21
    case .mergeDuplicates: 22
    }
  }

  /// Every advice, for a store and a config file that were named.
  private static func texts(_ word: String) -> [String] {
    let wording = CommandWording.wording(store: "/tmp/a \(word) store", config: "/tmp/a \(word) config.json")
    let advice = CommandWording.store
    let texts =
      suggestions(word).map { CommandWording.features($0) } + [
        advice.repair, advice.load("/tmp/\(word).jsonl"), advice.takeChanges("/tmp/\(word).jsonl"),
        advice.delete("people"), advice.delete("outbox"), CommandWording.media,
      ]
    return texts.map { wording($0) }
  }

  @Test("the parser accepts the words of every remedy, with the store and the config that were named", arguments: odd)
  func commands(word: String) throws {
    #expect(Set(Self.suggestions(word).map(Self.number)) == Set(0..<23))
    for (text, plain) in zip(Self.texts(word), Self.texts("plain")) {
      let commands = Self.commands(in: text)
      #expect(!text.contains("rm ") && text.contains("almanac ") == !commands.isEmpty, "\(text)")
      // To the parser, the other words are as good as the plain one.
      #expect(commands == Self.commands(in: plain).map { $0.map { $0.replacing("plain", with: word) } }, "\(text)")
      for arguments in commands where word == "plain" {
        #expect(throws: Never.self, "\(arguments)") {
          _ = try AlmanacCLI.parseAsRoot(ArgumentOrder.globalsLast(arguments))
        }
        #expect(arguments.suffix(2) == ["--config", "/tmp/a plain config.json"], "\(text)")
        // What is followed, and definitions, are kept beside the config file.
        let isOnConfig = ["follow", "source"].contains(arguments.first)
        #expect(arguments.contains("/tmp/a plain store") != isOnConfig, "\(text)")
      }
    }
    let discard = CommandWording.features(.discardEdit(target: word)).description
    #expect(Self.commands(in: discard) == [["outbox", "discard", word]])
  }

  /// The commands that the programs name in their sources: values that are not literals stand for names and paths.
  @Test func theParserAcceptsEveryCommandThatIsNamed() throws {
    let apps = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Apps")
    let files = try #require(FileManager.default.enumerator(at: apps, includingPropertiesForKeys: nil))
    var seen: Set<[String]> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(
        of: /\\\((command|help): ((?:"(?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\))*"|[^()"]|\([^()]*\))*)\)/)
      {
        let items = Self.items(String(match.2))
        guard items.allSatisfy({ $0 != nil }) else { continue }
        let words = match.1 == "help" ? items[0]!.split(separator: " ").map(String.init) : items.compactMap(\.self)
        guard seen.insert(words).inserted else { continue }
        let path = CommandCheck.command(in: words).path
        // Without its arguments, a command or an option is only named.
        if !path.isEmpty, words.dropFirst(path.count).allSatisfy(CommandCheck.options(of: path).contains) { continue }
        do { _ = try AlmanacCLI.parseAsRoot(ArgumentOrder.globalsLast(words)) } catch {
          // Help is thrown, too.
          #expect(AlmanacCLI.exitCode(for: error).isSuccess, "\(file.lastPathComponent): \(words): \(error)")
        }
      }
    }
    #expect(seen.count > 60)
  }

  /// The words of an interpolation; `nil` for one that is a list, whose first word is no literal.
  private static func items(_ text: String) -> [String?] {
    guard text.hasPrefix("\"") else { return [nil] }
    var (items, depth, isQuoted) = ([""], 0, false)
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
      if character == ",", !isQuoted, depth == 0 { items.append("") } else { items[items.count - 1].append(character) }
    }
    return items.map { item -> String? in
      let item = item.trimmingCharacters(in: .whitespacesAndNewlines)
      guard item.hasPrefix("\"") else { return "home" }
      if item == "\"URL\"" { return "https://home.example" }
      return String(item.dropFirst().dropLast()).replacing(/\\\([^)]*\)/, with: "home")
    }
  }

  @Test("a shell reads a quoted word as it was", arguments: odd)
  func words(word: String) throws {
    for quoted in [ShellWord.quoted(word), ShellWord.inside(word)] {
      #expect(try Tool.run("bash", ["-c", "printf %s \(quoted)"]).output == word, "\(quoted)")
    }
  }

  /// The arguments of the commands in a text: from `'almanac` to the next single quote that is part of no word, or from
  /// `| almanac` to the end of the line.
  private static func commands(in text: String) -> [[String]] {
    text.ranges(of: #/['|] ?almanac /#).map { range in
      var (words, word, isOpen) = ([String](), "", false)
      var rest = text[range.upperBound...]
      func end() { if isOpen { words.append(word) }; (word, isOpen) = ("", false) }
      while let next = rest.first {
        rest.removeFirst()
        if next == "'" || next == "\n" { break }
        if next == " " { end(); continue }
        isOpen = true
        switch next {
        case "\"":
          while let inner = rest.popFirst(), inner != "\"" { word.append(inner == "\\" ? rest.removeFirst() : inner) }
        case "$" where rest.first == "'":
          rest.removeFirst()
          while let inner = rest.popFirst(), inner != "'" {
            guard inner == "\\" else { word.append(inner); continue }
            let escaped = rest.removeFirst()
            word.append(escaped == "n" ? "\n" : escaped)
          }
        default: word.append(next)
        }
      }
      end()
      return words
    }
  }
}
