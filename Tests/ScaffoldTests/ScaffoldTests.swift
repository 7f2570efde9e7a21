import Foundation
import Testing

@testable import ScaffoldKit

@Suite struct ScaffoldTests {
  /// Calls that between them make every kind of field, follow and address.
  static let calls: [[String]] = [
    ["source", "Weather"],
    [
      "source", "Weather", "--record", "Forecast", "--path", "/forecast/{city}", "--fields",
      "name, wind=wind_kmh:int, rain:bool?, at:time, dry:bool, note?",
    ],
    [
      "source", "AirQuality", "--record", "Reading", "--url", "https://air.example.org", "--path",
      "/v2/{country}/stations/{station}?units=si", "--under", "data", "--fields",
      "id=code,ozone=o3_micrograms_per_cubic_metre:int?,particles=pm10_micrograms_per_cubic_metre:int?,"
        + "measuredAt=measured_at:time?,description?,isOfficial=official:bool?",
    ],
    [
      "source", "OpenArt", "--record", "Project", "--url", "https://art.example", "--path", "/art/{project}/json",
      "--fields",
      "id=info.name, version=info.version, summary=info.summary?, releasedAt=urls.0.upload_time_iso_8601:time?,"
        + "size=urls.0.size:int?, isYanked=info.yanked:bool, serial=last_serial:int, first=files.1.note.text, home.page?",
    ],
    ["source", "Stations", "--path", "/stations", "--collection", "weather-stations"],
  ]

  @Test(arguments: calls)
  func addingAndRemovingLeavesNoTrace(_ call: [String]) throws {
    let project = try ProjectCopy()
    let before = project.contents()
    let module = call[1]
    let added = Command.run(call + ["--package", project.root], console: .silent)
    #expect(added == 0)
    let after = project.contents()
    let new = Set(after.keys).subtracting(before.keys)
    #expect(new.filter { $0.hasSuffix(".swift") }.count == 6)
    #expect(new.allSatisfy { $0.hasPrefix("Modules/") || $0.hasPrefix("Tests/\(module)Tests") })
    #expect(Set(before.keys.filter { before[$0] != after[$0] }) == Set(Registration.files))
    let removed = project.run("remove", "source", module)
    #expect(removed.status == 0, "\(removed.errors)")
    let left = project.contents()
    #expect(Set(left.keys) == Set(before.keys))
    #expect(before.keys.filter { before[$0] != left[$0] }.isEmpty)
  }

  @Test func severalSourcesGoInAnyOrder() throws {
    let project = try ProjectCopy()
    let before = project.contents()
    for call in Self.calls.dropFirst() {
      #expect(Command.run(call + ["--package", project.root], console: .silent) == 0)
    }
    for module in ["AirQuality", "Weather", "OpenArt", "Stations"] {
      #expect(project.run("remove", "source", module).errors == "")
    }
    #expect(project.contents() == before)
  }

  @Test func everyLineIsWhereItBelongs() throws {
    let project = try ProjectCopy()
    #expect(project.run("source", "Weather", "--record", "Forecast", "--url", "https://weather.example").status == 0)
    for (path, line) in [
      ("Package.swift", "  .feature(\"Weather\"),"),
      ("Package.swift", "  .tests(\"Weather\", [\"Networking\", \"Parsing\", \"Sync\", \"Weather\"]),"),
      ("Apps/Assembly/SourceList.swift", "import Weather"),
      (
        "Apps/Assembly/SourceList.swift",
        "      WeatherSource(parser: ForecastParser(), settings: access.servers[.weather]),"
      ),
      (
        "Modules/Models/Records/Forecast.swift",
        "  public static let collection = CollectionName(rawValue: \"forecasts\")"
      ),
      (
        "Modules/Models/Records/Forecast.swift",
        "  public static let schema: [RecordField] = [.init(\"id\"), .init(\"name\"), .optional(\"note\")]"
      ),
      (
        "Modules/Features/Weather/WeatherSource.swift",
        "  public static let weather = SourceName(rawValue: \"weather\")"
      ),
      (
        "Modules/Features/Weather/WeatherSource.swift",
        "    collections: [.init(Forecast.self, columns: [\"id\", \"name\", \"note\"])],"
      ),
    ] {
      let lines = try project.tree.text(path).split(separator: "\n").map(String.init)
      #expect(lines.count { $0 == line } == 1, "\(path): \(line)")
    }
  }

  /// What left a list is found by the engine, which remembers the list, and not by the memory of the follow.
  @Test func onlyAListHasAnInventory() throws {
    let project = try ProjectCopy()
    #expect(
      Command.run(["source", "Stations", "--path", "/stations", "--package", project.root], console: .silent) == 0)
    #expect(
      Command.run(["source", "Weather", "--path", "/at/{city}", "--package", project.root], console: .silent) == 0)
    let list = try project.tree.text("Modules/Features/Stations/StationsSource.swift")
    #expect(list.contains("page.inventory = now.map {"))
    #expect(list.contains("page.doubt = rejects.isEmpty ? nil : .unreadableID"))
    #expect(!list.contains("listing"))
    #expect(
      try project.tree.text("Tests/StationsTests/StationsSourceTests.swift").contains("whatIsGoneFromTheListIsRemoved"))
    let single = try project.tree.text("Modules/Features/Weather/WeatherSource.swift")
    #expect(!single.contains("inventory") && !single.contains("listing"))
    #expect(try !project.tree.text("Tests/WeatherTests/WeatherSourceTests.swift").contains("whatIsGoneFromTheList"))
  }

  @Test func aDryRunWritesNothing() throws {
    let project = try ProjectCopy()
    let before = project.contents()
    let run = project.run("source", "Weather", "--dry-run")
    #expect(run.status == 0)
    #expect(run.output.contains("create  Modules/Features/Weather/WeatherSource.swift"))
    #expect(run.output.contains("+   .feature(\"Weather\"),"))
    #expect(run.output.hasSuffix("nothing was written\n"))
    #expect(project.contents() == before)
  }

  /// What is written is laid out as everything else is.
  @Test func theFormatterHasNothingToSay() throws {
    let project = try ProjectCopy()
    let before = project.contents()
    for call in Self.calls.dropFirst() {
      #expect(Command.run(call + ["--package", project.root], console: .silent) == 0)
    }
    let new = project.contents().keys.filter { before[$0] == nil && $0.hasSuffix(".swift") }.sorted()
    let formatter = Process()
    formatter.executableURL = URL(filePath: "/usr/bin/env")
    formatter.currentDirectoryURL = URL(filePath: project.root)
    formatter.arguments =
      ["swift", "format", "lint", "--strict", "--configuration", ".swift-format"] + new
      + Registration.files
    let pipe = Pipe()
    formatter.standardError = pipe
    try formatter.run()
    let errors = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    formatter.waitUntilExit()
    #expect(formatter.terminationStatus == 0, "\(errors)")
  }
}

extension Console {
  /// Says nothing.
  static var silent: Console { Console(output: { _ in }, errors: { _ in }) }
}
