import AlmanacTesting
import Foundation
import Testing

/// Both programs read one config file alike.
@Suite struct SharedConfigTests {
  @Test(arguments: ["almanac", "almanacd"])
  func anUnknownOptionIsNamedWithItsPlace(_ name: String) async throws {
    let program = try Program(name)
    defer { program.clean() }
    let config = try program.file(
      "config.json", "{\"follows\": [\n  {\"follow\": \"app-store/us/new\", \"gnre\": 6014}]}")
    let result = try await program.run([name == "almanac" ? "following" : "--once", "--config", config])
    #expect(result.status == 78)
    for words in [
      config, "line 2, column 34", #"unknown option "gnre"; did you mean "genre"?"#, #""genre", "feed""#,
    ] { #expect(result.err.contains(words), "'\(words)' in \(result.err)") }
  }
}
