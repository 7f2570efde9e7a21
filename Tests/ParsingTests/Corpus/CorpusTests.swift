import Foundation
import Models
import Parsing
import Ports
import Testing

/// Every real sample, and what becomes of it: models, rejects or an error, pinned one by one.
@Suite("real samples", .enabled(if: Samples.areThere, "\(Samples.reason)"))
struct CorpusTests {
  @Test("each class as pinned", arguments: SampleTable.all.keys.sorted())
  func table(folder: String) throws {
    let table = try #require(SampleTable.all[folder])
    let names = try Samples.names(in: folder)
    #expect(names.count == table.count, "\(folder) has other files than the table")
    var others = table.others.split(separator: "\n").map(String.init)[...]
    for name in names {
      let row = "\(name) | \(outcome(folder, try Samples.bytes("\(folder)/\(name)")))"
      let isOther = others.first?.hasPrefix("\(name) | ") == true
      #expect(row == (isOther ? others.removeFirst() : "\(name) | \(table.usual)"))
    }
    #expect(others.isEmpty)
  }

  private func outcome(_ folder: String, _ body: [UInt8]) -> String {
    switch folder {
    case "flickr": "\(Outcome.photos(body)) | \(Outcome.owner(body))"
    case "rest-users": "\(Outcome.profile(body)) | \(Outcome.people(body))"
    case "json-corpora", "jsonl", "http-recordings", "har": Outcome.json(body)
    default: Outcome.appStore(body)
    }
  }

  @Test("the large ones for measuring")
  func large() throws {
    #expect(
      Outcome.appStore(try Samples.bytes("perf/appstore-legacy-mixed-126.derived.give.json")) == "126 apps, dated")
    #expect(
      Outcome.photos(try Samples.bytes("perf/flickr-page-500.derived.give.json")) == "495 of 1000 photos, 5 rejects")
    #expect(Outcome.people(try Samples.bytes("perf/people-10k.synthetic.give.json")) == "0 people, 10000 rejects")
  }
}

/// The recorded samples outside the repository, if they are present.
enum Samples {
  /// The folder: `ALMANAC_FIXTURES`, or `../shared/fixtures` seen from the project's root.
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["ALMANAC_FIXTURES"] { return URL(filePath: path) }
    return URL(filePath: #filePath)  // Tests/ParsingTests/Corpus/Samples.swift
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "../shared/fixtures").standardizedFileURL
  }()

  /// Whether the samples are there; tests that need them are skipped where they are not.
  static let areThere = FileManager.default.fileExists(atPath: folder.path)

  /// Why such tests are skipped.
  static let reason = "no samples at ../shared/fixtures; set ALMANAC_FIXTURES to their folder"

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  /// The names of a folder's files, in order.
  static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path).sorted()
  }
}

/// What a parser makes of a sample, in a few words that a table can pin.
enum Outcome {
  /// A summary of a parser's result; `count` counts its models.
  static func of<Parser: ResponseParser>(
    _ parser: Parser, _ body: [UInt8], count: (Parser.Output) -> String
  ) -> String {
    do throws(ParsingError) {
      let parsed = try parser.parse(body)
      let rejects = parsed.rejects.isEmpty ? "" : ", \(parsed.rejects.total) rejects"
      return count(parsed.value) + rejects
    } catch {
      return "\(error.code.rawValue) \(error.path)"
    }
  }

  static func appStore(_ body: [UInt8]) -> String {
    of(AppStoreFeedParser(), body) { "\($0.apps.count) apps\($0.updatedAt == nil ? "" : ", dated")" }
  }

  static func photos(_ body: [UInt8]) -> String {
    of(FlickrPhotosParser(), body) { answer in
      switch answer {
      case .success(let page): "\(page.photos.count) of \(page.total.map(String.init) ?? "?") photos"
      case .failure(let failure): "Flickr \(failure.code)"
      }
    }
  }

  static func owner(_ body: [UInt8]) -> String {
    of(FlickrPersonParser(), body) { answer in
      switch answer {
      case .success: "1 owner"
      case .failure(let failure): "Flickr \(failure.code)"
      }
    }
  }

  static func profile(_ body: [UInt8]) -> String {
    of(UserEnvelopeParser(), body) { answer in
      switch answer {
      case .success: "1 profile"
      case .failure(let failure): "error \(failure.code)"
      }
    }
  }

  static func people(_ body: [UInt8]) -> String {
    of(PeopleListParser(), body) { "\($0.count) people" }
  }

  static func json(_ body: [UInt8]) -> String {
    do throws(ParsingError) {
      return "\(try JSONDocument.read(body) { $0.kind.rawValue })"
    } catch {
      return "\(error.code.rawValue) \(error.offset)"
    }
  }
}
