import AlmanacTesting
import Foundation
import Synchronization
import UpstreamKit

/// A server that plays the four APIs, and both programs beside it with folders of their own.
struct Scene {
  let upstream: Upstream
  var almanac: Program
  let daemon: Program

  init(_ options: UpstreamOptions = UpstreamOptions()) throws {
    upstream = try Upstream(options)
    almanac = try Program("almanac")
    daemon = try Program("almanacd")
  }

  /// Stops the server and removes what the programs left.
  func end() {
    upstream.stop()
    almanac.clean()
    daemon.clean()
  }

  /// Writes a config file.
  ///
  /// - Parameters:
  ///   - sources: whose servers are this one.
  ///   - settings: what else a source's server has, as members of its JSON object.
  ///   - follows: entries of `follows`: paths, or JSON objects.
  /// - Returns: its path.
  func config(_ sources: [String], settings: [String: String] = [:], follows: [String] = []) throws -> String {
    try almanac.config(upstream.url, sources, settings: settings, follows: follows)
  }

  /// The program with such a config file.
  func configured(_ sources: [String], settings: [String: String] = [:], follows: [String] = []) throws -> Program {
    var almanac = almanac
    almanac.environment["ALMANAC_CONFIG"] = try config(sources, settings: settings, follows: follows)
    return almanac
  }
}

extension Program {
  /// Writes a config file in which all sources have one server.
  func config(
    _ url: String, _ sources: [String], settings: [String: String] = [:], follows: [String] = []
  ) throws -> String {
    let servers = sources.map { #""\#($0)": {"url": "\#(url)"\#(settings[$0].map { ", " + $0 } ?? "")}"# }
    let entries = follows.map { $0.hasPrefix("{") ? $0 : #"{"follow": "\#($0)"}"# }
    return try file(
      "config.json",
      "{\"servers\": {\(servers.joined(separator: ", "))},\n\"follows\": [\(entries.joined(separator: ", "))]}")
  }

  /// Imports records of a collection, which are JSON.
  func load(_ collection: String, _ records: [String]) async throws {
    try await run("import", file("\(collection).jsonl", records.map { $0 + "\n" }.joined()), exits: 0)
  }

  func load(_ collection: String, _ record: String) async throws { try await load(collection, [record]) }

  /// Copies the store of a demo, which is made once.
  func loadDemo() async throws { try FileManager.default.copyItem(atPath: await demo.value, toPath: store) }

  /// The records, or the object, that a command prints as JSON.
  func records(_ arguments: String...) async throws -> [[String: Any]] {
    try await run(arguments + ["--format", "json"]).records()
  }

  func object(_ arguments: String...) async throws -> [String: Any] {
    try await run(arguments + ["--format", "json"]).object()
  }
}

/// The store that a demo made; it is removed at the end.
private let demo = Task {
  let almanac = try Program("almanac")
  demoFolder.withLock { $0 = almanac.folder }
  atexit { demoFolder.withLock { folder in _ = try? FileManager.default.removeItem(atPath: folder) } }
  try await almanac.run("demo", "--store", almanac.store, "--quiet", exits: 0)
  return almanac.store
}

private let demoFolder = Mutex("")

/// The text of a file.
func contents(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

/// A suite each of whose tests has the program with a folder of its own, which is removed afterwards.
class ProgramTests {
  var almanac: Program

  init() throws { almanac = try Program("almanac") }

  deinit { almanac.clean() }
}

/// A suite each of whose tests has a server and both programs.
class SceneTests {
  var scene: Scene

  init() throws { scene = try Scene() }

  deinit { scene.end() }
}
