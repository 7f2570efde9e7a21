import AlmanacTesting
import Foundation
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
    let servers = sources.map { source in
      #""\#(source)": {"url": "\#(upstream.url)"\#(settings[source].map { ", " + $0 } ?? "")}"#
    }
    let entries = follows.map { $0.hasPrefix("{") ? $0 : #"{"follow": "\#($0)"}"# }
    return try almanac.file(
      "config.json",
      "{\"servers\": {\(servers.joined(separator: ", "))},\n\"follows\": [\(entries.joined(separator: ", "))]}")
  }
}

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
