import AlmanacTesting
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

  static let clang = program("clang", "cc")
  static let firefox = program("firefox-esr", "firefox")
  static let hasProxies = ["nginx", "caddy", "curl", "openssl"].allSatisfy { program($0) != nil }

  @Test(
    "the page in headless Chromium: content, silence, accessibility, contrast, keyboard, at 1280 and 390 px",
    .enabled(if: chromium != nil && python != nil, "chromium or python3 is not installed"),
    .enabled(if: hasPrograms, "almanac, almanacd or upstream is not built beside the tests"))
  func page() async throws {
    try await run("page.py", ["--quick", "--chromium", Self.chromium ?? ""])
  }

  @Test(
    "the buttons of every page, pressed in a browser at 1280 and 390 px, have their effect in the store",
    .enabled(if: chromium != nil || firefox != nil, "neither chromium nor firefox-esr is installed"),
    .enabled(if: python != nil, "python3 is not installed"),
    .enabled(if: hasPrograms, "almanac, almanacd or upstream is not built beside the tests"))
  func buttons() async throws {
    let all = ProcessInfo.processInfo.environment["ALMANAC_BUTTONS"] == "all"
    try await run("buttons.py", all ? [] : ["--quick"])
  }

  @Test(
    "behind nginx and Caddy: TLS, HTTP/2, a sub-path, a socket, streams, and what other pages may not do",
    .enabled(if: hasProxies && python != nil, "nginx, caddy, curl, openssl or python3 is not installed"),
    .enabled(if: hasPrograms, "almanac, almanacd or upstream is not built beside the tests"))
  func proxies() async throws { try await run("proxies.py", ["--quick"]) }

  @Test(
    "a log that nobody reads, a service manager that does not listen and a disk that does not answer: still alive",
    .enabled(if: python != nil && clang != nil, "python3 or clang is not installed"),
    .enabled(if: hasPrograms, "almanac, almanacd or upstream is not built beside the tests"))
  func silence() async throws {
    let bound = Int(PromisedTime.bound(.milliseconds(50)) / .milliseconds(1))
    try await run("silence.py", ["--seconds", "3", "--bound", "\(bound)", "--clang", Self.clang ?? ""])
  }

  @Test(
    "every alert fires on the metrics of its state, and none on those of a healthy daemon",
    .enabled(if: program("promtool") != nil, "promtool (package prometheus) is not installed"),
    .enabled(if: python != nil, "python3 is not installed"),
    .enabled(if: hasPrograms, "almanac, almanacd or upstream is not built beside the tests"))
  func alerts() async throws { try await run("alerts.py", []) }

  @Test(
    "names that lead to inner servers a moment later: no picture of theirs is fetched",
    .enabled(if: python != nil, "python3 is not installed"),
    .enabled(if: canIsolate, "no name spaces for mounts and networks, or no ip"),
    .enabled(if: hasPrograms, "almanac, almanacd or upstream is not built beside the tests"))
  func rebinding() async throws { try await run("rebinding.py", []) }

  private static let canIsolate =
    (try? Tool.run("unshare", ["-rmn", "ip", "link", "set", "lo", "up"]).status) == 0

  private func run(_ script: String, _ arguments: [String]) async throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path
    let result = try await Tool.result(of: Self.python ?? "", [path, "--bin", Self.programs.path] + arguments)
    #expect(result.status == 0, "\(result.output)")
  }
}
