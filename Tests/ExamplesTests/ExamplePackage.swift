import AlmanacTesting
import Foundation
import Synchronization

/// A package in a temporary folder with one program for each of some examples.
struct ExamplePackage {
  /// What a program wrote, standard error included, and how it ended.
  struct Outcome {
    var status: Int32
    var output: String
  }

  private let folder: URL

  /// Writes the manifest and copies the sources.
  ///
  /// - Parameters:
  ///   - programs: the examples by name, each with the products that it imports.
  ///   - checks: programs that check an example, each with the name of the example and its own text. The example becomes a
  ///     part of such a program: its `@main` is left out.
  init(of root: URL, programs: [String: [String]], checks: [String: (example: String, text: String)] = [:]) throws {
    folder = URL(filePath: NSTemporaryDirectory()).appending(path: "almanac-examples-\(UUID().uuidString)")
    // The name of the folder is how the package is named where it is used by its path.
    let package = folder.appending(path: "almanac")
    let checked = checks.mapValues { check in programs[check.example, default: []] + ["AlmanacTesting"] }
    let products = programs.merging(checked) { example, _ in example }
    let targets = products.keys.sorted().map { name in
      let products = products[name, default: []].map { ".product(name: \"\($0)\", package: \"almanac\")" }
      return ".executableTarget(name: \"\(name)\", dependencies: [\(products.joined(separator: ", "))])"
    }
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "examples", platforms: [.macOS(.v26)],
        dependencies: [.package(path: "almanac", traits: [])],
        targets: [\(targets.joined(separator: ", "))])
      """
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: package, withDestinationURL: root)
    try Data(manifest.utf8).write(to: folder.appending(path: "Package.swift"))
    for name in programs.keys {
      let sources = folder.appending(path: "Sources/\(name)")
      try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: root.appending(path: "Tests/Examples/\(name).swift"), to: sources.appending(path: "\(name).swift"))
    }
    for (name, check) in checks {
      let sources = folder.appending(path: "Sources/\(name)")
      try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
      let example = try String(
        contentsOf: root.appending(path: "Tests/Examples/\(check.example).swift"), encoding: .utf8)
      try Data(example.replacingOccurrences(of: "@main\n", with: "").utf8)
        .write(to: sources.appending(path: "\(check.example).swift"))
      try Data(check.text.utf8).write(to: sources.appending(path: "\(name).swift"))
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Runs the package manager in the package.
  func swift(_ arguments: String...) async throws -> Outcome {
    try await outcome(of: URL(filePath: "/usr/bin/env"), ["swift"] + arguments)
  }

  /// Runs an example to its end.
  ///
  /// - Returns: what it wrote.
  /// - Throws: where it does not end with 0.
  func run(_ name: String, _ arguments: String...) async throws -> String {
    let outcome = try await outcome(of: folder.appending(path: ".build/debug/\(name)"), arguments)
    guard outcome.status == 0 else {
      throw Failed(description: "\(name) ended with \(outcome.status): \(outcome.output)")
    }
    return outcome.output
  }

  /// A file that an example wrote.
  func text(of name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// The identities of everything that a package depends on, sorted.
  func dependencies(in output: String) throws -> [String] {
    struct Node: Decodable {
      var identity: String
      var dependencies: [Node]
      var all: [String] { [identity] + dependencies.flatMap(\.all) }
    }
    // Notes of the package manager come first.
    let json = output.firstIndex(of: "{").map { output[$0...] } ?? ""
    return try JSONDecoder().decode(Node.self, from: Data(json.utf8)).dependencies.flatMap(\.all).sorted()
  }

  private func outcome(of program: URL, _ arguments: [String]) async throws -> Outcome {
    let result = try await Tool.result(of: program.path, arguments, in: folder.path)
    return Outcome(status: result.status, output: result.output)
  }

  struct Failed: Error, CustomStringConvertible {
    var description: String
  }
}

final class Requests: Sendable {
  private let count = Mutex(0)

  /// The number of this request, from 1.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
