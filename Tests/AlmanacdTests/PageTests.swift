import Foundation
import Testing

/// The dashboard in a real browser: see `page.py`.
@Suite struct PageTests {
  /// The first of these programs on PATH.
  static func program(_ names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    for name in names {
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
        return "\(folder)/\(name)"
      }
    }
    return nil
  }

  static let chromium = program("chromium", "chromium-browser")
  static let python = program("python3")
  static let programs = URL(
    filePath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  ).deletingLastPathComponent()
  static let hasPrograms = ["almanac", "almanacd", "upstream"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: programs.appending(path: $0).path)
  }

  @Test(
    "the page in headless Chromium: content, silence, accessibility, contrast, keyboard, at 1280 and 390 px",
    .enabled(if: chromium != nil && python != nil, "chromium or python3 is not installed"),
    .enabled(if: hasPrograms, "almanac, almanacd or upstream is not built beside the tests"))
  func page() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "page.py").path
    let process = Process()
    process.executableURL = URL(filePath: Self.python ?? "")
    process.arguments = [script, "--quick", "--bin", Self.programs.path, "--chromium", Self.chromium ?? ""]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(output)")
  }
}
